// What never changes while a game is played: the wood, the points and their numbers, and the areas to touch.

import { svg } from "./dom.js";
import { BAR, BOT_BAR } from "./geometry.js";
import { n } from "./i18n.js";

const POINTS = Array.from({ length: 24 }, (_, index) => index + 1);

/** The empty board of a geometry. */
export function field(g) {
  const { width, height, strip, half, bar, tray } = g;
  const trays = ["bot", "you"].map((player) =>
    svg("rect", {
      class: "well",
      x: g.trayX - tray / 2,
      y: player === "bot" ? strip : g.middle + 6,
      width: tray,
      height: half - 6,
      rx: 5,
    }),
  );
  return svg(
    "g",
    { class: "field", "aria-hidden": "true" },
    svg("rect", { class: "wood", width, height, rx: 12 }),
    g.fields.map((x) =>
      svg("rect", { class: "felt", x, y: strip, width: g.fieldWidth, height: 2 * half, rx: 3 }),
    ),
    svg("rect", { class: "bar", x: g.barX - bar / 2, y: 0, width: bar, height }),
    svg("path", { class: "hinge", d: `M${g.barX} 6V${height - 6}` }),
    trays,
    POINTS.map((point) => spike(g, point)),
    POINTS.map((point) => label(g, point)),
  );
}

function spike(g, point) {
  const x = g.columnX(point);
  const low = g.isLow(point);
  const base = g.down(g.strip, low);
  const tip = g.down(g.strip + g.spike, low);
  return svg("path", {
    class: `spike ${point % 2 ? "odd" : "even"}`,
    d: `M${x - 19} ${base}h38L${x} ${tip}z`,
  });
}

function label(g, point) {
  const y = g.down(g.strip / 2, g.isLow(point)) + 5;
  return svg("text", { class: "number", x: g.columnX(point), y }, n(point));
}

/** The areas that can be touched and reached by the keyboard, by place: 25…1, the bot's bar 0, and "off". */
export function areas(g) {
  const made = new Map();
  for (const place of [BAR, ...POINTS.toReversed(), BOT_BAR, "off"]) {
    const rect = g.area(place);
    const ring = { x: rect.x + 1.5, y: rect.y + 1.5, width: rect.width - 3, height: rect.height - 3, rx: 6 };
    const area = svg(
      "g",
      { class: "area", role: "button", tabindex: -1, "data-place": place },
      svg("rect", { class: "touch", ...rect }),
      svg("rect", { class: "focus", ...ring }),
    );
    made.set(place, area);
  }
  return made;
}
