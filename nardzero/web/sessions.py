"""The sessions over HTTP: a person plays a bot, an action at a time."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from fastapi.responses import PlainTextResponse

from nardzero.game.rules import ruleset
from nardzero.play.matchfile.write import format_match
from nardzero.play.sitting import flow
from nardzero.play.sitting.setup import start_at
from nardzero.play.sitting.sitting import Sitting
from nardzero.web.bodies import (
    Action,
    BotBody,
    CoachBody,
    NewSession,
    ResignBody,
    StepBody,
    UndoBody,
)
from nardzero.web.bots import Bots
from nardzero.web.rooms import Rooms
from nardzero.web.thinker import Thinker

Snapshot = dict[str, Any]
RoomId = Annotated[str, Path(max_length=40)]


def sessions(rooms: Rooms, bots: Bots, thinker: Thinker) -> APIRouter:
    """The routes of the sessions."""
    router = APIRouter(prefix="/api/sessions", tags=["sessions"])
    _add_rooms(router, rooms, bots, thinker)
    _add_dice(router, rooms, thinker)
    _add_cube(router, rooms, thinker)
    _add_rest(router, rooms, bots, thinker)
    return router


def sit_down(asked: NewSession, bots: Bots) -> Sitting:
    """The sitting that is asked for. Raises InvalidInput."""
    rules = ruleset(asked.rules)
    head = bots.head(asked.bot, rules, asked.ply)
    start = flow.start(rules, asked.length, asked.jacoby, asked.beavers)
    if asked.position is not None:
        start = start_at(asked.position, start, rules, asked.swap)
    goes_on = asked.position is not None
    return Sitting(start, rules, head, goes_on=goes_on, coached=asked.coach, seed=asked.seed)


def _act(
    rooms: Rooms, thinker: Thinker, room_id: str, body: Action | None, action: Callable[[Sitting], None]
) -> Awaitable[Snapshot]:
    version = body.version if body else None
    return thinker.do(lambda: rooms.act(room_id, action, version))


def _add_rooms(router: APIRouter, rooms: Rooms, bots: Bots, thinker: Thinker) -> None:
    @router.post("", status_code=201)
    async def create(asked: NewSession) -> Snapshot:
        """Begin a match or a money session with a bot."""

        def begin() -> Snapshot:
            return rooms.open(sit_down(asked, bots), asked.name, asked.colour).view()

        return await thinker.do(begin)

    @router.get("/{room_id}")
    async def show(room_id: RoomId) -> Snapshot:
        """The session as it stands, with all events of the present game."""
        return await thinker.do(lambda: rooms.find(room_id).view())

    @router.delete("/{room_id}", status_code=204)
    async def close(room_id: RoomId) -> Response:
        """Forget the session."""
        await thinker.do(lambda: rooms.close(room_id))
        return Response(status_code=204)

    @router.get("/{room_id}/match.mat", response_class=PlainTextResponse)
    async def match_file(room_id: RoomId) -> Response:
        """What was played so far, as Jellyfish text."""
        text = await thinker.do(lambda: format_match(rooms.find(room_id).record()))
        named = {"Content-Disposition": 'attachment; filename="match.mat"'}
        return PlainTextResponse(text, headers=named)


def _add_dice(router: APIRouter, rooms: Rooms, thinker: Thinker) -> None:
    @router.post("/{room_id}/roll")
    async def roll(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Throw the dice: the opening roll, or your own."""
        return await _act(rooms, thinker, room_id, body, Sitting.roll)

    @router.post("/{room_id}/step")
    async def step(room_id: RoomId, body: StepBody) -> Snapshot:
        """Move a checker."""
        return await _act(rooms, thinker, room_id, body, lambda sat: sat.step(body.source, body.target))

    @router.post("/{room_id}/swap")
    async def swap(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Use the other die first."""
        return await _act(rooms, thinker, room_id, body, Sitting.swap)

    @router.post("/{room_id}/undo")
    async def undo(room_id: RoomId, body: UndoBody | None = None) -> Snapshot:
        """Take back the last step, or all."""
        everything = body is not None and body.everything
        return await _act(rooms, thinker, room_id, body, lambda sat: sat.undo(everything))

    @router.post("/{room_id}/done")
    async def done(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Pick up the dice: the play stands, and the bot plays."""
        return await _act(rooms, thinker, room_id, body, Sitting.done)


def _add_cube(router: APIRouter, rooms: Rooms, thinker: Thinker) -> None:
    @router.post("/{room_id}/double")
    async def double(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Offer the cube; the bot answers."""
        return await _act(rooms, thinker, room_id, body, Sitting.double)

    @router.post("/{room_id}/take")
    async def take(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Take the cube."""
        return await _act(rooms, thinker, room_id, body, lambda sat: sat.answer("take"))

    @router.post("/{room_id}/pass")
    async def give_up(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Pass the cube, and lose what it stood at."""
        return await _act(rooms, thinker, room_id, body, lambda sat: sat.answer("pass"))

    @router.post("/{room_id}/beaver")
    async def beaver(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Take the cube, turn it once more and keep it."""
        return await _act(rooms, thinker, room_id, body, lambda sat: sat.answer("beaver"))

    @router.post("/{room_id}/resign")
    async def resign(room_id: RoomId, body: ResignBody) -> Snapshot:
        """Offer to lose; the bot accepts if playing on promises it no more."""
        return await _act(rooms, thinker, room_id, body, lambda sat: sat.resign(body.kind))


def _add_rest(router: APIRouter, rooms: Rooms, bots: Bots, thinker: Thinker) -> None:
    @router.post("/{room_id}/next")
    async def go_on(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """Begin the next game."""
        return await _act(rooms, thinker, room_id, body, Sitting.next)

    @router.post("/{room_id}/coach")
    async def coach(room_id: RoomId, body: CoachBody) -> Snapshot:
        """Switch the coach on or off."""
        return await _act(rooms, thinker, room_id, body, lambda sat: sat.coach(body.on))

    @router.post("/{room_id}/bot")
    async def bot(room_id: RoomId, body: BotBody) -> Snapshot:
        """Let another bot, or the same at another ply, go on."""

        def change(sitting: Sitting) -> None:
            ply = sitting.head.ply if body.ply is None else body.ply
            sitting.change_bot(bots.head(body.bot or sitting.head.name, sitting.table.rules, ply))

        return await _act(rooms, thinker, room_id, body, change)

    @router.post("/{room_id}/hint")
    async def hint(room_id: RoomId, body: Action | None = None) -> Snapshot:
        """What the bot would do in your place."""
        return await thinker.do(lambda: rooms.find(room_id).sitting.hint())
