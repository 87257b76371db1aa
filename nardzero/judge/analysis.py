"""What an evaluator thinks of a position, and of every play that a roll allows.

All numbers are for the player on roll; 0-ply is the evaluator's own opinion, more is lookahead. Equities are
in points, as the ruleset pays, without the cube; where cube and score are known, plays are ranked by what
they are worth with them. Finished games get their exact outcome.
"""

from dataclasses import dataclass
from typing import NamedTuple

from nardzero.game.board import Board
from nardzero.game.errors import InvalidDice, InvalidInput
from nardzero.game.legal import LegalPlays, legal_plays
from nardzero.game.matchstate import MatchState
from nardzero.game.outcomes import Probs, equity, finished, flip_outcomes, won_probs
from nardzero.game.play import Play
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.judge.exact import exact
from nardzero.judge.lookahead import Lookahead, lookahead
from nardzero.judge.met.table import MatchEquityTable
from nardzero.judge.ranking import AtScore, Ranked
from nardzero.judge.scorejudge import ScoreJudge
from nardzero.judge.standing import Standing
from nardzero.model.evaluator import Evaluator, after_probs


class Cumulative(NamedTuple):
    """The five probabilities that other programs print: each includes the better kinds of the same result."""

    win: float
    """Wins of any kind."""
    win_gammon: float
    """Gammons and backgammons won."""
    win_backgammon: float
    """Backgammons won."""
    lose_gammon: float
    """Gammons and backgammons lost."""
    lose_backgammon: float
    """Backgammons lost."""


def cumulative(probs: Probs) -> Cumulative:
    """The five cumulative probabilities of six exclusive ones [6]."""
    backgammon, gammon, single, _, lost_gammon, lost_backgammon = (float(p) for p in probs)
    return Cumulative(
        backgammon + gammon + single,
        backgammon + gammon,
        backgammon,
        lost_gammon + lost_backgammon,
        lost_backgammon,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """A position before the roll, judged for the player on roll."""

    probs: Probs
    """The six exclusive outcome probabilities [6], in the order of OUTCOMES."""
    equity: float
    """The points he may expect, without the cube."""
    exact: bool = False
    """Whether that is no judgement but known: the game is over, or in a bear-off table that is exact."""

    @property
    def cumulative(self) -> Cumulative:
        """The same probabilities as other programs print them."""
        return cumulative(self.probs)

    def __str__(self) -> str:
        return f"{self.equity:+.3f}  {percents(self.probs)}"

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True, eq=False, repr=False)
class Candidate:
    """A legal play, judged for the player who makes it."""

    play: Play
    """The play."""
    after: Boards
    """The board [26] it leads to, still on the mover's side."""
    equity: float
    """The points he may expect after it, without the cube."""
    difference: float
    """What ranks it less that of the best play, in points: 0 for the best, else 0 or negative, unless it was
    judged at a lower ply than the best."""
    probs: Probs
    """The six exclusive outcome probabilities [6], in the order of OUTCOMES."""
    ply: int = 0
    """How many plies of lookahead it was judged with."""
    exact: bool = False
    """Whether that is no judgement but known: the play ends the game, or a bear-off table has it."""
    cubeful: float | None = None
    """The points per unit of the cube that he may expect, at the score in EMG; it ranks the plays. None where
    only the board is known, and `equity` ranks them."""
    mwc: float | None = None
    """His chance to win the match; None where there is none."""

    @property
    def cumulative(self) -> Cumulative:
        """The same probabilities as other programs print them."""
        return cumulative(self.probs)

    def __str__(self) -> str:
        value = self.equity if self.cubeful is None else self.cubeful
        return f"{self.play}  {value:+.3f} ({self.difference:+.3f})  {percents(self.probs)}"

    def __repr__(self) -> str:
        return f"<{self}>"


def evaluate(board: Board, bot: Evaluator, ply: int = 0) -> Evaluation:
    """The position judged for the player on roll, before he rolls; dice on the board are left aside.

    Raises InvalidInput for a ply that cannot be, and for something that judges nothing, such as the name of a
    bot that is not loaded.
    """
    _check_judge(bot)
    judge = lookahead(bot, ply, board.rules)
    position = board.position[None]
    # Seen by the opponent, who has just played: so a game that he has finished is exact too.
    probs = flip_outcomes(after_probs(judge, flip(position)))
    if finished(position)[0]:
        probs = won_probs(position)
    sure = board.is_over or bool(exact(judge, position)[0])
    return Evaluation(probs[0], float(equity(probs, board.rules.points)[0]), sure)


def analyse(
    position: Board | MatchState,
    bot: Evaluator,
    dice: tuple[int, int] | None = None,
    top: int | None = None,
    ply: int = 0,
    *,
    rules: str | Ruleset | None = None,
    efficiency: float | None = None,
    table: MatchEquityTable | None = None,
) -> list[Candidate]:
    """Every legal play from the best to the worst, or the `top` best; none where the game is over.

    The plays of a board are ranked by equity without the cube, those of a MatchState by what they are worth
    with its cube, at its score, where the opponent doubles if he may and it pays; `efficiency` and `table`
    are as for `cube`. With lookahead, plays that a shallower look puts far behind are not looked at further;
    they come after those that are. The dice are those given, or else those of the position.

    Raises InvalidDice for dice that are none or missing, InvalidInput for a `top` or `ply` that cannot be and
    for something that judges nothing, InvalidTable for a match that is longer than the table.
    """
    _check_judge(bot)
    board = position
    if isinstance(position, MatchState):
        board = Board(rules or "standard", position.board, position.on_roll, position.dice)
    assert isinstance(board, Board)
    rolled = dice or board.dice
    if rolled is None:
        raise InvalidDice("there are no dice to play: roll them on the board, or give them")
    if top is not None and top < 1:
        raise InvalidInput(f"the number of plays asked for is 1 or more, not {top}")
    legal = legal_plays(board.position, rolled, board.rules)
    if board.is_over:
        return []
    judge = lookahead(bot, ply, board.rules)
    score = None
    if isinstance(position, MatchState):
        base = judge.base if isinstance(judge, Lookahead) else judge
        score = AtScore(ScoreJudge(base, board.rules, table, efficiency), Standing.of(position, board.rules))
    ranked = Ranked.of(judge, board.position, legal.after, board.rules, score)
    return [_candidate(legal, ranked, index) for index in ranked.order[:top].tolist()]


def _candidate(legal: LegalPlays, ranked: Ranked, index: int) -> Candidate:
    """One of the plays, for people."""
    return Candidate(
        play=legal[index],
        after=legal.after[index],
        equity=float(ranked.equities[index]),
        difference=float(ranked.values[index] - ranked.values[ranked.order[0]]),
        probs=ranked.probs[index],
        ply=int(ranked.plies[index]),
        exact=bool(ranked.exact[index]),
        cubeful=None if ranked.cubeful is None else float(ranked.cubeful[index]),
        mwc=None if ranked.mwc is None else float(ranked.mwc[index]),
    )


def _check_judge(bot: Evaluator) -> None:
    if not hasattr(bot, "evaluate"):
        raise InvalidInput(f"{bot!r} cannot judge positions; give a loaded bot, as from nardzero.load")


def percents(probs: Probs) -> str:
    """Probabilities [6] as people read them."""
    return " ".join(f"{probability:.1%}" for probability in probs)
