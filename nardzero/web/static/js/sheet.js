// The score sheet, and what is played for.

import { html } from "./dom.js";
import { n, plural, t } from "./i18n.js";

/** The games that are over, one a row. */
export function sheet({ sheet: games }) {
  if (!games.length) return html("p", { class: "quiet" }, t("sheet.empty"));
  const heads = ["game", "winner", "result", "you", "bot"].map((key) =>
    html("th", { scope: "col" }, t(`sheet.${key}`)),
  );
  return html("table", {}, html("thead", {}, html("tr", {}, heads)), html("tbody", {}, games.map(row)));
}

function row({ number, winner, kind, how, points, score, crawford }) {
  const way = how === "off" ? t(`kind.${kind}`) : t(`how.${how}`);
  const game = crawford ? t("sheet.crawford", { number }) : n(number);
  const result = t("sheet.points", { way, points });
  const cells = [game, t(`player.${winner}`), result, n(score.you), n(score.bot)];
  return html(
    "tr",
    { class: winner },
    cells.map((cell) => html("td", {}, cell)),
  );
}

/** What is played for: a match to so many points, or money. */
export function lengthText({ length, jacoby, beavers, cube }) {
  if (length) return t("match_to", { points: length });
  const extras = [jacoby && cube && t("jacoby"), beavers && cube && t("beavers")].filter(Boolean);
  return [t("money"), ...extras].join(t("comma"));
}
