"""What can be wrong with input: each a `ValueError` whose message is one sentence for a person."""


class InvalidInput(ValueError):
    """Something a person gave that cannot be used; the base of all errors that are his to mend."""


class InvalidPosition(InvalidInput):
    """A board that cannot occur: too many checkers, both sides on a point, both sides finished."""


class InvalidID(InvalidPosition):
    """A position ID, match ID, XGID or OGID that does not decode."""


class InvalidDice(InvalidInput):
    """Dice that are not two numbers from 1 to 6."""


class IllegalPlay(InvalidInput):
    """A play that the rules forbid here, or text that is not a play at all."""


class InvalidRules(InvalidInput):
    """An unknown ruleset, or a ruleset whose fields do not fit."""
