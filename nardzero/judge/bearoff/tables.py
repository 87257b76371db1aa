"""The bear-off tables: made when they are first asked for, and then kept in memory and in the cache."""

from functools import cache

from nardzero.game.position import CHECKERS
from nardzero.judge.bearoff.cache import cached
from nardzero.judge.bearoff.onesided import Chances, OneSided, build_one_sided
from nardzero.judge.bearoff.sides import HOME
from nardzero.judge.bearoff.twosided import CHECKERS_A_SIDE, Equities, TwoSided, build_two_sided

VERSION = 1
"""Goes up whenever a table of the same size would hold something else."""


@cache
def one_sided(points: int = HOME, checkers: int = CHECKERS) -> OneSided:
    """The distributions of the rolls that a side needs; three seconds to make, 7 MB."""

    def build() -> dict[str, Chances]:
        table = build_one_sided(points, checkers)
        return {"last": table.last, "first": table.first}

    arrays = cached(f"one-sided-{points}x{checkers}-{VERSION}.bin", build)
    return OneSided(arrays["last"], arrays["first"], points)


@cache
def two_sided(points: int = HOME, checkers: int = CHECKERS_A_SIDE) -> TwoSided:
    """The exact equities of two sides with few checkers; a second to make, 14 MB."""

    def build() -> dict[str, Equities]:
        return {"equities": build_two_sided(points, checkers).equities}

    arrays = cached(f"two-sided-{points}x{checkers}-{VERSION}.bin", build)
    return TwoSided(arrays["equities"], points)
