// The page: brings together the game, the board and everything around it.

import { actionButtons } from "./actions.js";
import { api, Refusal } from "./api.js";
import { Board } from "./board.js";
import { dropDoubleClick, touchable } from "./clicks.js";
import { Coach } from "./coach.js";
import { boardText, placeLabel } from "./describe.js";
import { sentenceOf } from "./dialog.js";
import { byId } from "./dom.js";
import { draggable } from "./drag.js";
import { Game } from "./game.js";
import { preferred, speak, t } from "./i18n.js";
import { shortcuts, Walker } from "./keyboard.js";
import { Log } from "./log.js";
import { MatchViewer } from "./match.js";
import { menu } from "./menu.js";
import { openNewGame, rulesText } from "./newgame.js";
import { openMatchChooser } from "./openmatch.js";
import { strip } from "./players.js";
import { Playout } from "./playout.js";
import { lengthText, sheet } from "./sheet.js";
import { openBot, openHelp, openLost, openPosition, openResign } from "./smalldialogs.js";
import { statusText } from "./status.js";

const TOAST = 7000;

class Page {
  constructor(options) {
    this.options = options;
    this.game = new Game(this);
    this.board = new Board(byId("board"));
    this.log = new Log(byId("log"));
    this.playout = new Playout(this.board, (event) => this.tell(event));
    this.coach = new Coach(
      { toggle: byId("coach-switch"), rating: byId("rating"), card: byId("verdict") },
      { onToggle: (on) => this.act("coach", { on }), onPick: ({ hops }) => this.board.showArrows(hops) },
    );
    this.viewer = new MatchViewer((xgid) => this.newGame(xgid));
    this.listen();
  }

  listen() {
    const tap = (from) => this.act("step", { from });
    const move = (from, to) => this.act("step", { from, to });
    draggable(this.board, {
      tap,
      move: (from, to) => this.act("step", { from, to }, { dragged: true }),
      skip: () => this.playout.skip(),
    });
    this.walker = new Walker(this.board, { tap, move });
    // A screen reader presses without a pointer: such a click has no count.
    this.board.root.addEventListener("click", (event) => {
      const place = event.detail === 0 && event.target.closest("[data-place]")?.dataset.place;
      if (place) tap(Number(place));
    });
    touchable(this.board.root, ".dice-area", () => this.touchDice());
    touchable(this.board.root, ".cube-area", () => this.act("double"));
    shortcuts({
      act: (action) => this.press(action),
      coach: () => byId("coach-switch").click(),
      board: () => this.walker.go(),
      help: openHelp,
    });
    byId("new-game").addEventListener("click", () => this.newGame());
    menu({
      spoken: () => this.rewrite(),
      doings: {
        "open-bot": () =>
          this.game.snapshot && openBot(this.game.snapshot, this.options, (body) => this.act("bot", body)),
        "open-position": () => openPosition(this.game.snapshot?.ids, (position) => this.newGame(position)),
        "open-match": () => openMatchChooser((match) => this.viewer.open(match)),
        "open-help": openHelp,
        "save-match": () => null,
      },
    });
    document.addEventListener("click", dropDoubleClick, { capture: true });
    window.addEventListener("hashchange", () => this.followAddress());
  }

  /** Go on with the last session, or offer a new one. */
  async begin() {
    const id = Game.lastId();
    if (id) await this.game.open(id);
    else this.newGame();
  }

  followAddress() {
    const id = Game.lastId();
    if (id && id !== this.game.id) this.game.open(id);
  }

  newGame(position = "") {
    openNewGame(this.options, (wishes) => this.game.create(wishes), position);
  }

  act(action, body = {}, how = {}) {
    this.playout.skip();
    return this.game.act(action, body, how);
  }

  /** A button or its key. */
  press(action) {
    const { snapshot } = this.game;
    if (action === "again") this.newGame();
    else if (!this.game.can(action)) return;
    else if (action === "resign") openResign(snapshot, this.options, (kind) => this.act("resign", { kind }));
    else if (action === "hint") this.hint();
    else this.act(action);
  }

  touchDice() {
    const action = ["done", "roll", "swap"].find((one) => this.game.can(one));
    if (action) this.act(action);
  }

  async hint() {
    this.playout.skip();
    const hint = await this.game.hint();
    if (hint) this.coach.hint(hint);
  }

