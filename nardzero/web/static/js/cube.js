// The doubling cube, at its owner's end of the bar, in the middle, or before the player it is offered to.

import { svg } from "./dom.js";
import { n } from "./i18n.js";

const SIZE = 34;

/** The cube of a snapshot as it is drawn; `offered` is the value on offer to a player, if any. */
export function cube(g, state) {
  if (!state) return null;
  const offered = state.offered;
  const to = offered && (offered.by === "bot" ? "you" : "bot");
  const { x, y } = g.cubeCentre(state.owner, to);
  // A cube that nobody has turned shows its highest face, as on a real board.
  const value = offered ? offered.value : state.value === 1 ? 64 : state.value;
  const size = offered ? SIZE * 1.3 : SIZE;
  const half = size / 2;
  const digits = n(value);
  return svg(
    "g",
    { class: `cube ${offered ? "offered" : ""}`, transform: `translate(${x} ${y})`, "aria-hidden": "true" },
    svg("rect", { class: "face", x: -half, y: -half, width: size, height: size, rx: size / 6 }),
    svg(
      "text",
      { class: "value", y: size * 0.17, "font-size": size * (digits.length > 1 ? 0.5 : 0.6) },
      digits,
    ),
  );
}

/** Where the cube is touched; it moves with the cube. */
export function cubeArea() {
  const box = { x: -22, y: -22, width: 44, height: 44 };
  return svg(
    "g",
    { class: "area cube-area", role: "button", tabindex: 0 },
    svg("rect", { class: "touch", ...box }),
    svg("rect", { class: "focus", ...box, rx: 8 }),
  );
}
