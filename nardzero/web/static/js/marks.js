// Where a checker may go, and arrows for a play that is proposed.

import { svg } from "./dom.js";
import { OFF } from "./geometry.js";

/** The moves of one checker from this point. */
export function movesFrom(moves, from) {
  return moves.filter((move) => move.from === from);
}

/** The place where a checker of the person that comes to a point will lie. */
export function landing(g, board, point) {
  if (point === OFF) return g.trayCentre("you");
  return g.checker(point, Math.max(board[point], 0));
}

/** Rings where the checker of a point may go; the one that a tap chooses is filled. */
export function targets(g, board, moves) {
  const tapped = moves[0];
  return moves.map((move) => {
    const { x, y } = landing(g, board, move.to);
    const kind = move === tapped ? "first" : "other";
    const hit = move.hits.includes(move.to) ? "hit" : "";
    const shape = {
      class: `target ${kind} ${hit}`,
      cx: x,
      cy: y,
      r: g.radius - (move === tapped ? 1.5 : 4.5),
    };
    return svg("circle", shape);
  });
}

/** Arrows for hops [from, to, hits], in the person's numbering. */
export function arrows(g, board, hops) {
  const left = [...board];
  return hops.map(([from, to]) => {
    const start = g.checker(from, Math.max(left[from] - 1, 0));
    const end = landing(g, left, to);
    left[from] -= 1;
    if (to !== OFF) left[to] = Math.max(left[to], 0) + 1;
    return arrow(start, end);
  });
}

function arrow(start, end) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [ux, uy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const neck = { x: end.x - 13 * ux, y: end.y - 13 * uy };
  const [nx, ny] = [-uy * 8, ux * 8];
  return svg(
    "g",
    { class: "arrow" },
    svg("path", { class: "shaft", d: `M${start.x} ${start.y}L${neck.x} ${neck.y}` }),
    svg("path", {
      class: "head",
      d: `M${end.x} ${end.y}L${neck.x + nx} ${neck.y + ny}L${neck.x - nx} ${neck.y - ny}z`,
    }),
  );
}
