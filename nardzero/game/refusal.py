"""Why a written play is refused: each check knows one rule and answers with a sentence, or nothing."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil

from nardzero.game.legal import LegalPlays, legal_plays
from nardzero.game.play import NO_PLAY, OFF, Hop, Play, hop_text, point_text
from nardzero.game.position import BAR

HOME = 6
Check = Callable[[Play, LegalPlays], str | None]


def why_impossible(written: Play, legal: LegalPlays) -> str | None:
    """What is wrong with the play as written, whatever else is legal; None if nothing is."""
    checks = (_distance, _die_twice, _not_held, _blocked, _blocked_between, _nothing_hit)
    return _first(written, legal, checks)


def why_illegal(written: Play, legal: LegalPlays) -> str:
    """The rule against a possible play that is not among the legal ones, as far as can be told."""
    checks = (_nothing_moves, _bar_first, _still_outside, _not_rearmost, _too_few_dice, _home_hit)
    return _first(written, legal, checks) or f"{written} is not legal with {_roll(legal)} here"


def _first(written: Play, legal: LegalPlays, checks: tuple[Check, ...]) -> str | None:
    return next((reason for check in checks if (reason := check(written, legal))), None)


def _roll(legal: LegalPlays) -> str:
    return f"{legal.dice[0]} and {legal.dice[1]}"


def _distances(legal: LegalPlays) -> tuple[int, ...]:
    """How far one checker may go: a die, both, or up to four of a double."""
    first, second = legal.dice
    return tuple(first * k for k in (1, 2, 3, 4)) if first == second else (first, second, first + second)


def _dice_used(play: Play, legal: LegalPlays) -> int:
    """How many dice the play takes."""
    return sum(_dice_for(hop, legal) for hop in play.hops)


def _dice_for(hop: Hop, legal: LegalPlays) -> int:
    length = hop[0] - hop[1]
    if legal.dice[0] == legal.dice[1]:
        return ceil(length / legal.dice[0])
    single = length <= max(legal.dice) if hop[1] == OFF else length in legal.dice
    return 1 if single else 2


def _distance(written: Play, legal: LegalPlays) -> str | None:
    reach = _distances(legal)
    for source, target in written.hops:
        length = source - target
        if length in reach or (target == OFF and length <= max(reach)):
            continue
        if length <= 6:
            return f"{hop_text((source, target))} uses a {length}, but the dice are {_roll(legal)}"
        return f"{hop_text((source, target))} is {length} pips, which {_roll(legal)} do not make"
    return None


def _die_twice(written: Play, legal: LegalPlays) -> str | None:
    lengths = [source - target for source, target in written.hops if target != OFF]
    for length in set(lengths):
        if lengths.count(length) > 1 and legal.dice[0] != legal.dice[1]:
            return f"{written} uses a {length} more than once, but the dice are {_roll(legal)}"
    return None


def _own_after(written: Play, legal: LegalPlays) -> list[int]:
    """The player's checkers on each column [26] after the play, negative where it takes too many."""
    return [max(held, 0) + gain for held, gain in zip(legal.before.tolist(), written.net, strict=True)]


def _not_held(written: Play, legal: LegalPlays) -> str | None:
    for point, left in enumerate(_own_after(written, legal)):
        if left < 0:
            name = "the bar" if point == BAR else str(point)
            held = left - written.net[point]
            if held == 0:
                return f"{name} is not held by the player"
            return f"{written} moves {held - left} checkers from {name}, where only {held} stand"
    return None


def _blocked(written: Play, legal: LegalPlays) -> str | None:
    for _, target in written.hops:
        if target != OFF and legal.before[target] < -1:
            return f"{target} is held by the opponent"
    return None


def _blocked_between(written: Play, legal: LegalPlays) -> str | None:
    first, second = legal.dice
    for source, target in written.hops:
        if first == second:
            held = [p for p in range(source - first, target, -first) if legal.before[p] < -1]
            if held:
                return f"{held[0]} is held by the opponent"
        elif source - target == first + second:
            ways = (source - first, source - second)
            if all(legal.before[p] < -1 for p in ways):
                return f"{max(ways)} and {min(ways)} are both held by the opponent"
    return None


def _nothing_hit(written: Play, legal: LegalPlays) -> str | None:
    for point in sorted(written.hits):
        if legal.before[point] != -1:
            return f"nothing can be hit on {point}: no single opposing checker stands there"
    return None


def _nothing_moves(written: Play, legal: LegalPlays) -> str | None:
    if not legal[0].hops:
        return f"no checker can move with {_roll(legal)}; the turn is {NO_PLAY}"
    if not written.hops:
        return f"{_roll(legal)} can be played, so the turn cannot be passed"
    return None


def _bar_first(written: Play, legal: LegalPlays) -> str | None:
    entered = sum(source == BAR for source, _ in written.hops)
    if _own_after(written, legal)[BAR] > 0 and _dice_used(written, legal) > entered:
        return "checkers on the bar must enter before any other moves"
    return None


def _still_outside(written: Play, legal: LegalPlays) -> str | None:
    rear = _rear(written, legal)
    if rear > HOME and any(target == OFF for _, target in written.hops):
        return f"no checker bears off while one stands outside the home board, on {point_text(rear)}"
    return None


def _not_rearmost(written: Play, legal: LegalPlays) -> str | None:
    rear = _rear(written, legal)
    for source, target in written.hops:
        if target == OFF and source < rear and source not in _distances(legal):
            return f"{source}/off needs an exact die while a checker stands behind it, on {rear}"
    return None


def _rear(written: Play, legal: LegalPlays) -> int:
    """The player's rearmost point after the play; 0 where all are off."""
    return max((point for point, held in enumerate(_own_after(written, legal)) if held > 0), default=OFF)


def _too_few_dice(written: Play, legal: LegalPlays) -> str | None:
    used, playable = _dice_used(written, legal), _dice_used(legal[0], legal)
    double = legal.dice[0] == legal.dice[1]
    if used < playable:
        if double:
            return f"{written} plays {used} of the four {legal.dice[0]}s, but {playable} can be played"
        return "only one die is used, but both can be played"
    if used > (4 if double else 2):
        return f"{written} is more than {_roll(legal)} allow"
    if used == playable == 1 and legal.rules.larger_die:
        return f"only one die can be played, and it must be the larger, as in {legal[0]}"
    return None


def _home_hit(written: Play, legal: LegalPlays) -> str | None:
    if legal.rules.home_hit == "free":
        return None
    free = legal_plays(legal.before, legal.dice, replace(legal.rules, home_hit="free"))
    if all(play.net != written.net for play in free):
        return None
    limit = "land on its own side" if legal.rules.home_hit == "no_cover" else "move again"
    return f"under {legal.rules.name} rules a checker that hits in its home board may not {limit} that turn"
