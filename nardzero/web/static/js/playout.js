// What happened is played out on the board, one event after the other, briefly.

import { checker } from "./checkers.js";
import { OFF } from "./geometry.js";
import { borne, placed, seenByYou, without } from "./hops.js";
import { landing } from "./marks.js";
import { glides, Pauses } from "./pace.js";
import { remember, thrown, viewOf } from "./view.js";

const MS = { hop: 280, opening: 1100, roll: 550, dance: 1200, cube: 700 };

export class Playout {
  /** Plays on a board; `tell(event)` is called as each event is shown. */
  constructor(board, tell) {
    this.board = board;
    this.tell = tell;
    this.pauses = new Pauses();
    this.memory = { dice: [], trace: [] };
    this.running = Promise.resolve();
  }

  /** Show at once all that is still to be shown. */
  skip() {
    this.pauses.skip();
    this.gliding?.finish();
  }

  /** Show a snapshot at once, with the events that led to it. */
  show(snapshot, events = []) {
    for (const event of events) this.memory = remember(this.memory, event);
    this.board.draw(viewOf(snapshot, this.memory));
  }

  /** Play out the events that lead from one snapshot to the next; whatever is still being shown is cut short. */
  async run(before, after, events, { dragged = false } = {}) {
    this.skip();
    await this.running;
    this.pauses.begin();
    this.running = this.playAll(before, after, events, dragged);
    await this.running;
  }

  async playAll(before, after, events, dragged) {
    this.stage = { ...viewOf(before, this.memory), moves: [], invite: null, canDouble: false };
    if (!dragged) await this.playSteps(before, after);
    for (const event of events) {
      this.memory = remember(this.memory, event);
      this.tell(event);
      await this.playEvent(event);
    }
    this.board.draw(viewOf(after, this.memory));
  }

  /** The steps that the person has just made. */
  async playSteps(before, after) {
    const made = after.played.slice(before.played.length);
    if (before.phase !== "play" || after.phase !== "play") return;
    for (const step of made) await this.glide("you", step.from, step.to, step.to === OFF, MS.hop / 2);
  }

  async playEvent(event) {
    const { code, player } = event;
    const bot = player === "bot";
    if (code === "game") this.set({ board: this.stage.board, dice: [], trace: [] });
    else if (code === "opening") await this.playOpening(event);
    else if (code === "rolled" && bot)
      await this.set({ dice: thrown("bot", event.dice), trace: [] }, MS.roll);
    else if (code === "dance") await this.set({ dice: thrown(player, event.dice), trace: [] }, MS.dance);
    else if (code === "moved" && bot) await this.playMove(event);
    else if (code === "moved") this.set({ board: event.board, off: borne(event.board), dice: [] });
    else if (code === "doubled" || code === "beavered") await this.playOffer(event);
    else if (code === "took") await this.playTake(event);
  }

  /** Change what is shown, and wait. */
  set(change, milliseconds = 0) {
    this.stage = { ...this.stage, ...change };
    if (this.pauses.skipping) return Promise.resolve();
    this.board.draw(this.stage);
    return milliseconds ? this.pauses.pause(milliseconds) : Promise.resolve();
  }

  playOpening({ you, bot }) {
    return this.set({ dice: [...thrown("you", [you]), ...thrown("bot", [bot])] }, MS.opening);
  }

  async playMove({ dice, hops, board }) {
    this.set({ dice: thrown("bot", dice), trace: [] });
    for (const [from, to] of hops)
      await this.glide("bot", seenByYou("bot", from), seenByYou("bot", to), to === OFF, MS.hop);
    await this.set({ board, off: borne(board) });
  }

  playOffer({ player, cube }) {
    if (!this.stage.cube) return Promise.resolve();
    const offered = { by: player, kind: "double", value: cube };
    return this.set({ cube: { ...this.stage.cube, offered } }, MS.cube);
  }

  playTake({ player, cube }) {
    if (!this.stage.cube) return Promise.resolve();
    return this.set({ cube: { ...this.stage.cube, value: cube, owner: player, offered: null } }, MS.cube / 2);
  }

  /** Move one checker over the board, between points of the person's numbering. */
  async glide(player, from, to, isOff, milliseconds) {
    const { g, colours, flying } = this.board;
    const { board } = this.stage;
    const after = placed(without(board, player, from), player, to, isOff);
    if (glides() && !this.pauses.skipping) {
      const start = g.checker(from, Math.abs(board[from]) - 1);
      const end = isOff ? g.trayCentre(player) : this.landing(player, to);
      this.set({ board: without(board, player, from) });
      const piece = checker(g, colours[player], start, "held");
      flying.append(piece);
      const way = [start, end].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
      this.gliding = piece.animate(way, { duration: milliseconds, easing: "ease-in-out", fill: "forwards" });
      await this.gliding.finished.catch(() => null);
      piece.remove();
    }
    await this.set({ board: after, off: borne(after) });
  }

  landing(player, to) {
    const mine = player === "you" ? this.stage.board : this.stage.board.map((count) => -count);
    return landing(this.board.g, mine, to);
  }
}
