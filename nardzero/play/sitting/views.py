"""What is shown of plays, judgements and results: plain dictionaries, ready for JSON."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from nardzero.game.matchstate import Player
from nardzero.game.outcomes import Probs
from nardzero.game.play import Play
from nardzero.judge.analysis import Candidate, Evaluation, cumulative
from nardzero.judge.cube import CubeDecision
from nardzero.play.sitting.coach import Tally, Verdict
from nardzero.play.sitting.flow import Result
from nardzero.play.sitting.hand import Move
from nardzero.play.sitting.head import value_of

View = dict[str, Any]
NAMES = MappingProxyType[Player, str]({"x": "you", "o": "bot"})
DIGITS = 5
"""Equities and probabilities are shown to this many places."""


def hops_view(play: Play) -> list[tuple[int, int, bool]]:
    """The hops of a play from the rear, in its own numbering, each with whether it hits."""
    waiting = set(play.hits)
    hops = []
    for source, target in sorted(play.hops, reverse=True):
        hops.append((source, target, target in waiting))
        waiting.discard(target)
    return hops


def move_view(move: Move) -> View:
    """One checker's move that can be made now."""
    return {
        "from": move.source,
        "to": move.target,
        "dice": [step.die for step in move.steps],
        "hits": [step.target for step in move.steps if step.hit],
        "via": [step.target for step in move.steps[:-1]],
    }


def probs_view(probs: Probs) -> View:
    """Outcome probabilities [6], exclusive and cumulative."""
    return {
        "probs": [round(float(probability), DIGITS) for probability in probs],
        "cumulative": {name: round(value, DIGITS) for name, value in cumulative(probs)._asdict().items()},
    }


def ranked_view(candidate: Candidate) -> View:
    """A play, judged."""
    return {
        "play": str(candidate.play),
        "hops": hops_view(candidate.play),
        "equity": round(value_of(candidate), DIGITS),
        "cubeless": round(candidate.equity, DIGITS),
        "mwc": None if candidate.mwc is None else round(candidate.mwc, DIGITS),
        "difference": round(candidate.difference, DIGITS),
        "ply": candidate.ply,
        **probs_view(candidate.probs),
    }


def cube_view(decision: CubeDecision, evaluation: Evaluation | None) -> View:
    """A cube decision, with how the game may end."""
    view = {
        "no_double": round(decision.no_double, DIGITS),
        "double_take": round(decision.double_take, DIGITS),
        "double_pass": round(decision.double_pass, DIGITS),
        "action": decision.action,
        "doubles": decision.doubles,
        "answer": decision.answer,
        "equity": round(decision.equity, DIGITS),
        "mwc": None if decision.mwc is None else [round(chance, DIGITS) for chance in decision.mwc],
    }
    return view if evaluation is None else view | probs_view(evaluation.probs)


def verdict_view(verdict: Verdict) -> View:
    """What the coach says."""
    plays = [ranked_view(play) | {"chosen": str(play.play) == verdict.done} for play in verdict.plays]
    return {
        "decision": verdict.decision,
        "lost": round(verdict.lost, DIGITS),
        "class": verdict.grade,
        "forced": verdict.forced,
        "done": verdict.done,
        "best": verdict.best,
        "plays": plays,
        "cube": None if verdict.cube is None else cube_view(verdict.cube, verdict.evaluation),
    }


def tally_view(tally: Tally) -> View:
    """The running performance rating."""
    return {
        "pr": None if tally.rating is None else round(tally.rating, 2),
        "decisions": tally.decisions,
        "lost": round(tally.lost, DIGITS),
        "errors": tally.errors,
        "blunders": tally.blunders,
    }


def score_view(score_x: int, score_o: int) -> View:
    """Points of both."""
    return {NAMES["x"]: score_x, NAMES["o"]: score_o}


def result_view(result: Result) -> View:
    """A line of the score sheet."""
    return {
        "number": result.number,
        "winner": NAMES[result.winner],
        "kind": result.kind,
        "how": result.how,
        "cube": result.cube,
        "points": result.points,
        "crawford": result.crawford,
        "score": score_view(result.score_x, result.score_o),
    }


def sheet_view(sheet: Sequence[Result]) -> list[View]:
    """The score sheet."""
    return [result_view(result) for result in sheet]
