"""A ladder as a picture."""

import os
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from nardzero.game.errors import InvalidInput
from nardzero.play.standings import Ladder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS = (("elo", "Elo"), ("ppg", "points a game"))


class DrawingMissing(InvalidInput):
    """A picture is wanted where nothing can draw one."""


def require_drawing() -> None:
    """Raises DrawingMissing unless Matplotlib is installed."""
    if find_spec("matplotlib") is None:
        raise DrawingMissing('to draw takes Matplotlib: pip install "nardzero[notebook]"')


def chart(ladder: Ladder) -> "Figure":
    """The agents from the weakest up, with bars of twice the standard error. Raises DrawingMissing."""
    require_drawing()
    from matplotlib.figure import Figure

    rising = ladder.standings[::-1]
    figure = Figure(figsize=(9, 1.2 + 0.35 * len(rising)), layout="constrained")
    for axes, (field, label) in zip(figure.subplots(1, 2, sharey=True), PANELS, strict=True):
        values = [getattr(standing, field) for standing in rising]
        twice = [2 * getattr(standing, f"{field}_stderr") for standing in rising]
        axes.errorbar(values, range(len(rising)), xerr=twice, fmt="o", capsize=3)
        axes.set_xlabel(f"{label}, relative to {ladder.anchor or 'the mean'}")
        axes.set_yticks(range(len(rising)), [standing.name for standing in rising])
        axes.grid(axis="x", alpha=0.3)
    return figure


def save_png(ladder: Ladder, path: Path) -> None:
    """Draw the ladder into a file, which is there only when complete. Raises DrawingMissing, OSError."""
    figure = chart(ladder)
    descriptor, drawing = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            figure.savefig(file, format="png", dpi=150)
        os.chmod(drawing, 0o644)
        os.replace(drawing, path)
    except BaseException:
        os.unlink(drawing)
        raise
