// The sentence under the board: what is expected of the person now.

import { t } from "./i18n.js";
import { diceText, resultText, sentence } from "./say.js";

/** What to do now; `danced` is the event of a turn that was just lost, if any. */
export function statusText(snapshot, danced) {
  const note = danced ? `${sentence(danced)} ` : "";
  return note + expected(snapshot);
}

function expected(snapshot) {
  const { phase, actions, dice, forced, cube, result, winner } = snapshot;
  if (phase === "opening") return t("status.opening");
  if (phase === "roll") return t(actions.includes("double") ? "status.roll_or_double" : "status.roll");
  if (phase === "answer") return t(`status.answer.${cube.offered.kind}`, { value: cube.offered.value });
  if (phase === "over") return `${resultText(result)} ${t("status.next")}`;
  if (phase === "finished") return t(`status.finished.${winner}`, snapshot.score);
  if (actions.includes("done")) return t(forced ? "status.done_forced" : "status.done");
  const rolled = diceText(dice.rolled);
  return t(forced ? "status.forced" : "status.play", { dice: rolled });
}
