// The board in words, for those who cannot see it.

import { n, plural, t } from "./i18n.js";
import { diceText, placeText } from "./say.js";

const POINTS = Array.from({ length: 24 }, (_, index) => 24 - index);

function where(board, sign, bar) {
  const held = [bar, ...POINTS].filter((place) => sign * board[place] > 0);
  if (!held.length) return t("describe.none");
  return held
    .map((place) => t("describe.place", { place: placeText(place), count: Math.abs(board[place]) }))
    .join(t("comma"));
}

function cubeText({ value, owner, offered }) {
  if (offered) return t(`describe.offered.${offered.by}`, { value: offered.value });
  return t(`describe.cube.${owner ?? "centre"}`, { value });
}

/** The whole board of a snapshot as a few sentences. */
export function boardText({ board, off, pips, dice, cube }) {
  const parts = [
    t("describe.you", { where: where(board, 1, 25), off: off.you, pips: pips.you }),
    t("describe.bot", { where: where(board, -1, 0), off: off.bot, pips: pips.bot }),
  ];
  if (cube) parts.push(cubeText(cube));
  if (dice) {
    parts.push(t("event.rolled.you", { dice: diceText(dice.rolled) }));
    if (dice.left.length) parts.push(t("describe.left", { dice: dice.left.map(n).join(t("comma")) }));
  }
  return parts.join(" ");
}

/** What a screen reader says of one place: a point, a bar or the tray. */
export function placeLabel({ board, off, moves }, place) {
  if (place === "off") return t("describe.tray", { count: off.you });
  const count = board[place];
  const name = placeText(place);
  if (!count) return t("describe.empty", { place: name });
  const held = plural(count > 0 ? "describe.yours" : "describe.theirs", Math.abs(count));
  const can = moves.some((move) => move.from === place) ? t("describe.can_move") : "";
  return t("describe.held", { place: name, held }) + can;
}
