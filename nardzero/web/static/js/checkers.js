// Checkers on points and bars, and those borne off.

import { svg } from "./dom.js";
import { BAR, BOT_BAR } from "./geometry.js";
import { n } from "./i18n.js";

/** One checker at a place. */
export function checker(g, colour, { x, y }, extra = "", point = null) {
  return svg(
    "g",
    { class: `checker ${colour} ${extra}`, transform: `translate(${x} ${y})`, "data-point": point },
    svg("circle", { class: "disc", r: g.radius }),
    svg("circle", { class: "rim", r: g.radius - 6 }),
  );
}

/** The player whose checkers a count belongs to. */
export function holder(count) {
  return count > 0 ? "you" : "bot";
}

/** All checkers of a board [26]; the top one of a lit point is lit. */
export function checkers(g, board, colours, lit, traced) {
  const stacks = board.map((count, point) => {
    if (!count || (point === BAR && count < 0) || (point === BOT_BAR && count > 0)) return [];
    return stack(
      g,
      point,
      Math.abs(count),
      colours[holder(count)],
      lit.has(point),
      traced.has(point) && count < 0,
    );
  });
  return svg("g", { class: "checkers", "aria-hidden": "true" }, stacks.flat());
}

function stack(g, point, count, colour, isLit, isTraced) {
  const most = point === BAR || point === BOT_BAR ? 3 : g.tallest;
  const shown = Math.min(count, most);
  const parts = [];
  for (let level = 0; level < shown; level += 1) {
    const top = level === shown - 1;
    const extra = top && isLit ? "lit" : top && isTraced ? "traced" : "";
    parts.push(checker(g, colour, g.checker(point, level), extra, point));
  }
  if (count > most) {
    const { x, y } = g.checker(point, shown - 1);
    parts.push(svg("text", { class: `count ${colour}`, x, y: y + 6 }, n(count)));
  }
  return parts;
}

/** The checkers that a player has borne off, lying in his tray, and their number. */
export function borneOff(g, player, colour, count) {
  const slabs = [];
  for (let level = 0; level < count; level += 1)
    slabs.push(svg("rect", { class: `slab ${colour}`, rx: 3, ...g.slab(player, level) }));
  const y = g.down(g.strip / 2, player === "you") + 5;
  const number = count > 0 && svg("text", { class: "number", x: g.trayX, y }, n(count));
  return svg("g", { class: `off ${player}`, "aria-hidden": "true" }, slabs, number);
}
