"""Bots by name: shipped checkpoints, checkpoint folders and training runs."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nardzero.game.errors import InvalidInput
from nardzero.game.outcomes import Probs, drop_impossible, flip_outcomes
from nardzero.game.position import Boards, validate_rows
from nardzero.game.rules import RULESETS, Ruleset
from nardzero.model.checkpoint import CARD, Card, InvalidCheckpoint, load_model
from nardzero.model.device import pick_precision
from nardzero.model.folded import FoldedNet, Precision
from nardzero.model.sieve import MARGIN, Sieve

PACKAGE = Path(__file__).resolve().parent.parent
SAVE_NAME = re.compile(r"step-\d{10}")


class UnknownBot(InvalidInput):
    """A name that is neither a shipped bot nor a checkpoint or run folder."""


def shipped(kind: str) -> Path:
    """The folder of shipped `checkpoints`, `configs` or `decisions`: inside the package or beside it."""
    inside = PACKAGE / "_shipped" / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def shipped_bots() -> list[str]:
    """The names of the shipped checkpoints."""
    return sorted(path.parent.name for path in shipped("checkpoints").glob(f"*/{CARD}"))


def saves(run: Path) -> list[Path]:
    """The saves of a training run, oldest first; they are named by their gradient steps."""
    return sorted(path for path in run.glob("step-*") if SAVE_NAME.fullmatch(path.name))


def find(name: str | Path) -> Path:
    """The checkpoint folder that a shipped name, a checkpoint folder or a run folder stands for.

    Raises UnknownBot, or InvalidCheckpoint for a run without a save.
    """
    path = Path(name)
    unknown = UnknownBot(
        f"no bot {str(name)!r}; give one of {', '.join(shipped_bots()) or '(none shipped)'}, "
        "or the folder of a checkpoint or training run"
    )
    if not str(name):  # as a path, it would be the working folder
        raise unknown
    if str(name) in shipped_bots():
        return shipped("checkpoints") / name
    if (path / CARD).is_file():
        return path
    if found := saves(path):
        return found[-1]
    if path.exists():
        raise InvalidCheckpoint(f"{path} holds neither a checkpoint ({CARD}) nor the saves of a training run")
    raise unknown


@dataclass(frozen=True)
class Bot:
    """A loaded checkpoint: an evaluator that knows its rules and where it came from."""

    name: str
    """The name it was asked for by."""
    rules: Ruleset
    """The rules it was trained for."""
    card: Card
    """The JSON of the checkpoint."""
    net: FoldedNet
    """The weights, folded for playing."""
    sieve: Sieve | None = None
    """What may sort out plays before the net, where it learned together with one."""

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of positions [N, 26], for the player on roll.

        Raises InvalidPosition for boards that cannot be.
        """
        checked = validate_rows(boards)
        return drop_impossible(self.net.evaluate(checked), checked)

    def cubeful(self, boards: Boards) -> Probs | None:
        """Equities [N, 3] of positions [N, 26] for the player on roll, per unit of a cube that is centred,
        his, and the opponent's, before the roll and without a double now; None for a net without a cube head.

        Raises InvalidPosition for boards that cannot be.
        """
        return self.net.judge(validate_rows(boards))[:, 6:] if self.net.has_cube else None

    def evaluate_flipped(self, boards: Boards) -> Probs:
        """`evaluate(flip(boards))` [N, 6]: for the opponent, who is on roll. For boards that were checked."""
        # Seen by the opponent the columns of the outcomes are reversed, and so is who has borne off.
        return flip_outcomes(drop_impossible(flip_outcomes(self.net.evaluate_flipped(boards)), boards))


def load(name: str | Path, precision: Precision | Literal["auto"] = "float32") -> Bot:
    """The bot of a shipped name, a checkpoint folder, or a run folder (its newest save).

    The precision `auto` takes what is faster for this net on this machine.
    Raises UnknownBot or InvalidCheckpoint, a ValueError each.
    """
    net, small, card = load_model(find(name))
    arithmetic = pick_precision(precision, net.hidden, "cpu")
    sieve = Sieve(FoldedNet(small, arithmetic), MARGIN) if small else None
    return Bot(str(name), RULESETS[card["ruleset"]], card, FoldedNet(net, arithmetic), sieve)
