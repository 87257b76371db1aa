"""The cases with right answers in `data`, by kind; boards as a player says them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nardzero.game.position import BAR, Boards, flip

DATA = Path(__file__).parent / "data"


def cases(file: str, kind: str) -> list[Any]:
    """The cases of one kind in `data/FILE.jsonl`, as parameters that carry their ids."""
    lines = (DATA / f"{file}.jsonl").read_text("utf-8").splitlines()
    found = [case for case in map(json.loads, lines) if case["kind"] == kind]
    return [pytest.param(case["input"], case["expected"], id=case["id"]) for case in found]


def board(own: dict[str, int], opponent: dict[str, int]) -> Boards:
    """The board [26] of two sides, each given in its own numbering with `bar` for the bar."""
    return _side(own) + flip(_side(opponent))


def _side(checkers: dict[str, int]) -> Boards:
    columns = np.zeros(26, np.int8)
    for point, count in checkers.items():
        columns[BAR if point == "bar" else int(point)] = count
    return columns
