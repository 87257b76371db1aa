"""The table: what the rules make of what two players do, written down as events, records and a score sheet.

It knows no difference between the players; who decides what is the sitting's affair.
"""

import numpy as np

from nardzero.game.board import Kind
from nardzero.game.dice import throw
from nardzero.game.matchstate import MatchState, Player, other
from nardzero.game.play import Play
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.play.matchfile.record import Action, Deed, GameRecord
from nardzero.play.sitting import flow
from nardzero.play.sitting.events import Log
from nardzero.play.sitting.flow import Result
from nardzero.play.sitting.head import Answer
from nardzero.play.sitting.views import NAMES, hops_view, result_view, score_view


class Table:
    """Board, dice, cube and score sheet."""

    def __init__(self, rules: Ruleset, start: MatchState, seed: int | None = None) -> None:
        """A table with the first game dealt. With the same seed the same dice fall."""
        self.rules = rules
        self.log = Log()
        self.sheet: list[Result] = []
        self.games: list[GameRecord] = []
        self.rng = np.random.default_rng(seed)
        self.deal(start)

    @property
    def result(self) -> Result | None:
        """How the present game ended; None while it goes on."""
        return self.sheet[-1] if len(self.sheet) == len(self.games) else None

    @property
    def winner(self) -> Player | None:
        """Who has won the match; None while it goes on, and in money games."""
        return flow.match_winner(self.state, self.result) if self.result else None

    def deal(self, state: MatchState) -> None:
        """Set up a game."""
        self.state = state
        self.games.append(GameRecord(state))
        self.log.clear()
        score = score_view(state.score_x, state.score_o)
        self.log.add("game", game=len(self.games), crawford=state.crawford, score=score)

    def deal_next(self) -> None:
        """Set up the game after the one that has ended."""
        self.deal(flow.next_game(self.state, self.sheet[-1], self.rules))

    def throw(self) -> tuple[int, int]:
        """Throw two dice."""
        first, second = throw(self.rng, 1)[0].tolist()
        return first, second

    def open(self) -> tuple[int, int] | None:
        """Throw one die each until they differ; the higher begins (R2). The dice that he plays, or None where
        he throws his own."""
        while True:
            x, o = self.throw()
            first: Player | None = None if x == o else "x" if x > o else "o"
            self.log.add("opening", **{NAMES["x"]: x, NAMES["o"]: o}, first=first and NAMES[first])
            if first:
                break
        if self.state.on_roll != first:
            self.state = flow.handed_over(self.state)
        return (max(x, o), min(x, o)) if self.rules.opening == "played" else None

    def roll(self, dice: tuple[int, int]) -> None:
        """The player on roll throws these."""
        self.log.add("rolled", player=NAMES[self.state.on_roll], dice=dice)
        self.take_dice(dice)

    def take_dice(self, dice: tuple[int, int]) -> None:
        """The player on roll has these to play, whoever threw them."""
        self.state = flow.rolled(self.state, dice)

    def move(self, play: Play, after: Boards) -> None:
        """The player on roll plays to this board [26], on his side; a dance is played too."""
        mover, dice, before = self.state.on_roll, self.state.dice, self.state
        self._write(mover, "play", dice, play)
        self.state = flow.played(before, after)
        if not play.hops:
            self.log.add("dance", player=NAMES[mover], dice=dice)
            return
        board = flow.seen_by_x(self.state).tolist()
        facts = {"dice": dice, "play": str(play), "hops": hops_view(play), "board": board}
        self.log.add("moved", player=NAMES[mover], **facts)
        if flow.is_won(after):
            self.end(flow.borne_off(before, after, self.rules, len(self.games)))

    def offer(self) -> None:
        """The player on roll offers the cube. Raises NotNow where he may not."""
        self.state = flow.doubled(self.state, self.rules)
        self._write(self.state.on_roll, "double")
        self.log.add("doubled", player=NAMES[self.state.on_roll], cube=2 * self.state.cube)

    def reply(self, answer: Answer) -> None:
        """Whoever was offered the cube answers. Raises NotNow without an offer."""
        replier = self.state.decides
        before, facts = self.state, {"player": NAMES[replier]}
        if answer == "take":
            self.state = flow.taken(before)
            self.log.add("took", **facts, cube=self.state.cube)
        elif answer == "beaver":
            self.state = flow.beavered(before, self.rules)
            self.log.add("beavered", **facts, cube=2 * self.state.cube)
        else:
            ended = flow.passed(before, self.rules, len(self.games))
            self.log.add("passed", **facts)
        self._write(replier, answer)
        if answer == "pass":
            self.end(ended)

    def resign(self, loser: Player, kind: Kind) -> None:
        """A player loses a game of this kind by agreement."""
        self._write(loser, "resign")
        self.end(flow.result(self.state, other(loser), kind, "resign", self.rules, len(self.games)))

    def end(self, result: Result) -> None:
        """Write down how the game ended, and the match with it."""
        self.state = flow.ended(self.state, result)
        self.sheet.append(result)
        self.games[-1].winner, self.games[-1].points = result.winner, result.points
        self.log.add("game_over", result=result_view(result))
        if self.winner:
            score = score_view(result.score_x, result.score_o)
            self.log.add("match_over", winner=NAMES[self.winner], score=score)

    def _write(
        self, player: Player, deed: Deed, dice: tuple[int, int] | None = None, play: Play | None = None
    ) -> None:
        self.games[-1].actions.append(Action(player, deed, dice, play))
