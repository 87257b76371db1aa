"""The coach: what each decision of the person gave away, and a running performance rating."""

from dataclasses import dataclass, replace
from typing import Literal

from nardzero.game.matchstate import MatchState
from nardzero.game.play import Play
from nardzero.judge.analysis import Candidate, Evaluation
from nardzero.judge.cube import CubeDecision
from nardzero.play.sitting.flow import before_offer
from nardzero.play.sitting.head import Answer, Head, value_of

Grade = Literal["fine", "error", "blunder"]
Kind = Literal["play", "double", "answer"]

ERROR, BLUNDER = 0.02, 0.08
"""From which loss on, in points per unit of the cube, a decision is an error and a blunder."""
CLEAR = 0.2
"""A cube decision that is right by more than this is no question, and does not count."""
RATING = 500
"""The performance rating is this times the mean loss, as eXtreme Gammon counts it."""


@dataclass(frozen=True)
class Verdict:
    """What the coach says about one decision."""

    decision: Kind
    """What was decided."""
    done: str
    """What the person did, as written."""
    best: str
    """What was best."""
    lost: float
    """Points per unit of the cube that the decision gave away, 0 or more."""
    forced: bool
    """Whether there was no choice, or none worth the name; then it does not count."""
    plays: tuple[Candidate, ...] = ()
    """For a play: the best ones, and the one that was made."""
    cube: CubeDecision | None = None
    """For a cube decision: what it would bring."""
    evaluation: Evaluation | None = None
    """For a cube decision: how the game may end, for the player who may double."""

    @property
    def grade(self) -> Grade:
        """Whether that was fine, an error or a blunder."""
        return "blunder" if self.lost >= BLUNDER else "error" if self.lost >= ERROR else "fine"


@dataclass
class Tally:
    """The decisions that counted so far."""

    decisions: int = 0
    lost: float = 0.0
    errors: int = 0
    blunders: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count a verdict, unless it was forced."""
        if verdict.forced:
            return
        self.decisions += 1
        self.lost += verdict.lost
        self.errors += verdict.grade == "error"
        self.blunders += verdict.grade == "blunder"

    @property
    def rating(self) -> float | None:
        """The performance rating; None before the first decision that counts."""
        return RATING * self.lost / self.decisions if self.decisions else None


def judge_play(head: Head, state: MatchState, play: Play, top: int = 5) -> Verdict | None:
    """What a play of the state's dice gave away; None where the bot cannot judge."""
    ranked = head.plays(state)
    if not ranked:
        return None
    made = next(candidate for candidate in ranked if candidate.play == play)
    if made.ply < ranked[0].ply:
        made = head.judged(state, made)
    lost = max(0.0, value_of(ranked[0]) - value_of(made))
    made = replace(made, difference=-lost)
    best = ranked[:top]
    shown = [made if candidate.play == play else candidate for candidate in best]
    if all(candidate.play != play for candidate in best):
        shown = [*best[: top - 1], made]
    forced = len(ranked) == 1
    return Verdict("play", str(play), str(ranked[0].play), lost, forced, tuple(shown))


def judge_double(head: Head, state: MatchState, doubled: bool) -> Verdict | None:
    """What doubling, or rolling without, gave away; None where the bot cannot judge."""
    decision = head.cube(state)
    if decision is None:
        return None
    gap = decision.doubled - decision.no_double
    lost = max(0.0, -gap if doubled else gap)
    words = ("double" if doubled else "roll", "double" if decision.doubles else "roll")
    forced = words[0] == words[1] and abs(gap) > CLEAR
    return Verdict(
        "double", *words, lost if words[0] != words[1] else 0.0, forced, (), decision, head.evaluation(state)
    )


def judge_answer(head: Head, state: MatchState, answer: Answer, beavers: bool) -> Verdict | None:
    """What an answer to the double or beaver on offer gave away; None where the bot cannot judge."""
    before = before_offer(state)
    decision = head.cube(before)
    if decision is None:
        return None
    costs = _costs(decision, state.offered == "beaver", beavers)
    best = min(costs, key=lambda word: costs[word])
    lost = costs[answer] - costs[best]
    others = [cost for word, cost in costs.items() if word != best]
    forced = answer == best and min(others) - costs[best] > CLEAR
    return Verdict("answer", answer, best, lost, forced, (), decision, head.evaluation(before))


def _costs(decision: CubeDecision, beavered: bool, beavers: bool) -> dict[Answer, float]:
    """What each answer costs him who gives it, per unit of the cube before the double."""
    if beavered:
        return {"take": -2 * decision.double_take, "pass": 2 * decision.double_pass}
    costs: dict[Answer, float] = {"take": decision.double_take, "pass": decision.double_pass}
    return costs | {"beaver": 2 * decision.double_take} if beavers else costs
