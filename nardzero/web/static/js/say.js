// Events and results in words.

import { latin, n, plural, t } from "./i18n.js";

/** Two dice in words, the larger one first. */
export function diceText(dice) {
  const [first, second] = dice.toSorted((one, other) => other - one);
  return t("dice", { first, second });
}

/** How a game ended, in words. */
export function resultText({ winner, kind, how, points }) {
  const way = how === "off" ? t(`kind.${kind}`) : t(`how.${how}`);
  return t(`event.game_over.${winner}`, { way, points: plural("points", points) });
}

const SENTENCES = {
  game: ({ game, crawford }) => t(crawford ? "event.game.crawford" : "event.game", { game }),
  opening: ({ you, bot, first }) => t(`event.opening.${first ?? "equal"}`, { you, bot }),
  // What the bot rolled is said with its play.
  rolled: ({ player, dice }) => (player === "bot" ? null : t("event.rolled.you", { dice: diceText(dice) })),
  forced: () => t("event.forced"),
  dance: ({ player, dice }) => t(`event.dance.${player}`, { dice: diceText(dice) }),
  moved: ({ player, dice, play }) => t(`event.moved.${player}`, { dice: diceText(dice), play: latin(play) }),
  doubled: ({ player, cube }) => t(`event.doubled.${player}`, { cube }),
  beavered: ({ player, cube }) => t(`event.beavered.${player}`, { cube }),
  took: ({ player, cube }) => t(`event.took.${player}`, { cube }),
  passed: ({ player }) => t(`event.passed.${player}`),
  resignation: ({ kind, accepted }) =>
    t(accepted ? "event.resignation.accepted" : "event.resignation.refused", { kind: t(`kind.${kind}`) }),
  game_over: ({ result }) => resultText(result),
  match_over: ({ winner, score }) => t(`event.match_over.${winner}`, score),
  saved: ({ file }) => t("event.saved", { file: latin(file) }),
};

/** An event in one sentence; null where nothing is to be said. */
export function sentence(event) {
  return SENTENCES[event.code]?.(event) ?? null;
}

/** A point, a bar or the tray by its name, as the person counts. */
export function placeText(place) {
  if (place === 25) return t("place.your_bar");
  if (place === 0) return t("place.bot_bar");
  return place === "off" ? t("place.off") : t("place.point", { point: n(place) });
}
