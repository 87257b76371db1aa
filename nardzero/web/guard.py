"""What every request passes first: who may ask, how much he may send, and what his browser may do with it.

On the loopback address only names of this machine are served, so that no page elsewhere can reach the server
by letting its own name point here. Requests that change something have to be JSON and, from a browser, to
come from a page of this server: a form on another page can send neither.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nardzero.web.faults import Refused, fault

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LARGEST = 1 << 20
"""The largest body of a request, in bytes."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Whether a host is this machine seen from itself alone."""
    return host in LOOPBACK or host.startswith("127.")


class Guard:
    """The application behind these checks."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None = LOOPBACK, largest: int = LARGEST) -> None:
        """Serve under these names only, or under any where they are None."""
        self.app = app
        self.hosts = None if hosts is None else frozenset(hosts)
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self._check(scope["method"], Headers(scope=scope))
            body = await self._body(receive)
        except Refused as refused:
            response = fault(refused.status, refused.code, refused.message)
            await response(scope, receive, send_with_headers)
            return
        await self.app(scope, _replay(body, receive), send_with_headers)

    def _check(self, method: str, headers: Headers) -> None:
        host = headers.get("host", "")
        if self.hosts is not None and _name(host) not in self.hosts:
            raise Refused(403, "forbidden", "this server answers only to the names of this machine itself")
        if method in SAFE:
            return
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            raise Refused(403, "forbidden", "this request comes from a page of another server")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json":
            raise Refused(
                415, "not_json", "the body has to be JSON, sent with Content-Type: application/json"
            )
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.largest:
            raise self._too_large()

    async def _body(self, receive: Receive) -> bytes:
        """The whole body, up to the limit, whatever length was announced."""
        body = bytearray()
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self.largest:
                raise self._too_large()
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                return bytes(body)

    def _too_large(self) -> Refused:
        return Refused(413, "too_large", f"a request has up to {self.largest >> 10} KiB")


def _name(host: str) -> str:
    """The name in a Host header, without the port; nothing where it is not written as one."""
    try:
        return (urlsplit(f"//{host}").hostname or "") if _plain(host) else ""
    except ValueError:  # a bracket that is not closed, or no address in the brackets
        return ""


def _plain(host: str) -> bool:
    return bool(host) and not any(character in host for character in "/?#@\\ ")


def _replay(body: bytes, receive: Receive) -> Receive:
    """A receive that gives the body that was read already, and then what comes."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again
