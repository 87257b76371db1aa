"""Which checkers may move with a roll: every distinct legal play of many games at once, as codes.

A *code* is a uint32 holding the source points of up to four moves, five bits each (0: not used). With
unequal dice the first field is the source of the larger die and the second that of the smaller; with a
double the four fields do not increase. No play is produced twice, so nothing has to be sorted or hashed.
Letters in shapes: N games, M plays, K partial plays.

`own1` to `own4` are words of the points that hold at least that many checkers of the mover; `open_` of the
points 1 to 24 he may land on; `clear` of those without an opposing checker; `blots` = open, not clear.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nardzero.game.bits import FIELD, ONE, Index, Words, expand, pack
from nardzero.game.homehit import doubles_allowed, stuck_hitters
from nardzero.game.position import BAR, Boards
from nardzero.game.rules import Ruleset

BAR_BIT = np.uint32(1 << BAR)
INNER = np.uint32((1 << BAR) - 2)
"""The points 1 to 24."""
Thermometer = tuple[Words, Words, Words, Words]
"""The points that hold at least 1, 2, 3 and 4 checkers."""
ABOVE_HOME = np.uint32(1 << 7)
"""A word below this holds nothing outside the home board."""


def _bear_off_table() -> Words:
    """[8 * 64]: at die * 64 + (home points 1 to 6 held, as six bits), the sources that die bears off (R9)."""
    table = np.zeros((8, 64), np.uint32)
    for die in range(1, 7):
        for held in range(1, 64):
            highest = held.bit_length()
            source = die if held >> (die - 1) & 1 else highest if highest < die else 0
            table[die, held] = 1 << source if source else 0
    return table.reshape(-1)


BEAR_OFF = _bear_off_table()


class Plays(NamedTuple):
    """Plays of several games, by game: the game's index [M], ascending, and the code [M]."""

    game: Index
    code: Words


@dataclass(frozen=True)
class Masks:
    """The words of N boards from which all moves are read off."""

    own1: Words
    own2: Words
    open_: Words
    clear: Words

    @classmethod
    def of(cls, wide: Boards) -> "Masks":
        """From padded boards [N, 32]."""
        return cls(pack(wide > 0), pack(wide > 1), pack(wide > -2) & INNER, pack(wide >= 0) & INNER)

    @property
    def blots(self) -> Words:
        """The points on which a landing checker hits."""
        return self.open_ & ~self.clear

    def rows(self, index: Index | slice) -> "Masks":
        """Those of some of the boards."""
        return Masks(self.own1[index], self.own2[index], self.open_[index], self.clear[index])


def _only_bar(sources: Words, own: Words) -> None:
    """In place: where a checker is on the bar, it alone may move (R8)."""
    barred = np.flatnonzero(own >= BAR_BIT)
    if len(barred):
        sources[barred] &= BAR_BIT


def _add_bear_off(sources: Words, own: Words, die: Words) -> None:
    """In place: where every checker is home, those that the die bears off may move too (R9)."""
    home = np.flatnonzero(own < ABOVE_HOME)
    if len(home):
        sources[home] |= BEAR_OFF[(die[home] << np.uint32(6)) | (own[home] >> ONE)]


def _sources(own: Words, open_before: Words, die: Words) -> Words:
    """The points from which one die may be moved; `open_before` are the open points shifted up by it."""
    sources: Words = own & open_before
    _only_bar(sources, own)
    _add_bear_off(sources, own, die)
    return sources


def unequal(masks: Masks, high: Words, low: Words, rules: Ruleset) -> list[Plays]:
    """All legal plays of unequal dice, in parts: both dice played, and one or none where both cannot be."""
    own = masks.own1
    before_high, before_low = masks.open_ << high, masks.open_ << low
    by_high, by_low = _sources(own, before_high, high), _sources(own, before_low, low)
    parts = [
        _larger_first(masks, high, low, by_high, before_low, rules),
        *_smaller_first(masks, high, low, by_high, by_low & before_low, before_high, rules),
    ]
    both = np.zeros(len(own), np.bool_)
    for part in parts:
        both[part.game] = True
    rest = np.flatnonzero(~both)
    if len(rest):
        parts += _one_die(rest, by_high[rest], by_low[rest], low[rest], rules)
    return parts


def _larger_first(
    masks: Masks, high: Words, low: Words, by_high: Words, before_low: Words, rules: Ruleset
) -> Plays:
    """Plays with the larger die first, but for one checker moving on where both middle points are clear:
    that ends on the same board with the smaller die first."""
    singles = masks.own1 & ~masks.own2
    either_way = (masks.clear << high) & (masks.clear << low)
    game, source = expand(by_high)
    bit = ONE << source
    landed = bit >> high[game]
    own = (masks.own1[game] ^ (bit & singles[game])) | landed
    second = _sources(own, before_low[game], low[game])
    second &= ~((bit & either_way[game]) >> high[game])
    if rules.home_hit != "free":
        second &= ~(landed & stuck_hitters(masks.own1, masks.blots, low, rules)[game])
    row, next_source = expand(second)
    return Plays(game[row], source[row] | (next_source << FIELD))


