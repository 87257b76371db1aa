// Playing by the keyboard: arrows walk over the board, Enter moves, the space bar lifts a checker and puts it down.

import { KEYS } from "./actions.js";
import { BAR, BOT_BAR, OFF } from "./geometry.js";
import { movesFrom } from "./marks.js";

const UPPER = [13, 14, 15, 16, 17, 18, BOT_BAR, 19, 20, 21, 22, 23, 24];
const LOWER = [12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1, "off"];
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
const ACTIONS = Object.fromEntries(Object.entries(KEYS).map(([action, key]) => [key, action]));

/** Walks over the places of a board and moves checkers; `tap(from)` and `move(from, to)` as in drag.js. */
export class Walker {
  constructor(board, { tap, move }) {
    Object.assign(this, { board, tap, move, lifted: null, place: 24 });
    board.onlaid = () => this.listen();
    this.listen();
  }

  listen() {
    for (const [place, area] of this.board.areas) {
      area.addEventListener("keydown", (event) => this.press(event, place));
      area.addEventListener("focus", () => this.arrive(place));
      area.addEventListener("blur", () => this.lifted === null && this.board.clear());
    }
    this.mark();
  }

  /** Exactly one place is reached by the tab key. */
  mark() {
    for (const [place, area] of this.board.areas)
      area.setAttribute("tabindex", place === this.place ? 0 : -1);
  }

  arrive(place) {
    this.place = place;
    this.mark();
    if (this.lifted === null && this.board.areas.get(place).matches(":focus-visible"))
      this.board.showTargets(place);
  }

  /** Bring the focus to a place, or to one where something can be done. */
  go(place = this.firstOfUse()) {
    this.board.areas.get(place).focus();
  }

  firstOfUse() {
    const { moves } = this.board.view;
    return movesFrom(moves, this.place).length ? this.place : (moves[0]?.from ?? this.place);
  }

  press(event, place) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    if (key.startsWith("Arrow"))
      this.go(this.lifted === null ? this.neighbour(place, key) : this.nextTarget(place, key));
    else if (key === "Enter") this.enter(place);
    else if (key === " ") this.lift(place);
    else if (key === "Escape" && this.lifted !== null) this.put();
    else return;
    event.preventDefault();
  }

  neighbour(place, key) {
    const row = UPPER.includes(place) ? UPPER : LOWER;
    const column = row.indexOf(place);
    if (key === "ArrowUp") return UPPER[Math.min(column, UPPER.length - 1)];
    if (key === "ArrowDown") return LOWER[column];
    const step = STEPS[key] * (this.board.g.mirrored ? -1 : 1);
    return row[column + step] ?? place;
  }

  nextTarget(place, key) {
    const places = movesFrom(this.board.view.moves, this.lifted).map(({ to }) => (to === OFF ? "off" : to));
    const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
    return places.at((places.indexOf(place) + step) % places.length);
  }

  enter(place) {
    if (this.lifted !== null) this.lift(place);
    else if (movesFrom(this.board.view.moves, place).length) this.tap(place);
  }

  /** Lift the checker of a place, or put the lifted one down there. */
  lift(place) {
    const moves = movesFrom(this.board.view.moves, this.lifted ?? place);
    if (this.lifted === null) {
      if (!moves.length) return;
      this.lifted = place;
      this.board.showTargets(place);
      this.go(moves[0].to === OFF ? "off" : moves[0].to);
      return;
    }
    const to = place === "off" ? OFF : place;
    const from = this.lifted;
    this.put();
    if (moves.some((move) => move.to === to)) this.move(from, to);
  }

  /** Put the lifted checker back. */
  put() {
    const from = this.lifted;
    this.lifted = null;
    this.board.clear();
    if (from !== null) this.go(from);
  }

  /** Nothing is lifted any more once the board has changed. */
  reset() {
    this.lifted = null;
  }
}

/** The letter of a key whatever the keyboard's alphabet: R is R on a Persian one too. */
function letter(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  return event.key === "?" || event.key === "؟" ? "?" : /^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase();
}

/** Let single keys do what the buttons do, unless something is being typed or a dialog is open. */
export function shortcuts({ act, coach, board, help }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (document.querySelector("dialog[open]") || event.target.closest("input, select, textarea")) return;
    const key = letter(event);
    if (key in ACTIONS) act(ACTIONS[key]);
    else if (key === "c") coach();
    else if (key === "g") board();
    else if (key === "?") help();
    else return;
    event.preventDefault();
  });
}
