"""The sittings that go on: found by their ids, bounded in number, written to a folder when they end."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nardzero.play.matchfile.folder import MatchFolder
from nardzero.play.matchfile.record import MatchRecord
from nardzero.play.sitting.flow import NotNow
from nardzero.play.sitting.setup import record
from nardzero.play.sitting.sitting import Sitting
from nardzero.play.sitting.snapshot import snapshot
from nardzero.web.faults import Refused

MOST_ROOMS = 200
"""How many sittings are kept; of more, the one that waited longest goes."""


@dataclass
class Room:
    """A sitting with what the page wants kept beside it."""

    id: str
    sitting: Sitting
    name: str
    colour: str
    version: int = 1
    written: bool = field(default=False)

    def view(self, since: int = 0) -> dict[str, Any]:
        """The snapshot, with the events after a number."""
        events = [event.to_json() for event in self.sitting.table.log.since(since)]
        head = {"id": self.id, "version": self.version, "name": self.name, "colour": self.colour}
        return {**head, **snapshot(self.sitting), "events": events}

    def record(self) -> MatchRecord:
        """The match so far. Raises NotNow where no file can hold it."""
        return record(self.sitting, (self.name, self.sitting.head.name))


class Rooms:
    """All sittings, the longest unused first."""

    def __init__(self, folder: MatchFolder | None = None, most: int = MOST_ROOMS) -> None:
        self.folder = folder
        self._most = most
        self._rooms: OrderedDict[str, Room] = OrderedDict()

    def __len__(self) -> int:
        return len(self._rooms)

    def open(self, sitting: Sitting, name: str, colour: str) -> Room:
        """A new room; where there are too many, the one that waited longest is written down and goes."""
        while len(self._rooms) >= self._most:
            self.close(next(iter(self._rooms)))
        room = Room(secrets.token_urlsafe(12), sitting, name, colour)
        self._rooms[room.id] = room
        return room

    def find(self, room_id: str) -> Room:
        """The room of that id. Raises Refused."""
        if room_id not in self._rooms:
            raise Refused(404, "no_session", "there is no such game on this server any more")
        self._rooms.move_to_end(room_id)
        return self._rooms[room_id]

    def act(
        self, room_id: str, action: Callable[[Sitting], None], version: int | None = None
    ) -> dict[str, Any]:
        """Do something in a room, and show what came of it. Raises Refused, and what the action raises."""
        room = self.find(room_id)
        if version is not None and version != room.version:
            raise Refused(409, "stale", f"the game has moved on: it is at version {room.version} by now")
        before = room.sitting.table.log.last
        action(room.sitting)
        room.version += 1
        if room.sitting.phase == "finished":
            self._write(room)
        return room.view(before)

    def close(self, room_id: str) -> None:
        """Write a room's match down, if anything was played, and forget it. Raises Refused."""
        room = self.find(room_id)
        if any(game.actions for game in room.sitting.table.games):
            self._write(room)
        del self._rooms[room_id]

    def close_all(self) -> None:
        """Close every room."""
        for room_id in list(self._rooms):
            self.close(room_id)

    def _write(self, room: Room) -> None:
        if self.folder is None or room.written:
            return
        try:
            path = self.folder.write(room.record())
        except NotNow:
            return
        room.written = True
        room.sitting.table.log.add("saved", file=path.name)
