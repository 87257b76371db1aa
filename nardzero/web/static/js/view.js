// From a snapshot of the server to what the board shows.

import { seenByYou } from "./hops.js";
import { OFF } from "./geometry.js";

/** What is remembered of the bot's last turn: its dice, and the points where its checkers came down. */
export function remember(memory, event) {
  const { code, player } = event;
  if (code === "game" || (code === "rolled" && player === "you")) return { dice: [], trace: [] };
  if (code === "opening") return event.first === "you" ? { dice: [], trace: [] } : memory;
  if ((code === "rolled" || code === "dance") && player === "bot")
    return { dice: thrown("bot", event.dice), trace: [] };
  if (code === "moved" && player === "bot") {
    const landed = event.hops.filter(([, to]) => to !== OFF).map(([, to]) => seenByYou("bot", to));
    return { dice: thrown("bot", event.dice), trace: landed };
  }
  return memory;
}

/** Dice of a player that were just thrown, as the board takes them. */
export function thrown(player, values, state = "left") {
  const all = values.length === 2 && values[0] === values[1] ? [...values, ...values] : values;
  return all.map((value) => ({ player, value, state }));
}

/** The dice on the board: the person's, used ones first, or the bot's last. */
function diceOf(snapshot, memory) {
  const { dice, phase } = snapshot;
  if (!dice) return phase === "opening" ? [] : memory.dice.map((die) => ({ ...die, state: "old" }));
  const one = (value, state) => ({ player: dice.player, value, state });
  const mixed = new Set(dice.left).size > 1;
  const left = dice.left.map((value, place) => one(value, mixed && place === 0 ? "next" : "left"));
  return [...dice.used.map((value) => one(value, "used")), ...left];
}

/** What a tap on the dice would do now. */
function inviteOf({ phase, actions }) {
  if (actions.includes("done")) return "done";
  if (actions.includes("roll")) return phase === "opening" ? "opening" : "roll";
  return actions.includes("swap") ? "swap" : null;
}

/** The view of a snapshot, given what is remembered of the bot's last turn. */
export function viewOf(snapshot, memory) {
  return {
    board: snapshot.board,
    off: snapshot.off,
    colour: snapshot.colour,
    cube: snapshot.cube,
    dice: diceOf(snapshot, memory),
    moves: snapshot.moves,
    invite: inviteOf(snapshot),
    canDouble: snapshot.actions.includes("double"),
    trace: memory.trace,
  };
}
