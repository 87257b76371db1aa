"""Luck with the cube: what the dice gave in points of a money game, or in chances to win a match.

As without the cube (see luck.py), it is the value of the best play with a roll less the mean of that over
all rolls, and 0 on average whatever the values are. Here they are what Janowski's formula, and in matches the
match equity table, make of an evaluator's probabilities; the better that fits what the players do with the
cube, the more noise it takes away. Letters in shapes: N positions, none of whose games is over.
"""

import numpy as np

from nardzero.game.bits import pad
from nardzero.game.dice import WEIGHTS, Dice, roll_index
from nardzero.game.outcomes import Probs, flip_outcomes
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.janowski import EFFICIENCY, Stakes, Values, janowski
from nardzero.judge.luck import all_replies, roll_chances
from nardzero.judge.replies import KINDS
from nardzero.judge.scorejudge import Judged, ScoreJudge
from nardzero.judge.standing import Bools, Standing
from nardzero.model.evaluator import Evaluator


def cube_luck(
    judge: Evaluator, boards: Boards, dice: Dice, standing: Standing, rules: Ruleset, opening: Bools
) -> Values:
    """The luck [N] of the players on roll in positions [N, 26] who rolled dice [N, 2], with the cube and the
    score as they see them: in points, in matches in chances to win the match.

    `opening` says whose rolls [N] are the first of a game.
    """
    rows = np.arange(len(boards))
    replies = all_replies(judge, pad(boards), rules, getattr(judge, "sieve", None))
    by_formula = ScoreJudge(judge, rules, efficiency=EFFICIENCY)
    worth = _worth(by_formula, replies.probs.reshape(-1, 6), standing.take(np.repeat(rows, KINDS)))
    worth = worth.reshape(-1, KINDS)
    mean = np.where(opening, worth @ roll_chances(rules, opening=True), worth @ WEIGHTS)
    luck: Values = worth[rows, roll_index(dice)] - mean
    return luck


def _worth(judge: ScoreJudge, probs: Probs, standing: Standing) -> Values:
    """What outcome probabilities [N, 6] after a play are worth [N], with cube and score [N], all of them seen
    by the player who made it."""
    theirs = flip_outcomes(probs)
    judged = Judged(theirs, janowski(Stakes.of(theirs, judge.rules.points), EFFICIENCY))
    opponents = judge.worth(judged, standing.turned())
    return 1 - opponents if standing.length else -opponents * standing.cube
