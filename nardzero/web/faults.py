"""What goes wrong over HTTP, as a status, a code for programs and one sentence for people."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from nardzero.game.errors import IllegalPlay, InvalidInput
from nardzero.play.sitting.flow import NotNow


class Refused(Exception):
    """A request that is answered with a fault."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Details(BaseModel):
    """What was wrong."""

    code: str
    """One word for programs."""
    message: str
    """One sentence for people."""


class Fault(BaseModel):
    """The answer to every request that is refused."""

    error: Details


CODES = {
    400: "bad_json",
    404: "not_found",
    405: "no_such_method",
}
SENTENCES = {
    400: "the body is not JSON",
    404: "there is nothing at this address; /docs lists what there is",
    405: "this address does not take that method; /docs lists what it takes",
}


def fault(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The response of a refusal."""
    told = Fault(error=Details(code=code, message=" ".join(message.split())))
    return JSONResponse(told.model_dump(), status, headers)


def tell_faults(app: FastAPI) -> None:
    """Let an application answer every fault in this form."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(InvalidInput, _invalid_input)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return fault(error.status, error.code, error.message)


async def _invalid_input(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, NotNow):
        return fault(409, "not_now", str(error))
    if isinstance(error, IllegalPlay):
        return fault(409, "illegal_move", str(error))
    return fault(422, "invalid", str(error))


async def _invalid_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return fault(400, CODES[400], SENTENCES[400])
    return fault(422, "invalid", _sentence(first))


def _sentence(error: dict[str, Any]) -> str:
    """What pydantic found, with the name of the field."""
    place: Sequence[str | int] = [part for part in error["loc"] if part not in ("body", "query", "path")]
    name = ".".join(map(str, place)) or "the body"
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{name}: {message[:1].lower()}{message[1:]}"


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    message = SENTENCES.get(error.status_code, str(error.detail))
    headers = dict(error.headers or {})
    return fault(error.status_code, CODES.get(error.status_code, "refused"), message, headers)


async def _unexpected(_: Request, error: Exception) -> JSONResponse:
    return fault(500, "broken", "something went wrong on the server; its log says what")
