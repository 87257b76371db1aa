"""Decisions that referees have judged: how much a bot gives away in each, without playing a game.

Two other engines, looking two plies ahead, said what every play of some thousand positions loses against the
best. So any agent is measured in a second, and needs none of them. Letters in shapes: D decisions, M
afterstates of all of them together, R referees.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from tempfile import NamedTemporaryFile
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.dice import Dice
from nardzero.game.errors import InvalidInput
from nardzero.game.phases import phase_of
from nardzero.game.position import Boards
from nardzero.game.rules import RULESETS
from nardzero.play.agents import Agent, Turn

STANDARD = RULESETS["standard"]
AT_ONCE = 256
"""Decisions asked about in one call."""


class InvalidDecisions(InvalidInput):
    """A file that holds no judged decisions."""


def ordered_turn(boards: Boards, dice: Dice) -> Turn:
    """The turn with each game's afterstates in the order of their columns, whoever finds them."""
    turn = Turn.of(boards, dice, STANDARD)
    game = np.repeat(np.arange(len(boards)), np.diff(turn.starts))
    order = np.lexsort((*turn.after.T[::-1], game))
    return Turn(turn.boards, turn.dice, turn.after[order], turn.starts, turn.rules)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Positions and rolls with what each play loses, as referees see it."""

    boards: Boards
    """The positions [D, 26] before the play."""
    dice: Dice
    """What was rolled [D, 2]."""
    referees: tuple[str, ...]
    """The names of the engines [R] that judged."""
    lost: npt.NDArray[np.float32]
    """What each afterstate [M, R] loses against the referee's best one, in points, cubeless; in the order of
    `ordered_turn`."""
    rated: npt.NDArray[np.bool_]
    """Whether the referees looked ahead for an afterstate [M], or judged it without."""
    share: npt.NDArray[np.float32]
    """How often each of PHASES came up among such decisions in the games they were taken from."""

    def __post_init__(self) -> None:
        found = len(ordered_turn(self.boards, self.dice).after)
        if self.lost.shape != (found, len(self.referees)) or self.rated.shape != (found,):
            raise InvalidDecisions(
                f"{found} plays are legal in these positions, but {len(self.lost)} are judged"
            )

    @cached_property
    def phase(self) -> Index:
        """The phase [D] of each position, as an index into PHASES."""
        return phase_of(self.boards)

    def turns(self) -> Iterator[Turn]:
        """The decisions in their order, some at a time."""
        for start in range(0, len(self.boards), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            yield ordered_turn(self.boards[some], self.dice[some])

    def ask(self, agent: Agent, progress: Callable[[int], object] = lambda done: None) -> Index:
        """What the agent chooses [D] of all afterstates. `progress` is told how many more it has decided."""
        rng = np.random.default_rng(0)
        chosen, before = [], 0
        for turn in self.turns():
            chosen.append(before + agent.choose(turn, rng))
            before += len(turn.after)
            progress(len(turn.boards))
        return np.concatenate(chosen)

    def save(self, path: Path) -> None:
        """Write them into a file of `load`, at once or not at all."""
        arrays = {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}
        # What was lost is known to less than the 3 digits that 16 bits keep.
        arrays |= {"lost": self.lost.astype(np.float16), "dice": self.dice.astype(np.int8)}
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        Path(file.name).chmod(0o644)
        Path(file.name).replace(path)

    @classmethod
    def load(cls, path: Path) -> "Decisions":
        """Read what `save` wrote. Raises InvalidDecisions for anything else."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                read = {field.name: arrays[field.name] for field in fields(cls)}
        except (ValueError, KeyError, EOFError, BadZipFile) as fault:
            raise InvalidDecisions(f"{path} holds no judged decisions ({fault})") from None
        read["referees"] = tuple(read["referees"].tolist())
        return cls(**read | {"lost": read["lost"].astype(np.float32), "dice": read["dice"].astype(np.int64)})


def shipped_decisions() -> Decisions:
    """The decisions that come with nardzero."""
    from nardzero.model.store import shipped  # it brings PyTorch, which takes seconds to import

    return Decisions.load(shipped("decisions") / "standard.npz")
