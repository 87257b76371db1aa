// What a hop does to a board [26] in the person's numbering.

import { BAR, BOT_BAR, OFF } from "./geometry.js";

/** A point of a player's own numbering in the person's; off is 0 for both. */
export function seenByYou(player, point) {
  return player === "you" || point === OFF ? point : 25 - point;
}

/** The board without the checker of a player that is about to leave a point of the person's numbering. */
export function without(board, player, from) {
  const next = [...board];
  next[from] -= player === "you" ? 1 : -1;
  return next;
}

/** The board with a checker of a player put down on a point; a single one of the other goes to its bar. */
export function placed(board, player, to, isOff) {
  const next = [...board];
  if (isOff) return next;
  const sign = player === "you" ? 1 : -1;
  if (next[to] === -sign) {
    next[to] = 0;
    next[player === "you" ? BOT_BAR : BAR] -= sign;
  }
  next[to] += sign;
  return next;
}

/** How many checkers of each are not on the board. */
export function borne(board, checkers = 15) {
  const on = (sign) => board.reduce((sum, count) => sum + Math.max(sign * count, 0), 0);
  return { you: checkers - on(1), bot: checkers - on(-1) };
}
