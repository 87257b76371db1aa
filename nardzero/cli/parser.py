"""The argument parser of all verbs: help that keeps its layout, and errors that are one sentence."""

import argparse
from collections.abc import Callable
from typing import NoReturn

from nardzero.game.errors import InvalidInput


class UsageError(InvalidInput):
    """A command line that does not parse."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose help shows its examples as written and whose faults are raised.

    Raising them lets `main` report every kind of bad input in the same way.
    """

    def __init__(self, **settings: object) -> None:
        defaults = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
        super().__init__(**(defaults | settings))  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def whole_number(least: int) -> Callable[[str], int]:
    """The type of an argument that is a whole number, `least` or more."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return value

    return read


def above_zero(text: str) -> float:
    """The type of an argument that is a number above 0."""
    return _number(text, lambda value: 0 < value < float("inf"), "above 0")


def share(text: str) -> float:
    """The type of an argument that is a number from 0 to 1."""
    return _number(text, lambda value: 0 <= value <= 1, "from 0 to 1")


def _number(text: str, fits: Callable[[float], bool], words: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not fits(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number {words}")
    return value
