"""The six outcomes of a game, exclusive and ordered by what they pay; finished boards.

Letters: N boards. Columns: win a backgammon, win a gammon, win single, lose single, lose a gammon, lose a
backgammon. Seen by the other player the columns are reversed.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.position import CHECKERS, OPPONENT_BAR, Boards

Probs = npt.NDArray[np.float32]

OUTCOMES = ("win backgammon", "win gammon", "win", "lose", "lose gammon", "lose backgammon")
SINGLE, GAMMON, BACKGAMMON = 1, 2, 3


def flip_outcomes(probs: Probs) -> Probs:
    """The same probabilities [..., 6] seen by the other player."""
    return probs[..., ::-1]


def equity(probs: Probs, points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Cubeless equity [...] of outcome probabilities [..., 6] under a ruleset's points [6].

    Equal probabilities have equal equities, to the last bit, so that ties between plays break the same way
    in any batch. A matrix product does not promise that: what it adds first depends on the row's place. And
    losses are taken from the wins of their kind first, so that an even game is worth exactly nothing.
    """
    parts = np.multiply(probs, points, order="F")
    value: npt.NDArray[np.float32] = (parts[..., :3] + parts[..., :2:-1]).sum(-1)
    return value


def exclusive(cumulative: Probs) -> Probs:
    """The six outcome probabilities [..., 6] of the five [..., 5] that other programs tell.

    Theirs include the better kinds of the same result: wins, gammons won, backgammons won, gammons lost,
    backgammons lost. Some nets tell a few more backgammons than gammons; those count as gammons allow.
    """
    wins = cumulative[..., :3]
    losses = np.concatenate([1 - wins[..., :1], cumulative[..., 3:]], axis=-1)
    # From the rarest kind up, so that each difference is what the kind has on its own.
    won, lost = (np.diff(np.minimum.accumulate(side, -1)[..., ::-1], prepend=0) for side in (wins, losses))
    return np.concatenate([won, lost[..., ::-1]], axis=-1)


def drop_impossible(probs: Probs, boards: Boards) -> Probs:
    """In place: gammons that can no longer be become single games, in probabilities [N, 6] of boards [N, 26].

    Nobody loses a gammon once he has borne off a checker (R10).
    """
    own = np.einsum("nc->n", np.maximum(boards, 0))
    opponent = np.einsum("nc->n", np.minimum(boards, 0))
    for saved, single, gammons in ((opponent > -CHECKERS, 2, (0, 1)), (own < CHECKERS, 3, (4, 5))):
        rows = np.flatnonzero(saved)
        for gammon in gammons:
            probs[rows, single] += probs[rows, gammon]
            probs[rows, gammon] = 0
    return probs


def finished(after: Boards) -> npt.NDArray[np.bool_]:
    """Whether the side these boards [..., 26] are seen by has borne off everything, and so won."""
    return np.asarray(~np.any(after > 0, axis=-1))


def win_kind(after: Boards) -> npt.NDArray[np.int64]:
    """1 single, 2 gammon, 3 backgammon [...] for boards [..., 26] that their own side has just won (R10).

    A gammon: the loser has borne off nothing. A backgammon: besides that he still has a checker on the
    bar or in the winner's home board.
    """
    loser = np.minimum(after, 0)
    gammon = loser.sum(-1, dtype=np.int64) == -CHECKERS
    backgammon = gammon & (loser[..., OPPONENT_BAR : OPPONENT_BAR + 7] < 0).any(-1)
    kind: npt.NDArray[np.int64] = SINGLE + gammon.astype(np.int64) + backgammon
    return kind


def won_probs(after: Boards) -> Probs:
    """The certain outcome [N, 6] of boards [N, 26] that their own side has just won."""
    probs = np.zeros((len(after), 6), np.float32)
    probs[np.arange(len(after)), BACKGAMMON - win_kind(after)] = 1
    return probs
