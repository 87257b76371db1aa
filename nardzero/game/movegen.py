"""All legal plays of many games at once.

Letters in shapes: N games, M afterstates of all of them together. Afterstates stay on the mover's side.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import (
    FIELD,
    FIELD_MASK,
    ONE,
    WIDTH,
    Index,
    Words,
    gather_segments,
    pad,
    segment_starts,
    unpack,
)
from nardzero.game.dice import Dice, validate_dice
from nardzero.game.errors import InvalidDice
from nardzero.game.position import COLUMNS, OPPONENT_BAR, Boards, validate
from nardzero.game.rules import Ruleset, ruleset
from nardzero.game.sequences import Masks, Plays, doubles, unequal


def _single_moves() -> Boards:
    """What one move adds to a board [8 * 32, 32], at die * 32 + source; nothing at source 0."""
    delta = np.zeros((8, WIDTH, WIDTH), np.int8)
    for die in range(1, 7):
        for source in range(1, 26):
            delta[die, source, source] = -1
            if source > die:
                delta[die, source, source - die] = 1
    return delta.reshape(-1, WIDTH)


SINGLE_MOVES = _single_moves()


@dataclass(frozen=True)
class Candidates:
    """Every legal play of N games as codes, game by game; games with doubles come last.

    The boards are only built by `boards()`, from the parent's row and one row a move.
    """

    game: Index
    """Which game [N] each segment belongs to."""
    starts: Index
    """Where each segment starts, and where the last ends [N + 1]."""
    segment: Index
    """The segment [M] of each play."""
    code: Words
    """The plays [M]; see sequences.py."""
    first_double: int
    """The index of the first play of doubles."""
    wide: Boards
    """The padded boards before the play [N, 32], by segment."""
    high: Words
    """The larger die [N], by segment."""
    low: Words
    """The smaller die [N], by segment."""
    blots: Words
    """The points on which the mover hits [N], by segment."""

    def boards(self) -> Boards:
        """The padded afterstates [M, 32], on the mover's side."""
        after = self.wide.take(self.segment, axis=0)
        high, low = self.high.take(self.segment), self.low.take(self.segment)
        hits = self._move(after, high, self.code & FIELD_MASK)
        hits |= self._move(after, low, (self.code >> FIELD) & FIELD_MASK)
        doubled = slice(self.first_double, None)
        code, die = self.code[doubled], high[doubled]
        for field in (2, 3):
            source = (code >> (FIELD * np.uint32(field))) & FIELD_MASK
            hits[doubled] |= self._move(after[doubled], die, source)
        hits &= self.blots.take(self.segment)
        after += unpack(hits)
        after[:, OPPONENT_BAR] -= np.bitwise_count(hits).view(np.int8)
        return after

    @staticmethod
    def _move(after: Boards, die: Words, source: Words) -> Words:
        """In place: move a checker of every board [M, 32]; returns the points landed on as words [M]."""
        after += SINGLE_MOVES.take((die << np.uint32(5)) | source, axis=0)
        landed: Words = (ONE << source) >> die
        return landed


def candidates(wide: Boards, dice: Dice, rules: Ruleset) -> Candidates:
    """All legal plays of padded boards [N, 32] with dice [N, 2]; nothing is checked."""
    is_double = dice[:, 0] == dice[:, 1]
    mixed = np.flatnonzero(~is_double)
    game = np.concatenate([mixed, np.flatnonzero(is_double)])
    wide = wide.take(game, axis=0)
    dice = dice.take(game, axis=0)
    high = np.maximum(dice[:, 0], dice[:, 1]).astype(np.uint32)
    low = np.minimum(dice[:, 0], dice[:, 1]).astype(np.uint32)
    masks = Masks.of(wide)
    split = len(mixed)
    first, second = slice(None, split), slice(split, None)
    blocks = [
        _by_game(unequal(masks.rows(first), high[first], low[first], rules), split),
        _by_game(doubles(wide[second], masks.rows(second), high[second], rules), len(game) - split),
    ]
    counts = np.concatenate([counts for counts, _ in blocks])
    return Candidates(
        game=game,
        starts=segment_starts(counts),
        segment=np.repeat(np.arange(len(game)), counts),
        code=np.concatenate([code for _, code in blocks]),
        first_double=len(blocks[0][1]),
        wide=wide,
        high=high,
        low=low,
        blots=masks.blots,
    )


def _by_game(parts: list[Plays], games: int) -> tuple[Index, Words]:
    """Parts, each sorted by game, merged into one: plays a game [games] and the codes [M] by game."""
    tallies = [np.bincount(part.game, minlength=games) for part in parts]
    counts = np.add.reduce(tallies, axis=0) if tallies else np.zeros(games, np.int64)
    room = segment_starts(counts)[:-1]
    code = np.empty(counts.sum(), np.uint32)
    for part, tally in zip(parts, tallies, strict=True):
        before = segment_starts(tally)[:-1]
        code[np.arange(len(part.game)) + (room - before)[part.game]] = part.code
        room = room + tally
    return counts, code


def plays(
    boards: npt.ArrayLike, dice: npt.ArrayLike, rules: str | Ruleset = "standard"
) -> tuple[Boards, Index, npt.NDArray[np.uint8]]:
    """Every legal afterstate with the moves that lead to it.

    boards [N, 26] int8 and dice [N, 2] give `after [M, 26]`, `parent [M]` and `sources [M, 4]`: the point
    each moved checker came from, 0 for an unused slot. With unequal dice slot 0 is the larger die and
    slot 1 the smaller; with doubles the sources do not increase. See `afterstates` for the rest.
    """
    found = _validated(boards, dice, ruleset(rules))
    order = gather_segments(found.starts, np.argsort(found.game))
    code = found.code.take(order)
    sources = np.stack([(code >> (FIELD * np.uint32(k))) & FIELD_MASK for k in range(4)], axis=1)
    after = found.boards().take(order, axis=0)[:, :COLUMNS]
    return after, found.game.take(found.segment.take(order)), sources.astype(np.uint8)


def afterstates(
    boards: npt.ArrayLike, dice: npt.ArrayLike, rules: str | Ruleset = "standard"
) -> tuple[Boards, Index]:
    """Every board that a legal play leads to.

    boards [N, 26] int8 and dice [N, 2] give `after [M, 26]` int8 and `parent [M]`. The afterstates of a
    board are distinct and stay on the mover's side; parents ascend. Where nothing can be played, and where
    the game is over, the unchanged board stands once.

    Raises InvalidPosition, InvalidDice or InvalidRules, a ValueError each.
    """
    found = _validated(boards, dice, ruleset(rules))
    order = gather_segments(found.starts, np.argsort(found.game))
    after = found.boards().take(order, axis=0)[:, :COLUMNS]
    return after, found.game.take(found.segment.take(order))


def _validated(boards: npt.ArrayLike, dice: npt.ArrayLike, rules: Ruleset) -> Candidates:
    checked, rolls = np.atleast_2d(validate(boards)), np.atleast_2d(validate_dice(dice))
    if checked.ndim != 2 or rolls.ndim != 2 or len(checked) != len(rolls):
        raise InvalidDice(
            f"each board needs one roll: boards of shape {checked.shape} do not go with dice of {rolls.shape}"
        )
    wide = pad(checked)
    over = ~np.any(checked < 0, axis=-1)
    # On an empty board nothing moves, so a finished game keeps the board it has.
    found = candidates(np.where(over[:, None], np.int8(0), wide), rolls, rules)
    return replace(found, wide=wide.take(found.game, axis=0))
