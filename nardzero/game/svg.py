"""A board drawn as SVG, for notebooks and pages: the player on roll sits at the bottom.

The drawing brings its own background, so that it reads alike on light and dark pages, and has no styles or
ids that could touch the page around it. Lengths are in the units of its view box; everything is placed as in
the upper half, and mirrored for the lower.
"""

from collections.abc import Iterator

import numpy.typing as npt

from nardzero.game.diagram import caption
from nardzero.game.matchstate import Player, other
from nardzero.game.position import BAR, OPPONENT_BAR, Boards, flip, off, pips, validate
from nardzero.game.text import format_position

RADIUS, STEP = 17.5, 36
"""A checker, and how far the next one stands from it."""
TALLEST = 5
"""How many checkers a stack shows; a taller one is numbered."""

# Across: the edge, six points, the bar, six points, the edge, the tray, the edge.
EDGE, POINT, BAR_WIDTH, TRAY = 14, 40, 48, 42
FIELD = 6 * POINT
RIGHT_FIELD = EDGE + FIELD + BAR_WIDTH
TRAY_LEFT = RIGHT_FIELD + FIELD + EDGE
WIDTH = TRAY_LEFT + TRAY + EDGE
BAR_CENTRE, TRAY_CENTRE = EDGE + FIELD + BAR_WIDTH // 2, TRAY_LEFT + TRAY // 2
# Down: the strip of numbers, half the field, and the same again.
STRIP, HALF, SPIKE = 32, 218, 182
MIDDLE, HEIGHT = STRIP + HALF, 2 * (STRIP + HALF)
DIE, SPOT = 36, 10
SLAB = 14
"""The height of a borne-off checker lying in the tray."""

