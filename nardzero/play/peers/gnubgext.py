"""GNU Backgammon as it is installed from Debian, with the cube and at any score.

It is a program of its own (gnubgserver.py) that is told a position in a line as FIBS, the backgammon server,
writes boards (its boardstyle 3), and answers with a play or with what to do about the cube. Its nets are a
little older than those of gnubg-nn. Letters in shapes: N games.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.position import BAR, CHECKERS, OPPONENT_BAR
from nardzero.game.rules import Ruleset
from nardzero.judge.doubling import OPPONENTS, OWNED
from nardzero.judge.standing import AFTER, Bools, Standing
from nardzero.play.agents import Turn
from nardzero.play.cubeagents import BeforeRoll
from nardzero.play.peers.engine import STANDARD, StrangePlay, check_rules, first_legal
from nardzero.play.peers.gnubgserver import Server, Settings, server

NO_DICE = (0, 0)
"""Before the roll."""
OFF = 0
"""Where a checker goes that is borne off, as it writes plays; the bar is 25, as with us."""


@dataclass(frozen=True)
class GnubgExt:
    """GNU Backgammon at some plies: plays by cubeful equity where there is a cube, else by cubeless equity.

    With lookahead it leaves out candidates by filters of its own, as its users know it. It takes where it
    could beaver.
    """

    ply: int
    """How far it looks ahead; 0 is the bare net."""

    @property
    def name(self) -> str:
        return f"gnubg-ext:{self.ply}"

    @property
    def rules(self) -> Ruleset:
        return STANDARD

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        check_rules(self.name, turn.rules)
        engine = self._engine(turn.standing is not None)
        standing = turn.standing or Standing.money(len(turn.boards))
        chosen = turn.starts[:-1].copy()
        for game in np.flatnonzero(np.diff(turn.starts) > 1).tolist():
            board, dice = turn.boards[game].tolist(), turn.dice[game].tolist()
            answer = engine.ask(fibs_line(board, dice, standing, game))
            chosen[game] = first_legal(turn, game, [after_play(board, answer)])
        return chosen

    def offer(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        """Which of the players on roll double [N]; see `CubeAgent`."""
        return np.array([word == "double" for word in self._words(before, False)], np.bool_)

    def take(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        """Which of these doubles the opponent takes [N]; see `CubeAgent`."""
        return np.array([word != "drop" for word in self._words(before, True)], np.bool_)

    def _words(self, before: BeforeRoll, doubled: bool) -> list[str]:
        """Its word about each cube [N]."""
        check_rules(self.name, before.rules)
        engine = self._engine(True)
        lines = (
            fibs_line(board, NO_DICE, before.standing, game, doubled)
            for game, board in enumerate(before.boards.tolist())
        )
        return [engine.ask(line) for line in lines]

    def _engine(self, cubeful: bool) -> Server:
        return server(Settings(self.ply, cubeful))


def fibs_line(
    board: Sequence[int], dice: Sequence[int], standing: Standing, game: int, doubled: bool = False
) -> str:
    """A position of ours as a line of FIBS, told by the player on roll, who may have `doubled`.

    After the names: match length and points won; bar, points and bar of a player whose checkers are positive
    and go down; whose turn it is; dice, twice; cube; who may double; whether that was done; then colour,
    direction and places that say how to read the board; checkers off and on the bar, each the own first; and
    the last but one and two would be 0 in the Crawford game alone.
    """
    length = standing.length
    away, theirs = standing.away[game], standing.other[game]
    scores = (length - away, length - theirs) if length else (0, 0)
    if not doubled:
        # It takes the first for the opponent's, unless there is a double to answer.
        scores = scores[::-1]
    place = standing.place[game]
    may = int(place != OPPONENTS), int(place != OWNED)
    own, opponent = sum(c for c in board if c > 0), -sum(c for c in board if c < 0)
    fields = [
        *(length, *scores),
        *board,
        *(1, *dice, *dice, standing.cube[game], *may, int(doubled)),
        *(1, -1, 0, BAR, CHECKERS - own, CHECKERS - opponent, board[BAR], -board[OPPONENT_BAR]),
        *(0, 0, 0, int(standing.phase[game] == AFTER)),
    ]
    jacoby = " jacobyrule on" if standing.jacoby else ""
    return f"board:we:they:{':'.join(map(str, fields))}{jacoby}"


def after_play(board: Sequence[int], play: str) -> bytes:
    """The bytes of the board after a play that it wrote, such as `25/20 8/7*`, one checker a step.

    Raises StrangePlay for something else.
    """
    after = list(board)
    try:
        for step in play.replace("*", "").split():
            start, end = map(int, step.split("/"))
            after[start] -= 1
            if end != OFF:
                if after[end] == -1:
                    after[end] = 0
                    after[OPPONENT_BAR] -= 1
                after[end] += 1
    except (ValueError, IndexError):
        raise StrangePlay(f"GNU Backgammon answers {play!r}, which is no play") from None
    return np.array(after, np.int8).tobytes()
