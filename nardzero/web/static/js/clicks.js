// Clicks on parts of the board, and clicks that are none.

/** What hands the game on. */
const HANDS_ON = "[data-act]:not([data-act=undo], [data-act=swap]), .dice-area, .cube-area";

/** The second click of a double click is none: what lay under it may have become something else. */
export function dropDoubleClick(event) {
  if (event.detail > 1 && event.target.closest(HANDS_ON)) event.stopPropagation();
}

/** Let something on the board be pressed by pointer and keyboard; parts may be drawn anew meanwhile. */
export function touchable(root, selector, press) {
  root.addEventListener("click", (event) => event.target.closest(selector) && press());
  root.addEventListener("keydown", (event) => {
    if (!event.target.closest?.(selector) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    press();
  });
}
