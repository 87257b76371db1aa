// The board: one SVG that shows a view and says what is touched. It knows no rules.
//
// A view is { board, off, colour, cube, dice, moves, invite, trace }: the board [26] in the person's numbering,
// the dice as dice.js takes them, the legal moves, what the dice area invites to, and where the bot moved.

import { areas, field } from "./field.js";
import { borneOff, checkers } from "./checkers.js";
import { cube, cubeArea } from "./cube.js";
import { dice, diceArea, invitation } from "./dice.js";
import { svg } from "./dom.js";
import { Geometry } from "./geometry.js";
import { arrows, movesFrom, targets } from "./marks.js";

const NARROW = matchMedia("(max-width: 640px)");
const EMPTY = {
  board: Array(26).fill(0),
  off: { you: 0, bot: 0 },
  colour: "white",
  cube: null,
  dice: [],
  moves: [],
  invite: null,
  trace: [],
};

export class Board {
  /** A board in an <svg>; one that is only to be looked at has nothing to touch. */
  constructor(root, { playable = true } = {}) {
    this.root = root;
    this.playable = playable;
    this.view = EMPTY;
    NARROW.addEventListener("change", () => this.lay());
    this.lay();
  }

  /** Lay the empty board anew: for another colour, width or language. */
  lay() {
    const focused = this.areas && [...this.areas].find(([, area]) => area === document.activeElement)?.[0];
    this.g = new Geometry(this.view.colour, NARROW.matches);
    this.laid = this.view.colour;
    this.root.setAttribute("viewBox", `0 0 ${this.g.width} ${this.g.height}`);
    this.pieces = svg("g", { class: "pieces" });
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" });
    this.flying = svg("g", { class: "flying", "aria-hidden": "true" });
    this.root.replaceChildren(field(this.g), this.pieces, this.marks, this.flying);
    if (this.playable) this.layAreas();
    this.draw(this.view);
    if (focused !== undefined) this.areas.get(focused)?.focus();
  }

  layAreas() {
    this.areas = areas(this.g);
    this.diceArea = diceArea(this.g);
    this.cubeArea = cubeArea();
    this.root.insertBefore(svg("g", { class: "areas" }, [...this.areas.values()]), this.flying);
    this.root.insertBefore(this.diceArea, this.flying);
    this.root.insertBefore(this.cubeArea, this.flying);
    this.onlaid?.();
  }

  /** Show a view. */
  draw(view) {
    this.view = { ...EMPTY, ...view };
    if (this.view.colour !== this.laid) {
      this.lay();
      return;
    }
    const { board, off, moves } = this.view;
    const lit = new Set(moves.map((move) => move.from));
    this.pieces.replaceChildren(
      checkers(this.g, board, this.colours, lit, new Set(this.view.trace)),
      borneOff(this.g, "you", this.colours.you, off.you),
      borneOff(this.g, "bot", this.colours.bot, off.bot),
      dice(this.g, this.view.dice, this.colours),
      cube(this.g, this.view.cube) ?? "",
    );
    this.clear();
    if (this.playable) this.markAreas(lit);
  }

  /** The colour of each player. */
  get colours() {
    const you = this.view.colour;
    return { you, bot: you === "white" ? "black" : "white" };
  }

  markAreas(lit) {
    for (const [place, area] of this.areas) area.classList.toggle("can-move", lit.has(place));
    const { invite, cube: state } = this.view;
    this.diceArea.classList.toggle("active", invite !== null);
    this.diceArea.setAttribute("tabindex", invite ? 0 : -1);
    this.diceArea.querySelector(".invitation").replaceChildren(...invitation(this.g, invite));
    const to = state?.offered && (state.offered.by === "bot" ? "you" : "bot");
    const { x, y } = this.g.cubeCentre(state?.owner ?? null, to);
    this.cubeArea.setAttribute("transform", `translate(${x} ${y})`);
    this.cubeArea.classList.toggle("active", Boolean(this.view.canDouble));
    this.cubeArea.toggleAttribute("hidden", !state);
    this.cubeArea.setAttribute("tabindex", this.view.canDouble ? 0 : -1);
  }

  /** Show where the checker of a point may go. */
  showTargets(from) {
    const { board, moves } = this.view;
    this.marks.replaceChildren(...targets(this.g, board, movesFrom(moves, from)));
  }

  /** Show a play as arrows: hops [from, to, hits] in the person's numbering. */
  showArrows(hops, board = this.view.board) {
    this.marks.replaceChildren(...arrows(this.g, board, hops));
  }

  /** Take targets and arrows away. */
  clear() {
    this.marks.replaceChildren();
  }

  /** The place on the board under the pointer: a point, a bar or "off"; null elsewhere. */
  placeAt(event) {
    const matrix = this.root.getScreenCTM();
    if (!matrix || !this.areas) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    for (const place of this.areas.keys()) {
      const area = this.g.area(place);
      if (x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height) return place;
    }
    return null;
  }

  /** Where a pointer is, in the units of the board. */
  pointer(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
  }
}
