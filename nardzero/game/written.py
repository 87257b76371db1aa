"""A play as a person or a match file wrote it, resolved against the legal ones."""

import numpy.typing as npt

from nardzero.game.errors import IllegalPlay
from nardzero.game.legal import LegalPlays, legal_plays
from nardzero.game.play import OFF, Play
from nardzero.game.position import Boards
from nardzero.game.refusal import why_illegal, why_impossible
from nardzero.game.rules import Ruleset


def find_play(
    board: npt.ArrayLike, dice: tuple[int, int], play: str | Play, rules: str | Ruleset = "standard"
) -> tuple[Play, Boards]:
    """The legal play that was meant on a board [26], and the board [26] it leads to, on the mover's side.

    Stars may be left out as long as one legal play fits; points written in between count as landed on.
    Raises IllegalPlay, with the reason, for text that is no play, an illegal play, a star where nothing is
    hit, and a text that fits several legal plays; and what `legal_plays` raises.
    """
    return resolve(play, legal_plays(board, dice, rules))


def resolve(play: str | Play, legal: LegalPlays) -> tuple[Play, Boards]:
    """The same as `find_play`, among legal plays already at hand."""
    written = Play.parse(play) if isinstance(play, str) else play
    index = _index(written, legal)
    return legal[index], legal.after[index]


def _index(written: Play, legal: LegalPlays) -> int:
    if reason := why_impossible(written, legal):
        raise IllegalPlay(reason)
    # A landing on a blot is a hit, with or without a star.
    landed = {target for _, target in written.hops if target != OFF and legal.before[target] == -1}
    hits = written.hits | landed
    fits = [index for index, play in enumerate(legal) if play.net == written.net and play.hits >= hits]
    if not fits:
        raise IllegalPlay(why_illegal(written, legal))
    exact = [index for index in fits if legal[index].hits == hits]
    if not exact and len(fits) > 1:
        choices = " or ".join(str(legal[index]) for index in fits)
        raise IllegalPlay(f"{written} could be {choices}; write the points in between")
    return (exact or fits)[0]
