// Touching checkers: a tap moves by the first die, dragging moves to the point where the checker is let go.

import { checker } from "./checkers.js";
import { OFF } from "./geometry.js";
import { movesFrom } from "./marks.js";

/** How far, in pixels, a pointer goes before a tap becomes a drag. */
const SLACK = 7;

/**
 * Let checkers of a board be tapped and dragged.
 * `tap(from)` and `move(from, to)` are called when a checker is to move; `skip()` before anything else.
 */
export function draggable(board, { tap, move, skip }) {
  const { root } = board;
  let held = null;

  const down = (event) => {
    if (event.button !== 0 || held) return;
    skip();
    const from = board.placeAt(event);
    const moves = movesFrom(board.view.moves, from);
    if (!moves.length || event.target.closest(".dice-area.active, .cube-area.active")) return;
    held = { id: event.pointerId, from, moves, x: event.clientX, y: event.clientY, flying: null };
    root.setPointerCapture(event.pointerId);
    board.showTargets(from);
  };

  const moved = (event) => {
    if (!held || event.pointerId !== held.id) {
      hover(event);
      return;
    }
    if (!held.flying && Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
    held.flying ??= lift(board, held.from);
    const { x, y } = board.pointer(event);
    held.flying.setAttribute("transform", `translate(${x} ${y})`);
  };

  const up = (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { from, moves, flying } = held;
    const to = board.placeAt(event);
    drop();
    if (!flying) tap(from);
    else if (moves.some((one) => one.to === target(to))) move(from, target(to));
  };

  const drop = () => {
    held?.flying?.remove();
    board.root.classList.remove("dragging");
    board.lifted?.classList.remove("lifted");
    board.clear();
    board.hovered = null;
    held = null;
  };

  const hover = (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const from = board.placeAt(event);
    if (from === board.hovered) return;
    board.hovered = from;
    if (movesFrom(board.view.moves, from).length) board.showTargets(from);
    else board.clear();
  };

  root.addEventListener("pointerdown", down);
  root.addEventListener("pointermove", moved);
  root.addEventListener("pointerup", up);
  root.addEventListener("pointercancel", drop);
  root.addEventListener("pointerleave", () => {
    if (held) return;
    board.hovered = null;
    board.clear();
  });
}

function target(place) {
  return place === "off" ? OFF : place;
}

/** Take the top checker of a point into the hand. */
function lift(board, from) {
  board.lifted = board.pieces.querySelector(`.checker.lit[data-point="${from}"]`);
  board.lifted?.classList.add("lifted");
  board.root.classList.add("dragging");
  const flying = checker(board.g, board.colours.you, board.g.checker(from, 0), "held");
  board.flying.append(flying);
  return flying;
}
