"""A play: the whole turn, as a value that players can write and read.

`8/5 6/5` moves two checkers, `24/18*/14` one checker that hits on the way, `bar/22(2)` two checkers alike,
`6/off` bears off. Points are those of the player who moves, 25 and `bar` are his bar, 0 and `off` his tray.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import IllegalPlay
from nardzero.game.position import BAR, COLUMNS, OPPONENT_BAR, Boards, validate

Hop = tuple[int, int]
"""Where one checker starts and where it lands."""

OFF = 0
MOST_MOVES = 4
NO_PLAY = "(no play)"
DANCES = frozenset(
    {NO_PLAY, "no play", "(no move)", "no move", "dance", "dances", "cannot move", "can't move", "-"}
)
"""What players write, in lower case, when nothing can be moved."""

NAMED_POINTS = {"bar": BAR, "off": OFF}
POINT_NAMES = {point: name for name, point in NAMED_POINTS.items()}
_POINT = r"(?:\d{1,3}|bar|off)"
_WORD = re.compile(rf"({_POINT}(?:[/-]{_POINT}\*?)+)(?:\((\d{{1,2}})\))?", re.ASCII)


@dataclass(frozen=True, eq=False, repr=False)
class Play:
    """What a turn does to a board; plays that do the same to it are equal, however they are written.

    So `8/5 6/5` equals `6/5 8/5`, and `24/18/14` equals `24/14`, but not `24/18*/14`. A dance is the play
    without hops. Raises IllegalPlay for hops that no dice could make.
    """

    hops: tuple[Hop, ...] = ()
    """Each hop as written; one checker may hop on from where it landed."""
    hits: frozenset[int] = frozenset()
    """The points on which an opposing checker is hit."""

    def __post_init__(self) -> None:
        if len(self.hops) > MOST_MOVES:
            raise IllegalPlay(f"a play has at most {MOST_MOVES} moves, not {len(self.hops)}")
        for source, target in self.hops:
            for point in (source, target):
                if not OFF <= point <= BAR:
                    raise IllegalPlay(f"there is no point {point}; they are 24 to 1, bar and off")
            if source <= target:
                raise IllegalPlay(f"{hop_text((source, target))} does not move forward")
        for point in sorted(self.hits):
            if point == OFF or all(target != point for _, target in self.hops):
                raise IllegalPlay(f"a hit on {point_text(point)} needs a checker that lands there")

    @classmethod
    def parse(cls, text: str) -> "Play":
        """The play that the text describes, as in `24/18*/13`, `bar/22(2) 6/off`, `24-14` or `8/5,6/5`.

        A dance is written `(no play)`, `dances`, `Cannot Move` or `-`; an empty text is refused, since it is
        more often a slip. Raises IllegalPlay, with the reason, for text that is no play.
        """
        words = " ".join(text.lower().split())
        if words in DANCES:
            return cls()
        hops: list[Hop] = []
        hits: set[int] = set()
        tight = re.sub(r"\s*([/(-])\s*", r"\1", words)
        for word in re.split(r"[\s,;]+", tight.strip(" ,;")):
            path, starred, count = _read_word(word)
            hops += list(pairwise(path)) * count
            hits |= starred
        return cls(tuple(hops), frozenset(hits))

    @cached_property
    def net(self) -> tuple[int, ...]:
        """How many own checkers each of the 26 columns gains; those borne off appear nowhere."""
        gain = [0] * COLUMNS
        for source, target in self.hops:
            gain[source] -= 1
            if target != OFF:
                gain[target] += 1
        return tuple(gain)

    def apply(self, board: npt.ArrayLike) -> Boards:
        """The board [26] after this play, still on the mover's side; dice and rules are not looked at.

        Raises IllegalPlay where a checker is missing, or where a hit does not fit what stands there.
        """
        before = validate(board).astype(np.int64)
        own, opponent = np.maximum(before, 0) + self.net, np.minimum(before, 0)
        for point in self.hits:
            if before[point] != -1:
                raise IllegalPlay(f"nothing can be hit on {point}")
            opponent[point] += 1
            opponent[OPPONENT_BAR] -= 1
        if (own < 0).any():
            missing = point_text(int(own.argmin()))
            raise IllegalPlay(f"{self} moves more checkers from {missing} than stand there")
        if (shared := (own > 0) & (opponent < 0)).any():
            raise IllegalPlay(f"{self} lands on {shared.argmax()}, where the opponent stands, without a hit")
        after: Boards = (own + opponent).astype(np.int8)
        return after

    def _paths(self) -> Iterator[tuple[int, ...]]:
        """The hops, rearmost first, joined where one checker hops on; points between show only hits."""
        hops = sorted(self.hops, reverse=True)
        while hops:
            path = list(hops.pop(0))
            for source, target in tuple(hops):
                if source == path[-1]:
                    hops.remove((source, target))
                    if source not in self.hits:
                        path.pop()
                    path.append(target)
            yield tuple(path)

    def __str__(self) -> str:
        unmarked = set(self.hits)
        words = []
        for path, count in Counter(self._paths()).items():
            word = point_text(path[0])
            for point in path[1:]:
                word += f"/{point_text(point)}{'*' if point in unmarked else ''}"
                unmarked.discard(point)
            words.append(word + (f"({count})" if count > 1 else ""))
        return " ".join(words) or NO_PLAY

    def __repr__(self) -> str:
        return f"Play({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self.net == other.net and self.hits == other.hits

    def __hash__(self) -> int:
        return hash((self.net, self.hits))


def point_text(point: int) -> str:
    """What players call a point: `bar`, `off`, or its number."""
    return POINT_NAMES.get(point, str(point))


def hop_text(hop: Hop) -> str:
    """A hop as players write it."""
    return f"{point_text(hop[0])}/{point_text(hop[1])}"


def _read_word(word: str) -> tuple[list[int], set[int], int]:
    """The points, those with a star, and the count of one word such as `24/18*/13` or `bar/22(2)`."""
    match = _WORD.fullmatch(word)
    if match is None:
        raise IllegalPlay(f"{word!r} is no move; write moves like 8/5, 24/18*/13, bar/22(2) or 6/off")
    count = int(match[2] or 1)
    if not 1 <= count <= MOST_MOVES:
        raise IllegalPlay(f"{word!r} moves {count} checkers; a play moves 1 to {MOST_MOVES}")
    steps = re.split("[/-]", match[1])
    points = [_read_point(step.rstrip("*")) for step in steps]
    starred = {point for point, step in zip(points, steps, strict=True) if step.endswith("*")}
    return points, starred, count


def _read_point(name: str) -> int:
    return NAMED_POINTS[name] if name in NAMED_POINTS else int(name)
