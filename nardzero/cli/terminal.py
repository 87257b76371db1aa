"""A sitting in the terminal: the board drawn, what happens told, actions and moves typed."""

import sys
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import get_args

from nardzero.cli.sentences import sentence
from nardzero.game.board import KINDS, Kind
from nardzero.game.diagram import draw
from nardzero.game.errors import IllegalPlay, InvalidInput
from nardzero.game.play import Play
from nardzero.game.written import resolve
from nardzero.play.sitting.sitting import Phase, Sitting
from nardzero.play.sitting.snapshot import ids, snapshot

HELP = """\
Type moves like 8/5 6/5, bar/22 or 6/off; one checker at a time will do, and undo
takes it back. Other words: roll, double, take, pass, beaver, resign (single,
gammon or backgammon), next, hint, coach, board, id, help, quit."""
ASKED: Mapping[Phase, str] = MappingProxyType(
    {
        "opening": "roll for the opening",
        "roll": "roll",
        "play": "your move",
        "answer": "take or pass",
        "over": "next for another game",
        "finished": "",
    }
)
assert set(ASKED) == set(get_args(Phase))
ENDS = ("quit", "exit", "q")


class Terminal:
    """A person who types, and a sitting that answers."""

    def __init__(self, sitting: Sitting, show: Callable[[str], None]) -> None:
        self.sitting = sitting
        self._show = show
        self._told = 0

    def run(self, lines: Iterator[str]) -> None:
        """Play until the match is over, the person quits, or there is nothing more to read."""
        self._show(HELP)
        self._tell()
        while self.sitting.phase != "finished":
            line = next(lines, None)
            words = line.lower().split() if line is not None else [ENDS[0]]
            if words and words[0] in ENDS:
                score = snapshot(self.sitting)["score"]
                self._show(f"Good-bye. The score: you {score['you']}, the bot {score['bot']}.")
                return
            if words:
                self._do(words)

    @property
    def asked(self) -> str:
        """What the person is asked for now."""
        dice = self.sitting.hand.left if self.sitting.hand else ()
        return f"{ASKED[self.sitting.phase]}{''.join(f' {die}' for die in dice)}"

    def _do(self, words: list[str]) -> None:
        try:
            self._act(*words)
        except InvalidInput as fault:
            self._show(f"No: {fault}.")
        self._tell()

    def _act(self, word: str, *rest: str) -> None:
        """Do what a line says. Raises InvalidInput, with the reason, where that is not possible."""
        sitting = self.sitting
        simple = {"roll": sitting.roll, "double": sitting.double, "undo": sitting.undo, "next": sitting.next}
        shown = {"help": lambda: HELP, "board": self._board, "id": self._ids, "hint": self._hint}
        if word in shown and not rest:
            self._show(shown[word]())
        elif word in simple and not rest:
            simple[word]()
        elif word in ("take", "pass", "beaver") and not rest:
            sitting.answer("take" if word == "take" else "pass" if word == "pass" else "beaver")
        elif word == "resign":
            sitting.resign(_kind(rest))
        elif word == "coach" and not rest:
            sitting.coach(not sitting.coached)
            self._show(f"The coach is {'on' if sitting.coached else 'off'}.")
        else:
            self._play(" ".join((word, *rest)))

    def _play(self, written: str) -> None:
        """Move checkers; a turn that is complete with it is over."""
        hand = self.sitting.hand
        play = Play.parse(written)
        if hand is None:
            raise IllegalPlay("there are no dice to play")
        made = len(hand.steps)
        try:
            if made:
                raise IllegalPlay("")
            hand.follow(resolve(play, hand.legal)[0])
        except IllegalPlay as whole:
            try:
                for source, target in play.hops:
                    hand.step(source, target)
            except IllegalPlay as part:
                while len(hand.steps) > made:
                    hand.undo()
                raise IllegalPlay(str(whole) or str(part)) from None
        if hand.complete:
            self.sitting.done()

    def _tell(self) -> None:
        """What has happened since, and the board wherever there is something to decide."""
        log = self.sitting.table.log
        events = log.since(self._told)
        self._told = log.last
        for event in events:
            self._show(sentence(event.to_json()))
        if events and self.sitting.phase in ("roll", "play", "answer"):
            self._show(self._board())

    def _board(self) -> str:
        view = snapshot(self.sitting)
        hand = self.sitting.hand
        drawn = draw(self.sitting.your_board, hand.dice if hand else None, "x")
        cube = view["cube"]
        if cube is None:
            return drawn
        holder = {None: "in the middle", "you": "yours", "bot": "the bot's"}[cube["owner"]]
        return f"{drawn}\nThe cube: {cube['value']}, {holder}."

    def _ids(self) -> str:
        return "\n".join(written for written in ids(self.sitting.state).values() if written)

    def _hint(self) -> str:
        hint = self.sitting.hint()
        if hint["kind"] == "cube":
            cube = hint["cube"]
            equities = (cube["no_double"], cube["double_take"], cube["double_pass"])
            return f"{cube['action']}  " + "  ".join(
                f"{name} {equity:+.3f}" for name, equity in zip(("ND", "DT", "DP"), equities, strict=True)
            )
        return "\n".join(
            f"{rank}. {play['play']}  {play['equity']:+.3f} ({play['difference']:+.3f})"
            for rank, play in enumerate(hint["plays"], 1)
        )


def _kind(words: tuple[str, ...]) -> Kind:
    """How much is resigned. Raises IllegalPlay for what is no kind of loss."""
    said = " ".join(words) or KINDS[0]
    for kind in KINDS:
        if said == kind:
            return kind
    raise IllegalPlay(f"one resigns {', '.join(KINDS)}, not {said!r}")


def typed(prompt: Callable[[], str]) -> Iterator[str]:
    """The lines of the standard input, each asked for where a person sits there."""
    asks = sys.stdin.isatty()
    while True:
        if asks:
            print(f"{prompt()}> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            if asks:
                print()
            return
        yield line
