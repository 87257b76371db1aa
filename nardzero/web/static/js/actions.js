// The buttons under the board. Which ones there are depends on the phase; which work, on the actions.

import { html } from "./dom.js";
import { t } from "./i18n.js";

const ROWS = {
  opening: ["roll", "resign"],
  roll: ["double", "roll", "hint", "resign"],
  play: ["undo", "swap", "done", "hint", "resign"],
  answer: ["take", "pass", "beaver", "hint", "resign"],
  over: ["next"],
  finished: ["again"],
};
const MAIN = new Set(["roll", "done", "take", "next", "again"]);
export const KEYS = {
  roll: "r",
  double: "d",
  undo: "u",
  swap: "s",
  done: "f",
  take: "t",
  pass: "p",
  beaver: "b",
  next: "n",
  hint: "h",
  resign: "x",
};

/** The buttons of a snapshot; `press(action)` is called by each. */
export function actionButtons({ phase, actions, cube }, press) {
  const offered = ROWS[phase].filter((action) => isShown(action, actions, cube));
  return offered.map((action) =>
    html(
      "button",
      {
        type: "button",
        class: `button ${MAIN.has(action) ? "main" : ""}`,
        "data-act": action,
        disabled: action !== "again" && !actions.includes(action),
        "aria-keyshortcuts": KEYS[action] ?? null,
        onclick: () => press(action),
      },
      t(action === "roll" && phase === "opening" ? "act.open" : `act.${action}`),
    ),
  );
}

/** Buttons that cannot be of use in the whole phase are left out; those that wait are shown, but dull. */
function isShown(action, actions, cube) {
  if (action === "double") return cube !== null;
  if (["beaver", "hint", "resign"].includes(action)) return actions.includes(action);
  return true;
}
