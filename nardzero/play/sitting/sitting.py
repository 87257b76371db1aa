"""A person and a bot at one table: every action that the person may take, and what the bot does about it.

The person is x and the bot is o. An action that is not possible now is refused and changes nothing.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from nardzero.game.board import Kind
from nardzero.game.errors import InvalidPosition
from nardzero.game.matchstate import MatchState, Player
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.play.sitting import coach, flow
from nardzero.play.sitting.coach import Tally, Verdict
from nardzero.play.sitting.flow import NotNow
from nardzero.play.sitting.hand import Hand
from nardzero.play.sitting.head import Answer, Head
from nardzero.play.sitting.table import Table
from nardzero.play.sitting.views import NAMES, View, cube_view, ranked_view, verdict_view

Phase = Literal["opening", "roll", "play", "answer", "over", "finished"]
"""What is waited for: the opening roll, the person's roll, play or answer, the next game; or nothing more."""

MOMENTS: Mapping[Phase, str] = MappingProxyType(
    {
        "opening": "the game begins with the opening roll",
        "roll": "it is your turn to roll",
        "play": "you have dice to play",
        "answer": "a double awaits your answer",
        "over": "the game is over, and the next can begin",
        "finished": "the match is over",
    }
)
YOU: Player = "x"
BOT: Player = "o"
HINTS = 5
"""How many plays a hint names."""


