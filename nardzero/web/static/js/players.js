// The strips above and below the board: who sits there, his pips and his points.

import { html } from "./dom.js";
import { latin, n, t } from "./i18n.js";

/** The strip of a player. */
export function strip(snapshot, player) {
  const { colour, score, length, pips, game } = snapshot;
  const own = colour === "white" ? { you: "white", bot: "black" } : { you: "black", bot: "white" };
  const points = length ? t("score.of", { score: score[player], length }) : n(score[player]);
  return [
    html("span", { class: `token ${own[player]}`, role: "img", "aria-label": t(`colour.${own[player]}`) }),
    html("span", { class: "who" }, playerName(snapshot, player)),
    game.crawford && player === "bot" && html("span", { class: "badge" }, t("crawford")),
    html("span", { class: "pips" }, t("pips.short", { pips: pips[player] })),
    html("span", { class: "points", "aria-label": t("score.label", { points }) }, points),
  ].filter(Boolean);
}

function playerName({ name, bot, ply }, player) {
  if (player === "you") return name && name !== "You" ? html("bdi", {}, name) : t("player.you");
  return [t("player.bot"), " ", html("small", {}, latin(bot), " · ", t("ply.short", { ply }))];
}
