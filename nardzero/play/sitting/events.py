"""What happens at the table, as data that any language can be told in."""

from dataclasses import dataclass
from typing import Any

Facts = dict[str, Any]
"""Parameters of an event: plain values, lists and dictionaries, ready for JSON."""


@dataclass(frozen=True)
class Event:
    """One thing that happened."""

    number: int
    """Which event of the sitting it is, from 1."""
    code: str
    """What happened: `rolled`, `moved`, `doubled` and so on."""
    facts: Facts
    """Who, and with what."""

    def to_json(self) -> Facts:
        """Number, code and facts side by side."""
        return {"number": self.number, "code": self.code, **self.facts}


class Log:
    """The events of a sitting, of which those of the present game are kept."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.last = 0

    def add(self, code: str, **facts: Any) -> None:
        """Write down what happened."""
        self.last += 1
        self.events.append(Event(self.last, code, facts))

    def clear(self) -> None:
        """Forget the events so far; numbers go on."""
        self.events = []

    def since(self, number: int) -> list[Event]:
        """The events after the one of this number."""
        return [event for event in self.events if event.number > number]
