"""A person who clicks at random, and bots that do as they are told."""

import random

from nardzero.game.board import KINDS
from nardzero.game.matchstate import MatchState
from nardzero.game.rules import RULESETS
from nardzero.play.agents import EvaluatorAgent, RandomAgent
from nardzero.play.sitting import flow
from nardzero.play.sitting.head import Answer, Head
from nardzero.play.sitting.sitting import Sitting


class ToldHead(Head):
    """Plays at random; whether it doubles, what it answers and whether it lets one resign is told."""

    def __init__(
        self, rules: str = "standard", doubles: bool = False, says: Answer = "take", lenient: bool = True
    ):
        super().__init__(RandomAgent(), RULESETS[rules])
        self._doubles, self._says, self._lenient = doubles, says, lenient

    def doubles(self, state: MatchState) -> bool:
        return self._doubles

    def answer(self, state: MatchState) -> Answer:
        possible = self._says != "beaver" or flow.may_beaver(state, self.rules)
        return self._says if possible else "take"

    def accepts(self, state: MatchState, kind) -> bool:
        return self._lenient


def judging_head(judge, rules: str = "standard") -> Head:
    """A bot that decides by an evaluator."""
    return Head(EvaluatorAgent(judge, "judge", RULESETS[rules]), RULESETS[rules])


def sit(head: Head, length: int = 5, seed: int = 0, **settings) -> Sitting:
    """A sitting at its opening roll; `jacoby` and `beavers` are terms, the rest goes to the sitting."""
    terms = {name: settings.pop(name, False) for name in ("jacoby", "beavers")}
    return Sitting(flow.start(head.rules, length, **terms), head.rules, head, seed=seed, **settings)


QUIET = {"hint", "coach", "bot"}


def click(sitting: Sitting, person: random.Random, resigns: float = 0.005) -> str:
    """Take one possible action at random, and say which; those that end games or go nowhere are rare."""
    rare = {"undo": 0.2, "swap": 0.2, "double": 0.1, "pass": 0.3, "resign": resigns}
    possible = [action for action in sitting.actions if action not in QUIET]
    action = person.choice([one for one in possible if person.random() < rare.get(one, 1)] or possible[:1])
    if action == "step":
        move = person.choice(sitting.hand.moves())
        sitting.step(move.source, person.choice([None, move.target]))
    elif action in ("take", "pass", "beaver"):
        sitting.answer(action)
    elif action == "resign":
        sitting.resign(person.choice(KINDS))
    else:
        getattr(sitting, action)()
    return action


def play_out(sitting: Sitting, person: random.Random, games: int = 5) -> None:
    """Click until the match is over, or so many games of it."""
    for _ in range(20_000):
        if sitting.phase == "finished" or (sitting.phase == "over" and len(sitting.table.games) == games):
            return
        click(sitting, person)
    raise AssertionError("the game does not end")
