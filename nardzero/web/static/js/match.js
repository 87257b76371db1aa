// Stepping through a finished match, move by move, on a board that is only looked at.

import { Board } from "./board.js";
import { openDialog } from "./dialog.js";
import { html, svg } from "./dom.js";
import { borne } from "./hops.js";
import { latin, t } from "./i18n.js";
import { diceText } from "./say.js";
import { thrown } from "./view.js";

/** The signs on the buttons that walk through a game. */
const SIGNS = {
  first: "M7 5v14M18 5l-8 7l8 7z",
  back: "M16 5l-8 7l8 7z",
  on: "M8 5l8 7l-8 7z",
  last: "M17 5v14M6 5l8 7l-8 7z",
};

export class MatchViewer {
  /** A viewer that lets the person play on from a position with `playOn(xgid)`. */
  constructor(playOn) {
    this.playOn = playOn;
  }

  /** Show a match from its first game on. */
  open(match) {
    this.match = match;
    const root = svg("svg", { class: "board", role: "img" });
    this.text = html("p", { class: "status", role: "status" });
    this.score = html("p", { class: "quiet score" });
    this.list = html("ol", { class: "moves" });
    const games = match.games.map((game, index) =>
      html("option", { value: index }, t("match.game", { number: game.number })),
    );
    this.games = html(
      "select",
      { "aria-label": t("sheet.game"), onchange: () => this.openGame(Number(this.games.value)) },
      games,
    );
    const body = html(
      "div",
      { class: "match" },
      html("div", {}, html("div", { class: "frame" }, root), this.text, this.buttons()),
      html("div", { class: "match-side" }, this.games, this.score, this.list),
    );
    const title = match.players.map((name) => name || "?").join(" – ");
    const dialog = openDialog("match", title, body);
    dialog.onkeydown = (event) => this.press(event);
    this.board = new Board(root, { playable: false });
    this.openGame(0);
  }

  buttons() {
    const button = (key, label, step) => {
      const sign = svg(
        "svg",
        { viewBox: "0 0 24 24", class: "sign", "aria-hidden": "true" },
        svg("path", { d: SIGNS[key] }),
      );
      const attributes = {
        type: "button",
        class: "button icon",
        "data-go": key,
        "aria-label": label,
        onclick: step,
      };
      return html("button", attributes, sign);
    };
    const play = () => {
      const { xgid } = this.action ?? {};
      if (!xgid) return;
      this.list.closest("dialog").close();
      this.playOn(xgid);
    };
    this.onward = html("button", { type: "button", class: "button", onclick: play }, t("match.play_on"));
    return html(
      "div",
      { class: "actions" },
      html(
        "span",
        { class: "walk", dir: "ltr" },
        button("first", t("match.first"), () => this.go(-1)),
        button("back", t("match.back"), () => this.go(this.at - 1)),
        button("on", t("match.on"), () => this.go(this.at + 1)),
        button("last", t("match.last"), () => this.go(Infinity)),
      ),
      this.onward,
    );
  }

  openGame(index) {
    this.game = this.match.games[index];
    this.games.value = String(index);
    const { score, crawford } = this.game;
    const names = this.match.players;
    const points = t("match.score", { one: names[0], two: names[1], first: score[0], second: score[1] });
    this.score.textContent = crawford ? `${points} · ${t("crawford")}` : points;
    const lines = this.game.actions.map((action, at) =>
      html(
        "li",
        {},
        html("button", { type: "button", class: "line", onclick: () => this.go(at) }, this.line(action)),
      ),
    );
    this.list.replaceChildren(...lines);
    this.go(-1);
  }

  line(action) {
    const name = this.match.players[action.player] || "?";
    const { dice, play, legal } = action;
    if (action.action !== "play") return t("match.deed", { name, deed: t(`deed.${action.action}`) });
    const deed = play ? latin(play) : t("match.dance");
    const text = t("match.played", { name, dice: dice ? diceText(dice) : "", play: deed });
    return legal ? text : `${text} ${t("match.illegal")}`;
  }

  /** Show the board after an action; -1 is the start of the game. */
  go(at) {
    const { actions, start } = this.game;
    this.at = Math.max(-1, Math.min(at, actions.length - 1));
    this.action = actions[this.at] ?? null;
    const board = this.action?.board ?? start;
    this.board.draw({ board, off: borne(board), cube: this.cube(), dice: this.dice() });
    this.text.textContent = this.action ? this.line(this.action) : t("match.start");
    this.onward.disabled = !this.action?.xgid;
    [...this.list.children].forEach((item, index) => item.classList.toggle("chosen", index === this.at));
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  cube() {
    const { cube = 1, owner = null } = this.action ?? {};
    return { value: cube, owner: owner === null ? null : ["you", "bot"][owner], offered: null };
  }

  dice() {
    const { dice, player } = this.action ?? {};
    return dice ? thrown(["you", "bot"][player], dice) : [];
  }

  press(event) {
    if (event.target.closest("select")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.go(this.at + step);
    else if (event.key === "Home") this.go(-1);
    else if (event.key === "End") this.go(Infinity);
    else return;
    event.preventDefault();
  }
}
