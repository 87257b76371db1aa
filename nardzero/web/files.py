"""Match files over HTTP: those of the folder, and any that the page sends to look at."""

from typing import Annotated, Any

from fastapi import APIRouter, Path

from nardzero.play.matchfile.folder import MatchFolder
from nardzero.play.matchfile.read import parse_match
from nardzero.play.matchfile.view import match_view
from nardzero.web.bodies import MatchText
from nardzero.web.faults import Refused
from nardzero.web.thinker import Thinker


def files(folder: MatchFolder | None, thinker: Thinker) -> APIRouter:
    """The routes of the match files."""
    router = APIRouter(prefix="/api/matches", tags=["match files"])

    @router.post("")
    async def read(body: MatchText) -> dict[str, Any]:
        """Read a match file: every game with its actions and boards."""
        return await thinker.do(lambda: match_view(parse_match(body.text)))

    @router.get("")
    async def names() -> dict[str, Any]:
        """The match files in the server's folder, newest first."""
        return {"files": [{"name": name} for name in folder.names()] if folder else []}

    @router.get("/{name}")
    async def show(name: Annotated[str, Path(max_length=140)]) -> dict[str, Any]:
        """A match file of the folder."""
        if folder is None or name not in folder.names():
            raise Refused(404, "no_file", "there is no such match file")
        return await thinker.do(lambda: match_view(parse_match(folder.read(name))))

    return router