def _smaller_first(
    masks: Masks, high: Words, low: Words, by_high: Words, inside: Words, before_high: Words, rules: Ruleset
) -> list[Plays]:
    """The plays that only exist with the smaller die first; `inside` are the sources from which it stays on
    the board, for what it bears off can as well come second.

    Where at least two points outside the home board are held, no bear-off can come up, and these are the
    plays of one checker that moves on from a point the mover does not hold. Elsewhere, the second move must
    be one that the larger die could not have made before.
    """
    stuck = None if rules.home_hit == "free" else stuck_hitters(masks.own1, masks.blots, high, rules)
    outside = masks.own1 >> np.uint32(7)
    careful = ((outside & (outside - ONE)) == 0) | (masks.own1 >= BAR_BIT)

    onward = inside & ((before_high & ~by_high) << low)
    if stuck is not None:
        onward &= ~(stuck << low)
    onward[careful] = 0
    game, source = expand(onward)
    parts = [Plays(game, (source - low[game]) | (source << FIELD))]

    subset = np.flatnonzero(careful)
    if len(subset):
        row, source = expand(inside[subset])
        game = subset[row]
        bit = ONE << source
        landed = bit >> low[game]
        own = (masks.own1[game] ^ (bit & ~masks.own2[game])) | landed
        second = _sources(own, before_high[game], high[game])
        second &= ~by_high[game]
        if stuck is not None:
            second &= ~(landed & stuck[game])
        row, next_source = expand(second)
        parts.append(Plays(game[row], next_source | (source[row] << FIELD)))
    return parts


def _one_die(game: Index, by_high: Words, by_low: Words, low: Words, rules: Ruleset) -> list[Plays]:
    """Single moves, of the larger die where it can move and the rules want that (R6), and dances."""
    if rules.larger_die:
        by_low = np.where(by_high == 0, by_low, np.uint32(0))
    else:
        # A checker that either die bears off gives one and the same board.
        by_low = by_low & ~(by_high & ((ONE << (low + ONE)) - ONE))
    parts = []
    for sources, shift in ((by_high, np.uint32(0)), (by_low, FIELD)):
        row, source = expand(sources)
        parts.append(Plays(game[row], source << shift))
    dances = game[(by_high | by_low) == 0]
    return [*parts, Plays(dances, np.zeros(len(dances), np.uint32))]


def doubles(wide: Boards, masks: Masks, die: Words, rules: Ruleset) -> list[Plays]:
    """All legal plays of doubles: as many of the four moves as can be made (R4, R5).

    Taking the sources in an order that does not increase reaches every board, and reaches it once. The
    checkers of a point are kept as a thermometer of words: at least 1, 2, 3 and 4 of them.
    """
    own = (masks.own1, masks.own2, pack(wide > 2), pack(wide > 3))
    before = masks.open_ << die
    game = np.arange(len(wide))
    code = np.zeros(len(wide), np.uint32)
    allowed = np.full(len(wide), (1 << (BAR + 1)) - 1, np.uint32)
    levels = [Plays(game, code)]
    for move in range(4):
        sources = _sources(own[0], before[game], die[game]) & allowed
        row, source = expand(sources)
        if not len(row):
            break
        game, code = game[row], code[row] | (source << np.uint32(5 * move))
        levels.append(Plays(game, code))
        if move < 3:
            bit = ONE << source
            one, two, three, four = own
            own = _move_one((one[row], two[row], three[row], four[row]), bit, bit >> die[game])
            allowed = (bit << ONE) - ONE
    return _longest(wide, die, levels, rules)


def _move_one(own: Thermometer, source: Words, target: Words) -> Thermometer:
    """The thermometer after one checker has moved from the bit `source` to the bit `target`."""
    one, two, three, four = own
    one = one & ~source | (source & two)
    two = two & ~source | (source & three)
    three = three & ~source | (source & four)
    four = four & ~source
    return one | target, two | (one & target), three | (two & target), four | (three & target)


def _longest(wide: Boards, die: Words, levels: list[Plays], rules: Ruleset) -> list[Plays]:
    """Of the plays by number of moves, those with the most moves in each game that the rules allow."""
    if rules.home_hit != "free":
        allowed = [doubles_allowed(wide, die, *level, rules) for level in levels]
        levels = [Plays(game[ok], code[ok]) for (game, code), ok in zip(levels, allowed, strict=True)]
    depth = np.zeros(len(wide), np.int8)
    for moves, level in enumerate(levels):
        depth[level.game] = moves
    parts = []
    for moves, (game, code) in enumerate(levels):
        keep = depth[game] == moves
        parts.append(Plays(game[keep], code[keep]))
    return parts