FRAME, WELL, FELT, LABEL = "#75543f", "#5c4030", "#efe6d4", "#fff6e8"
SPIKES = ("#d3b48d", "#a66b4d")
CHECKERS = {"x": ("#fffaf0", "#8a7661", "#2b2119"), "o": ("#333238", "#0d0c0f", "#fffaf0")}
"""The fill, the outline and the ink of each side's checkers and dice."""
SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the spots of a die lie."""


def draw_svg(board: npt.ArrayLike, dice: tuple[int, int] | None = None, turn: Player = "x") -> str:
    """The board [26] as one self-contained <svg> element; x has the light checkers, o the dark ones.

    A number on a stack counts more than five checkers, those on the bar count pips, those at the tray the
    checkers borne off. Raises InvalidPosition.
    """
    own = validate(board)
    opponent = flip(own)
    sides = ((turn, True, pips(own), off(own)), (other(turn), False, pips(opponent), off(opponent)))
    parts = [
        *_described(own, dice, turn),
        *_empty_board(),
        *(part for column in range(BAR + 1) for part in _stack(column, int(own[column]), turn)),
        *(part for side, low, _, borne in sides for part in _tray(int(borne), side, low)),
        *(part for _, low, count, _ in sides for part in _pip_count(int(count), low)),
        *(part for place, die in enumerate(dice or ()) for part in _die(place, die, turn)),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" style="max-width:100%;height:auto" text-anchor="middle" '
        f"font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"14\">"
        f"{''.join(parts)}</svg>"
    )


def _described(board: Boards, dice: tuple[int, int] | None, turn: Player) -> Iterator[str]:
    """What a screen reader says."""
    own, opponent = (part[1:] or " none left" for part in format_position(board).split("; "))
    yield f"<title>Backgammon position, {caption(board, dice, turn)}</title>"
    yield (
        f"<desc>The checkers of {turn}, as point:count:{own}. "
        f"Those of {other(turn)}, in the same numbering:{opponent}.</desc>"
    )


def _empty_board() -> Iterator[str]:
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{FRAME}"/>'
    for left in (EDGE, RIGHT_FIELD):
        yield f'<rect x="{left}" y="{STRIP}" width="{FIELD}" height="{2 * HALF}" fill="{FELT}"/>'
    for top in (STRIP, MIDDLE + 6):
        yield f'<rect x="{TRAY_LEFT}" y="{top}" width="{TRAY}" height="{HALF - 6}" rx="3" fill="{WELL}"/>'
    for point in range(1, 25):
        x, low = _across(point), point <= 12
        base, tip = _down(STRIP, low), _down(STRIP + SPIKE, low)
        yield f'<path d="M{x - 19} {base}h38L{x} {tip}z" fill="{SPIKES[point % 2]}"/>'
        yield _label(x, _down(STRIP / 2, low), str(point))


def _across(column: int) -> int:
    """The centre of a point, or of the bar."""
    if column in (BAR, OPPONENT_BAR):
        return BAR_CENTRE
    place = column - 13 if column > 12 else 12 - column
    return (EDGE if place < 6 else EDGE + BAR_WIDTH) + place * POINT + POINT // 2


def _down(y: float, low: bool) -> float:
    """A height of the upper half, or its mirror image in the lower."""
    return HEIGHT - y if low else y


def _stack(column: int, count: int, turn: Player) -> Iterator[str]:
    """The checkers of one point or bar; on the bar they stack from the middle outwards."""
    fill, outline, ink = CHECKERS[turn if count > 0 else other(turn)]
    x, low = _across(column), column <= 12 if column not in (BAR, OPPONENT_BAR) else column == BAR
    for level in range(min(abs(count), TALLEST)):
        from_edge = STRIP + STEP / 2 + 0.5 + STEP * level
        y = _down(from_edge if column not in (BAR, OPPONENT_BAR) else MIDDLE - 34 - STEP * level, low)
        yield f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{outline}"/>'
        yield f'<circle cx="{x}" cy="{y}" r="11.5" fill="none" stroke="{ink}" stroke-opacity=".25"/>'
    if abs(count) > TALLEST:
        yield _label(x, y, str(abs(count)), ink)


def _tray(count: int, side: Player, low: bool) -> Iterator[str]:
    """The checkers that a side has borne off, lying in its tray, and their number."""
    fill, outline, _ = CHECKERS[side]
    for place in range(count):
        y = _down(STRIP + 1 + SLAB * place + (SLAB if low else 0), low)
        yield (
            f'<rect x="{TRAY_LEFT + 3}" y="{y}" width="{TRAY - 6}" height="{SLAB - 1.5}" rx="3" '
            f'fill="{fill}" stroke="{outline}"/>'
        )
    if count:
        yield _label(TRAY_CENTRE, _down(STRIP / 2, low), str(count))


def _pip_count(count: int, low: bool) -> Iterator[str]:
    """The pip count at the end of the bar, framed so that it does not look like a point."""
    y = _down(STRIP / 2, low)
    yield f'<rect x="{BAR_CENTRE - 19}" y="{y - 10}" width="38" height="20" rx="10" fill="{WELL}"/>'
    yield _label(BAR_CENTRE, y, str(count))


def _die(place: int, die: int, turn: Player) -> Iterator[str]:
    fill, outline, ink = CHECKERS[turn]
    x, y = RIGHT_FIELD + FIELD / 2 + (place - 0.5) * (DIE + 12), MIDDLE
    yield (
        f'<rect x="{x - DIE / 2}" y="{y - DIE / 2}" width="{DIE}" height="{DIE}" rx="7" '
        f'fill="{fill}" stroke="{outline}"/>'
    )
    for across, down in SPOTS[die]:
        yield f'<circle cx="{x + SPOT * across}" cy="{y + SPOT * down}" r="3.6" fill="{ink}"/>'


def _label(x: float, y: float, text: str, colour: str = LABEL) -> str:
    # Drawn a third of its height below the line, since not every program centres text on a line.
    return f'<text x="{x}" y="{y + 5}" fill="{colour}">{text}</text>'