  /** The game has moved on. */
  async changed(before, after, events, how) {
    this.hideToast();
    this.coach.clearHint();
    this.walker.reset();
    if (before) {
      this.drawControls(after);
      if (events.some(({ player }) => player === "bot")) byId("status").textContent = t("status.bot");
      await this.playout.run(before, after, events, how);
    } else {
      this.log.reset(events);
      this.playout.show(after, events);
      const judged = this.log.events.findLast(({ code, forced }) => code === "judged" && !forced);
      if (judged && after.coach.on) this.coach.judge(judged);
      else this.coach.clear();
    }
    if (this.game.snapshot === after) this.drawAll(after);
  }

  tell(event) {
    if (event.code === "game") this.log.reset([]);
    this.log.add(event);
    if (event.code === "judged" && !event.forced) this.coach.judge(event);
    if (event.code === "resignation" && !event.accepted)
      this.toast(t("event.resignation.refused", { kind: t(`kind.${event.kind}`) }));
  }

  /** A request was refused: one sentence, and everything stays as it was. */
  refused(refusal) {
    this.toast(refusal.code === "illegal_move" ? t("fault.illegal_move") : sentenceOf(refusal.sentence));
    if (this.game.snapshot) this.playout.show(this.game.snapshot);
  }

  lost() {
    openLost(() => this.newGame());
  }

  toast(text) {
    const toast = byId("toast");
    toast.textContent = text;
    toast.hidden = false;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => this.hideToast(), TOAST);
  }

  hideToast() {
    byId("toast").hidden = true;
  }

  /** Everything around the board, as it is once all has been played out. */
  drawAll(snapshot) {
    this.drawControls(snapshot);
    byId("bot-strip").replaceChildren(...strip(snapshot, "bot"));
    byId("you-strip").replaceChildren(...strip(snapshot, "you"));
    byId("status").textContent = statusText(snapshot, this.danced(snapshot));
    byId("sheet").replaceChildren(sheet(snapshot));
    byId("length").textContent = lengthText(snapshot);
    byId("what").textContent = `${rulesText(snapshot.rules)} · ${lengthText(snapshot)}`;
    byId("board-text").textContent = boardText(snapshot);
    byId("save-match").href = api.matchFile(snapshot.id);
    for (const [place, area] of this.board.areas)
      area.setAttribute("aria-label", placeLabel(snapshot, place));
    this.labelDice(snapshot);
    this.coach.draw(snapshot);
    const { id, phase, version } = snapshot;
    Object.assign(byId("game").dataset, { session: id, phase, version });
  }

  /** The buttons work at once, whatever is still being played out. */
  drawControls(snapshot) {
    const bar = byId("actions");
    const focused = bar.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    bar.replaceChildren(...actionButtons(snapshot, (action) => this.press(action)));
    if (focused)
      (
        bar.querySelector(`[data-act="${focused}"]:enabled`) ??
        bar.querySelector(".main:enabled") ??
        bar.querySelector("button:enabled")
      )?.focus();
  }

  labelDice({ actions, cube }) {
    const action = ["done", "roll", "swap"].find((one) => actions.includes(one));
    this.board.diceArea.setAttribute("aria-label", t(`dice.${action ?? "none"}`));
    this.board.cubeArea.setAttribute(
      "aria-label",
      t(actions.includes("double") ? "act.double" : "cube", { value: cube?.value ?? 1 }),
    );
  }

  /** The turn that was lost just before the person's turn now, if one was. */
  danced({ phase }) {
    const last = this.log.last("moved", "dance", "game", "opening", "took");
    const yours = this.log.events.findLast(
      ({ code, player }) => player === "you" && (code === "dance" || code === "moved"),
    );
    if (last?.code === "dance") return last;
    return phase === "roll" && yours?.code === "dance" ? yours : null;
  }

  /** Say everything anew in the language of now. */
  rewrite() {
    this.board.lay();
    this.log.rewrite();
    this.coach.rewrite();
    if (this.game.snapshot) this.drawAll(this.game.snapshot);
  }
}

async function start() {
  await speak(preferred());
  const options = await api.options();
  const page = new Page(options);
  await page.begin();
}

start().catch((error) => {
  const toast = byId("toast");
  toast.textContent = error instanceof Refusal ? error.sentence : String(error);
  toast.hidden = false;
});
