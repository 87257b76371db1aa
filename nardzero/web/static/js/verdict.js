// What the coach says of a decision, and how plays and cube decisions compare.

import { html } from "./dom.js";
import { decimal, latin, percent, t } from "./i18n.js";

/** A decision in words: notation for plays, a word for the cube. */
function deedText(decision, deed) {
  return decision === "play" ? latin(deed) : t(`deed.${deed}`);
}

/** A verdict in one sentence; null where there was nothing to decide. */
export function verdictLine(event) {
  if (event.forced) return null;
  const lost = decimal(event.lost, 3);
  const best = deedText(event.decision, event.best);
  return event.done === event.best ? t("verdict.best") : t(`verdict.${event.class}`, { lost, best });
}

/** A verdict in full. */
export function verdictCard(event) {
  const { decision, done, plays, cube } = event;
  return [
    html(
      "p",
      { class: `grade ${event.class}` },
      html("strong", { class: "class" }, t(`class.${event.class}`)),
      html("span", { class: "lost" }, latin(decimal(-event.lost, 3, "negative"))),
      html("span", { class: "deed" }, t("verdict.done", { done: deedText(decision, done) })),
    ),
    plays.length > 0 ? rankedList(plays) : html("p", {}, verdictLine(event)),
    cube && cubeTable(cube),
  ].filter(Boolean);
}

/** Plays from the best to the worst, each with its equity and probabilities; `pick(play)` shows one. */
export function rankedList(plays, pick = null) {
  return html(
    "ol",
    { class: "ranked" },
    plays.map((play) => rankedItem(play, pick)),
  );
}

function rankedItem(play, pick) {
  const words = [
    html("bdi", { class: "play", dir: "ltr" }, play.play),
    html("span", { class: "equity" }, latin(decimal(play.equity, 3, "always"))),
    html("span", { class: "difference" }, play.difference < 0 ? latin(decimal(play.difference, 3)) : ""),
    chances(play.cumulative),
  ];
  const chosen = play.chosen && html("span", { class: "visually-hidden" }, t("verdict.chosen"));
  const line = pick
    ? html("button", { type: "button", class: "line", onclick: () => pick(play) }, words)
    : html("div", { class: "line" }, words, chosen);
  return html("li", { class: `${play.chosen ? "chosen" : ""} ${grade(play.difference)}` }, line);
}

function grade(difference) {
  if (difference <= -0.08) return "blunder";
  return difference <= -0.02 ? "error" : "fine";
}

/** The chances to win and to lose, with gammons and backgammons among them. */
function chances(c) {
  if (!c) return null;
  const won = { all: percent(c.win), gammon: percent(c.win_gammon), backgammon: percent(c.win_backgammon) };
  const lost = {
    all: percent(1 - c.win),
    gammon: percent(c.lose_gammon),
    backgammon: percent(c.lose_backgammon),
  };
  return html(
    "span",
    { class: "chances", title: t("chances.legend") },
    html("span", {}, t("chances.win", won)),
    html("span", {}, t("chances.lose", lost)),
  );
}

/** What doubling would bring. */
export function cubeTable(cube) {
  const rows = ["no_double", "double_take", "double_pass"].map((key) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, t(`cube.${key}`)),
      html("td", {}, latin(decimal(cube[key], 3, "always"))),
    ),
  );
  const right = t("cube.right", {
    double: t(cube.doubles ? "deed.double" : "deed.roll"),
    answer: t(`deed.${cube.answer}`),
  });
  return html(
    "div",
    { class: "cube-view" },
    html("table", {}, rows),
    html("p", {}, right),
    chances(cube.cumulative),
  );
}
