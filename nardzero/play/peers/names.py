"""The names of other engines, and how their plies are counted. An engine is imported when its agent is made.

Plies are counted as GNU Backgammon does, 0 for the bare net; but an engine that counts otherwise keeps the
numbers that its own users know: bgsage:1 is 0-ply as we count.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from nardzero.game.errors import InvalidInput

if TYPE_CHECKING:
    from nardzero.play.agents import Agent


class UnknownPeer(InvalidInput):
    """An engine that there is, at a ply that there is not."""


def _gnubg(ply: int) -> "Agent":
    from nardzero.play.peers.gnubg import Gnubg, gnubg_nn

    gnubg_nn()
    return Gnubg(ply)


def _gnubg_ext(ply: int) -> "Agent":
    from nardzero.play.peers.gnubgext import GnubgExt
    from nardzero.play.peers.gnubgserver import find_program

    find_program()
    return GnubgExt(ply)


def _bgsage(ply: int) -> "Agent":
    from nardzero.play.peers.bgsage import Bgsage, bgbot

    bgbot()
    return Bgsage(ply)


def _pubeval() -> "Agent":
    from nardzero.play.peers.gnubg import gnubg_nn
    from nardzero.play.peers.pubeval import Pubeval

    gnubg_nn()
    return Pubeval()


PEERS: "Mapping[str, Callable[[], Agent]]" = MappingProxyType(
    {
        "pubeval": _pubeval,
        **{f"gnubg:{ply}": partial(_gnubg, ply) for ply in (0, 1, 2)},
        **{f"gnubg-ext:{ply}": partial(_gnubg_ext, ply) for ply in (0, 1, 2)},
        **{f"bgsage:{ply}": partial(_bgsage, ply) for ply in (1, 2, 3)},
    }
)
"""What makes the agent of each name. Raises PeerMissing where the engine is not installed."""


def check_ply(name: str) -> None:
    """Raises UnknownPeer for a name that means an engine, but not one of PEERS, such as `gnubg:7`."""
    engine = name.partition(":")[0]
    offered = [peer for peer in PEERS if peer.partition(":")[0] == engine]
    if offered and name not in offered:
        raise UnknownPeer(f"no agent {name!r}; of {engine} there is {', '.join(offered)}")


def ply_note(name: str) -> str | None:
    """How many plies we would count where an engine counts otherwise, in a sentence."""
    engine, _, ply = name.partition(":")
    return f"{name} is {int(ply) - 1}-ply as we count." if engine == "bgsage" and name in PEERS else None