class Sitting:
    """A match, or a money session, between a person and a bot."""

    def __init__(
        self,
        start: MatchState,
        rules: Ruleset,
        head: Head,
        *,
        goes_on: bool = False,
        coached: bool = False,
        seed: int | None = None,
    ) -> None:
        """Begin with the opening roll of a game, or where it `goes_on` from any moment of one.

        With the same seed and the same actions the same happens. Raises InvalidPosition for a moment from
        which no game goes on.
        """
        if goes_on:
            _check(start)
        self.table = Table(rules, start, seed)
        self.head = head
        self.coached = coached and head.judge is not None
        self.tally = Tally()
        self.hand: Hand | None = None
        self.opening = not goes_on
        self.set_up = goes_on
        if goes_on:
            self._go_on()

    @property
    def state(self) -> MatchState:
        """The match as it stands, before the play that the person has begun."""
        return self.table.state

    @property
    def your_board(self) -> Boards:
        """The board [26] on the person's side, with the steps that he has made."""
        return self.hand.board if self.hand else flow.seen_by_x(self.state)

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if self.table.result:
            return "finished" if self.table.winner else "over"
        if self.opening:
            return "opening"
        if self.hand:
            return "play"
        return "answer" if self.state.offered else "roll"

    @property
    def actions(self) -> list[str]:
        """What the person may do now."""
        phase, hand = self.phase, self.hand
        going_on = phase != "finished"
        doubles = phase == "roll" and flow.may_double(self.state, self.table.rules)
        judged = self.head.judge is not None
        possible = {
            "roll": phase in ("opening", "roll"),
            "double": doubles,
            "step": hand is not None and not hand.complete,
            "swap": hand is not None and not hand.complete and len(set(hand.left)) > 1,
            "undo": hand is not None and len(hand.steps) > 0,
            "done": hand is not None and hand.complete,
            "take": phase == "answer",
            "pass": phase == "answer",
            "beaver": phase == "answer" and flow.may_beaver(self.state, self.table.rules),
            "resign": phase in ("roll", "play"),
            "next": phase == "over",
            "hint": judged and (doubles or phase in ("play", "answer")),
            "coach": judged and going_on,
            "bot": going_on,
        }
        return [action for action, is_possible in possible.items() if is_possible]

    def roll(self) -> None:
        """Throw the dice: the opening roll, or the person's own. Raises NotNow."""
        self._require("roll")
        if self.opening:
            self._open()
            return
        if flow.may_double(self.state, self.table.rules):
            self._coach(lambda: coach.judge_double(self.head, self.state, False))
        self._roll()

    def step(self, source: int, target: int | None = None) -> None:
        """Move a checker; without a target by the first die that it can use. Raises IllegalPlay or NotNow."""
        self._playing("step").step(source, target)

    def swap(self) -> None:
        """Use the other die first. Raises IllegalPlay where there is no other, or NotNow."""
        self._playing("swap").swap()

    def undo(self, everything: bool = False) -> None:
        """Take back the last step, or all. Raises IllegalPlay where there is none, or NotNow."""
        self._playing("undo").undo(everything)

    def done(self) -> None:
        """Pick up the dice: the play stands. Raises IllegalPlay before it is complete, or NotNow."""
        hand = self._playing("done")
        play, after = hand.play, hand.after
        self._coach(lambda: coach.judge_play(self.head, self.state, play))
        self.hand = None
        self.table.move(play, after)
        self._bot_turn()

    def double(self) -> None:
        """Offer the cube; the bot answers. Raises NotNow."""
        self._require("double")
        self._coach(lambda: coach.judge_double(self.head, self.state, True))
        self.table.offer()
        self.table.reply(self.head.answer(self.state))

    def answer(self, answer: Answer) -> None:
        """Take or pass what the bot offers, or turn the cube once more. Raises NotNow."""
        self._require(answer)
        beavers = flow.may_beaver(self.state, self.table.rules)
        self._coach(lambda: coach.judge_answer(self.head, self.state, answer, beavers))
        self.table.reply(answer)
        if answer == "beaver":
            self.table.reply(self.head.answer(self.state))
        if not self.table.result and self.state.on_roll == BOT:
            self._bot_rolls()

    def resign(self, kind: Kind) -> None:
        """Offer to lose a game of this kind; the bot lets the person go if playing on promises it no more.

        Raises NotNow.
        """
        self._require("resign")
        accepted = self.head.accepts(self.state, kind)
        self.table.log.add("resignation", player=NAMES[YOU], kind=kind, accepted=accepted)
        if accepted:
            self.hand = None
            self.table.resign(YOU, kind)

    def next(self) -> None:
        """Begin the next game. Raises NotNow."""
        self._require("next")
        self.table.deal_next()
        self.opening = True

    def change_bot(self, head: Head) -> None:
        """Let another bot, or the same at another ply, go on for the bot. Raises NotNow."""
        self._require("bot")
        self.head = head
        self.coached = self.coached and head.judge is not None

    def coach(self, on: bool) -> None:
        """Switch the coach on or off. Raises NotNow where the bot cannot judge."""
        self._require("coach")
        self.coached = on

    def hint(self) -> View:
        """What the bot would do in the person's place. Raises NotNow where there is nothing to decide."""
        self._require("hint")
        if self.hand:
            plays = self.head.plays(self.state, HINTS)
            return {"kind": "play", "plays": [ranked_view(play) for play in plays]}
        before = flow.before_offer(self.state)
        decision = self.head.cube(before)
        if decision is None:
            raise NotNow("the cube cannot be used here, so there is nothing to decide")
        return {"kind": "cube", "cube": cube_view(decision, self.head.evaluation(before))}

    def _require(self, action: str) -> None:
        if action not in self.actions:
            raise NotNow(f"{action} is not possible now: {MOMENTS[self.phase]}")

    def _playing(self, action: str) -> Hand:
        """The dice in the person's hand. Raises NotNow where he has none."""
        if self.hand is None:
            self._require(action)
            raise NotNow("there are no dice to play")
        return self.hand

    def _coach(self, judge: Callable[[], Verdict | None]) -> None:
        verdict = judge() if self.coached else None
        if verdict:
            self.tally.add(verdict)
            self.table.log.add("judged", **verdict_view(verdict))

    def _open(self) -> None:
        self.opening = False
        dice = self.table.open()
        if dice is None:
            self._your_turn_or_bots()
        elif self.state.on_roll == YOU:
            self._take(dice)
        else:
            self.table.take_dice(dice)
            self._bot_plays()

    def _go_on(self) -> None:
        """From a state that was set up, up to the person's first decision."""
        state = self.state
        if state.dice and state.on_roll == YOU:
            self._take(state.dice)
        elif state.dice:
            self._bot_plays()
        elif state.offered and state.decides == BOT:
            self.table.reply(self.head.answer(state))
            self._your_turn_or_bots()
        elif not state.offered:
            self._your_turn_or_bots()

    def _your_turn_or_bots(self) -> None:
        if self.state.on_roll == BOT and not self.table.result and not self.state.offered:
            self._bot_turn()

    def _roll(self) -> None:
        dice = self.table.throw()
        self.table.roll(dice)
        self._take(dice)

    def _take(self, dice: tuple[int, int]) -> None:
        """The person has these dice to play; if nothing moves, the turn is over."""
        self.table.take_dice(dice)
        hand = Hand(self.state.board, dice, self.table.rules)
        if hand.dances:
            self.table.move(hand.play, hand.after)
            self._bot_turn()
            return
        self.hand = hand
        if hand.forced:
            self.table.log.add("forced", player=NAMES[YOU])

    def _bot_turn(self) -> None:
        """The bot's turn, if the game goes on: it doubles and waits for the answer, or rolls and plays."""
        if self.table.result:
            return
        if flow.may_double(self.state, self.table.rules) and self.head.doubles(self.state):
            self.table.offer()
        else:
            self._bot_rolls()

    def _bot_rolls(self) -> None:
        self.table.roll(self.table.throw())
        self._bot_plays()

    def _bot_plays(self) -> None:
        play, after = self.head.play(self.state, self.table.rng)
        self.table.move(play, after)


def _check(state: MatchState) -> None:
    """Raise InvalidPosition for a moment from which no game goes on."""
    if flow.is_won(state.board) or flow.is_won(flow.handed_over(state).board):
        raise InvalidPosition("the game is over in this position, so it cannot be played on")
    if state.game != "playing" or state.resigned:
        raise InvalidPosition("no game is being played here: it has not begun, is over or resigned")
    if state.offered == "raccoon":
        raise InvalidPosition("a raccoon is on offer here, and that is not played here")
