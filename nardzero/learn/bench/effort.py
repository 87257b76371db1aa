"""How much is measured, and of what."""

from dataclasses import dataclass

from nardzero.model.folded import Precision

Hidden = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A way to train whose speed is measured."""

    hidden: Hidden
    """Widths of the net's hidden layers."""
    precision: Precision
    """Arithmetic of judging and learning."""
    sieve: Hidden = ()
    """Widths of the small net beside it; empty for none."""
    games_at_once: int = 2048
    """Games played in lockstep."""
    batch: int = 1024
    """Positions a gradient step."""

    def __str__(self) -> str:
        return layers(self.hidden) + (f" sieve {layers(self.sieve)}" if self.sieve else "")


@dataclass(frozen=True)
class Effort:
    """How much of everything."""

    repeats: int
    """How often each thing is measured; the median counts."""
    lesson_games: int
    """Games of trained play at once that give the positions."""
    lesson_plies: int
    """Plies of each of them."""
    turns: int
    """Positions a repeat for finding plays."""
    batches: tuple[int, ...]
    """Games at once for finding plays."""
    rulesets: tuple[str, ...]
    """Rules for finding plays."""
    nets: tuple[Hidden, ...]
    """Nets for judging."""
    looks: tuple[tuple[int, int], ...]
    """Decisions with lookahead: the plies, and how many at once."""
    deep_turns: int
    """Decisions a repeat of another engine that looks ahead."""
    cases: tuple[Case, ...]
    """Ways to train."""
    windows: int
    """Windows of training that are measured for each."""
    plies: int
    """Plies of a window."""
    passes: int
    """How often a net learns each position of the lesson before its training is measured."""


FULL = Effort(
    repeats=15,
    lesson_games=512,
    lesson_plies=200,
    turns=2048,
    batches=(256, 1024, 2048),
    rulesets=("standard", "takhteh", "tavla"),
    nets=((128, 64), (256, 256, 256), (512, 512, 256, 128), (1024, 512, 256, 128)),
    looks=((1, 1), (1, 128), (2, 1), (2, 32)),
    deep_turns=8,
    cases=(
        Case((128, 64), "float32", games_at_once=1024, batch=512),
        Case((256, 256, 256), "float32"),
        Case((256, 256, 256), "bfloat16"),
        Case((512, 512, 256, 128), "bfloat16", sieve=(64,)),
    ),
    windows=5,
    plies=32,
    passes=4,
)
"""Two or three minutes."""

QUICK = Effort(
    repeats=1,
    lesson_games=32,
    lesson_plies=100,
    turns=256,
    batches=(64, 256),
    rulesets=("standard", "takhteh"),
    nets=((16, 8),),
    looks=((1, 1), (1, 4)),
    deep_turns=1,
    cases=(Case((16, 8), "bfloat16", sieve=(8,), games_at_once=32, batch=64),),
    windows=1,
    plies=4,
    passes=1,
)
"""Seconds, to see that it works; the figures mean little."""


def layers(hidden: Hidden) -> str:
    """Widths as people write them: 128-64."""
    return "-".join(map(str, hidden))
