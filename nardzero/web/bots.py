"""The bots that may be asked for over HTTP: those that are shipped, and the one the server was started with.

Nothing else, so that no request can make the server open a folder of its choice.
"""

from collections.abc import Sequence

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import Ruleset, ruleset
from nardzero.model.store import shipped_bots
from nardzero.play.agents import Agent, agent
from nardzero.play.sitting.head import Head

DEEPEST = 2
"""How many plies a request may ask for."""


class Bots:
    """Bots by name, each loaded when it is first asked for."""

    def __init__(self, chosen: Agent | None = None) -> None:
        """The shipped bots, and one more."""
        self._loaded = {chosen.name: chosen} if chosen else {}
        self.names: Sequence[str] = list(dict.fromkeys([*self._loaded, *shipped_bots()]))
        self.chosen = chosen and chosen.name

    def named(self, name: str) -> Agent:
        """The bot of that name. Raises InvalidInput for one that is not offered."""
        if name not in self.names:
            raise InvalidInput(f"there is no bot {name!r} here; there are {', '.join(self.names)}")
        if name not in self._loaded:
            self._loaded[name] = agent(name)
        return self._loaded[name]

    def default(self, rules: Ruleset) -> str:
        """Who plays by these rules if nobody is asked for."""
        if self.chosen:
            return self.chosen
        return rules.name if rules.name in self.names else "standard"

    def head(self, name: str | None, rules: str | Ruleset, ply: int) -> Head:
        """A bot at the table. Raises InvalidInput for one that is not offered."""
        played_by = ruleset(rules)
        return Head(self.named(name or self.default(played_by)), played_by, ply)
