"""The server: the application on a port of this machine."""

import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OSError, with a sentence, where the port cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as fault:
        listener.close()
        reason = (fault.strerror or str(fault)).lower()
        raise OSError(f"cannot listen on {host}, port {port}: {reason}; choose another --port") from fault
    listener.listen(128)
    return listener


def url_of(listener: socket.socket, host: str) -> str:
    """The address to open."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}/"


def serve(app: ASGIApp, listener: socket.socket, ready: Callable[[], None] | None = None) -> None:
    """Serve until Ctrl-C; `ready` is called once requests are answered."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=200,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=3,
        lifespan="on",
    )
    server = _Server(config, ready)
    server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._ready:
            self._ready()


def open_browser(url: str) -> None:
    """Show the page, without waiting for the browser."""
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
