"""The application: the page, the sessions, and the questions of programs, behind one guard."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp

from nardzero.game.rules import RULESETS
from nardzero.play.matchfile.folder import MatchFolder
from nardzero.play.sitting.setup import LONGEST
from nardzero.version import __version__
from nardzero.web.bodies import NewSession
from nardzero.web.bots import DEEPEST, Bots
from nardzero.web.docs import docs_page
from nardzero.web.faults import Fault, tell_faults
from nardzero.web.files import files
from nardzero.web.guard import LOOPBACK, Guard
from nardzero.web.questions import questions
from nardzero.web.rooms import Rooms
from nardzero.web.sessions import sessions
from nardzero.web.thinker import Thinker

STATIC = Path(__file__).parent / "static"
DESCRIPTION = """\
Play a bot, an action at a time, and ask it about positions. Every fault is answered with a status from 400 on
and `{"error": {"code": …, "message": …}}`, the message being one sentence. Bodies are JSON of up to 1 MiB."""
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Fault, "description": words}
    for status, words in {
        400: "The body is not JSON.",
        403: "The request comes from another site.",
        404: "There is nothing at this address.",
        409: "Not possible now, or not legal.",
        413: "The body is too large.",
        415: "The body is not sent as JSON.",
        422: "A field is wrong.",
        503: "Too many requests are waiting.",
    }.items()
}


def create_app(
    bots: Bots,
    folder: MatchFolder | None = None,
    defaults: NewSession | None = None,
    *,
    hosts: Iterable[str] | None = LOOPBACK,
) -> ASGIApp:
    """The application that serves these bots and keeps finished matches in a folder.

    `defaults` are what the page begins with. It answers under the names `hosts`, or any for None.
    """
    thinker, rooms, chosen = Thinker(), Rooms(folder), defaults or NewSession()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # A bot takes seconds to load: so that the first answer does not have to wait for it.
        loading = asyncio.ensure_future(thinker.do(lambda: bots.head(None, chosen.rules, 0)))
        yield
        await asyncio.gather(loading, return_exceptions=True)
        await thinker.do(rooms.close_all)
        thinker.stop()

    app = FastAPI(
        title="nardzero",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=REFUSALS,
    )
    tell_faults(app)
    for router in (sessions(rooms, bots, thinker), questions(bots, thinker), files(folder, thinker)):
        app.include_router(router)
    _add_pages(app, _options(bots, folder is not None, chosen))
    return Guard(app, hosts)


def _add_pages(app: FastAPI, options: dict[str, Any]) -> None:
    @app.get("/api/options", tags=["sessions"])
    async def tell_options() -> dict[str, Any]:
        """What can be chosen for a session."""
        return options

    @app.get("/", include_in_schema=False)
    async def board() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(docs_page(app.openapi()))

    app.mount("/static", StaticFiles(directory=STATIC), "static")


def _options(bots: Bots, saves: bool, chosen: NewSession) -> dict[str, Any]:
    defaults = chosen.model_dump(exclude={"position", "swap", "seed"})
    return {
        "version": __version__,
        "bots": [{"name": name} for name in bots.names],
        "rules": [
            {"name": each.name, "cube_limit": each.cube_limit, "wins": each.wins, "bot": bots.default(each)}
            for each in RULESETS.values()
        ],
        "defaults": defaults | {"bot": chosen.bot or bots.default(RULESETS[chosen.rules])},
        "longest_match": LONGEST,
        "deepest_ply": DEEPEST,
        "saves": saves,
    }
