"""Measures checkpoints of a training against an opponent and draws the learning curve.

    python scripts/curve.py FOLDER... [--against gnubg:0] [--se 0.005] [--out docs/learning]

A FOLDER is a checkpoint, or a run, of which all saves count. Results are kept in OUT.jsonl, a point for every
checkpoint ever measured, so a later stage only adds its own; OUT.png draws all of them. Needs Matplotlib
and the opponent (pip install -e ".[peers,notebook]"). A checkpoint takes some minutes of one core.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from nardzero.model.checkpoint import read_card
from nardzero.model.store import find, saves
from nardzero.play.arena import duel


def checkpoints(folders: list[str]) -> Iterator[Path]:
    """The checkpoint folders that are meant."""
    for folder in folders:
        yield from saves(Path(folder)) or [find(folder)]


def point(folder: Path, against: str, se: float) -> dict[str, Any]:
    """How far the training of a checkpoint has come, and how it plays."""
    card = read_card(folder)
    result = duel(str(folder), against, luck="standard", se=se)
    assert result.adjusted
    return {
        "weights": card["sha256"],
        "against": against,
        "games": card["games"] + card.get("earlier_games", 0),
        "hours": round(card["hours"] + card.get("earlier_hours", 0), 2),
        "rate": card["config"]["learn"]["rate_end"],
        "ppg": result.adjusted.ppg,
        "stderr": result.adjusted.stderr,
    }


def measured(log: Path) -> list[dict[str, Any]]:
    """All points so far."""
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def draw(points: list[dict[str, Any]], against: str) -> Figure:
    """Points a game by games of self-play and by hours of one core, with bars of twice the standard error."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    scales = (("games", 1e6, "million games of self-play"), ("hours", 1, "hours of one core"))
    for axes, (field, unit, label) in zip(figure.subplots(1, 2, sharey=True), scales, strict=True):
        ranked = sorted(points, key=lambda point: float(point[field]))
        x, y = [point[field] / unit for point in ranked], [point["ppg"] for point in ranked]
        axes.errorbar(x, y, yerr=[2 * point["stderr"] for point in ranked], fmt="o-", capsize=3)
        axes.axhline(0, color="grey", linewidth=1)
        axes.set_xlabel(label)
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel(f"points a game v {against}")
    return figure


def main() -> None:
    """Measure what was not measured yet, and draw."""
    parser = argparse.ArgumentParser(description="Measure checkpoints and draw the learning curve.")
    parser.add_argument(
        "folders", nargs="*", metavar="FOLDER", help="checkpoints, or runs with all their saves"
    )
    parser.add_argument("--against", default="gnubg:0", help="the opponent (default %(default)s)")
    parser.add_argument(
        "--se", type=float, default=0.005, help="standard error of a point (default %(default)s)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("docs/learning"), help="files to write, without suffix"
    )
    args = parser.parse_args()
    log = args.out.with_suffix(".jsonl")
    log.parent.mkdir(parents=True, exist_ok=True)
    for folder in checkpoints(args.folders):
        known = {(point["weights"], point["against"]) for point in measured(log)}
        if (read_card(folder)["sha256"], args.against) not in known:
            with log.open("a") as file:
                file.write(json.dumps(point(folder, args.against, args.se)) + "\n")
    points = [point for point in measured(log) if point["against"] == args.against]
    draw(points, args.against).savefig(args.out.with_suffix(".png"), dpi=120)


if __name__ == "__main__":
    main()
