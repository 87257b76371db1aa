// The coach's corner: its switch, the running performance rating, and its last verdict or a hint.

import { html } from "./dom.js";
import { decimal, latin, plural, t } from "./i18n.js";
import { cubeTable, rankedList, verdictCard } from "./verdict.js";

export class Coach {
  constructor({ toggle, rating, card }, { onToggle, onPick }) {
    Object.assign(this, { toggle, rating, card, onPick });
    this.shown = null;
    toggle.addEventListener("click", () => onToggle(toggle.getAttribute("aria-checked") !== "true"));
  }

  /** Show the switch and the rating of a snapshot. */
  draw({ coach, actions }) {
    this.toggle.setAttribute("aria-checked", coach.on);
    this.toggle.disabled = !actions.includes("coach");
    if (!coach.on && this.shown?.event) this.clear();
    this.rating.replaceChildren(...this.ratingParts(coach));
    if (coach.on && !this.shown) this.explain();
  }

  ratingParts({ on, pr, errors, blunders, decisions }) {
    if (!on || pr === null || pr === undefined) return [];
    const counts = [plural("errors", errors), plural("blunders", blunders)].join(t("comma"));
    const number = html("strong", { title: plural("decisions", decisions) }, latin(decimal(pr, 1)));
    return [html("abbr", { title: t("rating.long") }, t("rating")), " ", number, html("small", {}, counts)];
  }

  /** What there is to see while nothing has been decided yet. */
  explain() {
    this.card.replaceChildren(html("p", { class: "quiet" }, t("coach.waiting")));
    this.card.hidden = false;
  }

  /** Show a verdict. */
  judge(event) {
    this.show({ event }, verdictCard(event));
  }

  /** Show a hint. */
  hint(hint) {
    const best = hint.kind === "play" ? rankedList(hint.plays, this.onPick) : cubeTable(hint.cube);
    this.show({ hint }, [html("p", { class: "grade" }, html("strong", {}, t("hint"))), best]);
    if (hint.kind === "play" && hint.plays.length) this.onPick(hint.plays[0]);
  }

  show(what, parts) {
    this.shown = what;
    this.card.replaceChildren(...parts);
    this.card.hidden = false;
  }

  /** Take away what is shown. */
  clear() {
    this.shown = null;
    this.card.replaceChildren();
    this.card.hidden = true;
  }

  /** A hint is of no use once its moment has passed. */
  clearHint() {
    if (this.shown?.hint) this.clear();
  }

  /** Write everything anew, in the language of now. */
  rewrite() {
    if (this.shown?.event) this.judge(this.shown.event);
    else if (this.shown?.hint) this.hint(this.shown.hint);
    else if (!this.card.hidden) this.explain();
  }
}
