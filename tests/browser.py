"""A browser before the page: a server with bots that do as they are told, and a person who taps."""

import json
import shutil
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the board needs the extra web")
pytest.importorskip("playwright", reason="the tests of the page need playwright")

from clicks import ToldHead, judging_head
from fakes import RaceEvaluator
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from nardzero.game.rules import Ruleset, ruleset
from nardzero.play.agents import EvaluatorAgent
from nardzero.play.sitting.head import Head
from nardzero.web.app import create_app
from nardzero.web.bots import Bots
from nardzero.web.serve import listen, serve, url_of

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TOLD: dict[str, dict[str, Any]] = {
    "taker": {},
    "passer": {"says": "pass"},
    "doubler": {"doubles": True},
    "proud": {"lenient": False},
}
SLOWEST = 20_000
"""How many milliseconds anything may take before a test fails; a busy machine is slow."""


ISOLATES = dict.fromkeys(map(ord, "\u2066\u2069"))
"""What keeps notation together on the page, and is in the way of comparing."""
ONWARD = """() => {
  const enabled = (act) => document.querySelector(`#actions [data-act=${act}]:enabled`);
  const point = document.querySelector(".checker.lit")?.dataset.point;
  const lit = point && document.querySelector(`[data-place="${point}"] .touch`);
  const next = ["done", "roll", "take", "next"].map(enabled).find(Boolean) ?? lit;
  const box = next.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Where to click for the game to go on: a button that waits, or else a lit checker."""


TIDY = """() => {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  document.getElementById("menu").hidePopover();
  document.activeElement?.blur();
}"""

expect.set_options(timeout=SLOWEST)


class ToldBots(Bots):
    """A judge that counts the race, and bots whose names say what they do with the cube."""

    def __init__(self) -> None:
        super().__init__(EvaluatorAgent(RaceEvaluator(), "judge"))
        self.names = ["judge", *TOLD]

    def head(self, name: str | None, rules: str | Ruleset, ply: int) -> Head:
        played_by = ruleset(rules).name
        if name in TOLD:
            return ToldHead(played_by, **TOLD[name])
        return judging_head(RaceEvaluator(played_by), played_by)


@contextmanager
def board_server() -> Iterator[str]:
    """The address of a server on a free port; it ends with the test run."""
    listener, ready = listen("127.0.0.1", 0), threading.Event()
    threading.Thread(target=serve, args=(create_app(ToldBots()), listener, ready.set), daemon=True).start()
    assert ready.wait(30)
    yield url_of(listener, "127.0.0.1")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Headless Chromium: Playwright's own, or the system's. Skips the test where there is none."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch()
        except Error:
            found = next(filter(None, map(shutil.which, BROWSERS)), None)
            if not found:
                pytest.skip(f"there is no Chromium here: neither Playwright's nor {', '.join(BROWSERS)}")
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


class Seat:
    """A person at the page. Every action waits until the page shows what came of it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.faults: list[str] = []
        page.set_default_timeout(SLOWEST)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: line.type == "error" and self.faults.append(line.text))

    def sit(self, **wishes: Any) -> "Seat":
        """Begin a session by the API, with a seed, and open it on the page."""
        wanted = {"seed": 1, "bot": "taker", "length": 5} | wishes
        made = self.ask("POST", "/api/sessions", wanted)
        self.open(made["id"])
        expect(self.game).to_have_attribute("data-session", made["id"])
        return self

    def open(self, session: str) -> None:
        """Go to the address of a session, without loading the page anew where it is loaded."""
        self.page.goto(f"{self.url}#game={session}")

    def tidy(self) -> None:
        """Close what is open, so that the page can serve another test."""
        self.page.evaluate(TIDY)
        self.page.mouse.move(2, 2)
        self.faults.clear()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What the server answers."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url.rstrip("/") + path, data, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    @property
    def id(self) -> str:
        return self.page.url.partition("#game=")[2]

    @property
    def snapshot(self) -> Any:
        """The session as the server sees it."""
        return self.ask("GET", f"/api/sessions/{self.id}")

    @property
    def game(self):
        return self.page.locator("#game")

    @property
    def phase(self) -> str | None:
        return self.game.get_attribute("data-phase")

    @property
    def lit(self) -> list[int]:
        """The points whose checkers are lit, from the highest on."""
        places = self.page.eval_on_selector_all(
            ".checker.lit", "lit => lit.map(one => Number(one.dataset.point))"
        )
        return sorted(places, reverse=True)

    @property
    def log(self) -> list[str]:
        lines = self.page.locator("#log li").all_inner_texts()
        return [line.translate(ISOLATES) for line in lines]

    def button(self, action: str):
        return self.page.locator(f"#actions [data-act={action}]")

    @contextmanager
    def a_change(self) -> Iterator[None]:
        """What is done in this block changes the session, and the page shows it at its end."""
        before = self.game.get_attribute("data-version")
        yield
        moved_on = "before => document.getElementById('game').dataset.version !== before"
        self.page.wait_for_function(moved_on, arg=before)

    def press(self, action: str) -> None:
        """Press a button under the board."""
        with self.a_change():
            self.button(action).click()

    def middle(self, place: int | str) -> tuple[float, float]:
        """The middle of a point, of the bar or of "off", in pixels."""
        box = self.page.locator(f"[data-place='{place}']").bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def tap(self, place: int) -> None:
        """Tap a checker."""
        with self.a_change():
            self.page.mouse.click(*self.middle(place))

    def drag(self, start: int, end: int | str) -> None:
        """Drag a checker and let it go."""
        self.page.mouse.move(*self.middle(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(end), steps=4)
        self.page.mouse.up()

    def play_on(self) -> None:
        """Do whatever brings the game on: roll, tap a lit checker, pick up the dice, take."""
        with self.a_change():
            self.page.mouse.click(*self.page.evaluate(ONWARD))

    def play_until(self, *phases: str, most: int = 400) -> None:
        """Play on until the session is in one of these phases."""
        for _ in range(most):
            if self.phase in phases:
                return
            self.play_on()
        raise AssertionError(f"still in phase {self.phase} after {most} clicks")
