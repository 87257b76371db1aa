"""The server over HTTP: sessions played to the end, questions, faults, and who may ask at all."""

import asyncio
import json
import random
import threading

import pytest
from clicks import ToldHead
from fakes import RaceEvaluator

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from nardzero.game.rules import RULESETS
from nardzero.play.agents import EvaluatorAgent, RandomAgent
from nardzero.play.matchfile.folder import MatchFolder
from nardzero.play.matchfile.read import parse_match
from nardzero.web.app import create_app
from nardzero.web.bots import Bots
from nardzero.web.faults import Refused
from nardzero.web.rooms import Rooms
from nardzero.web.thinker import Thinker

HERE = "http://127.0.0.1:8000"
JUDGE = EvaluatorAgent(RaceEvaluator(), "judge", RULESETS["standard"])
START = "4HPwATDgc/ABMA"
LEFT_OUT = {"hint", "coach", "bot", "undo", "resign", "pass"}


def serving(agent, folder=None, **settings):
    return TestClient(create_app(Bots(agent), folder, **settings), base_url=HERE)


@pytest.fixture(scope="module")
def quick():
    with serving(RandomAgent()) as client:
        yield client


@pytest.fixture(scope="module")
def judging():
    with serving(JUDGE) as client:
        yield client


def begin(client, **asked):
    response = client.post("/api/sessions", json=asked)
    assert response.status_code == 201, response.text
    return response.json()


def act(client, view, action, **body):
    response = client.post(f"/api/sessions/{view['id']}/{action}", json={"version": view["version"], **body})
    assert response.status_code == 200, response.text
    return response.json()


def told(response, status, code):
    """The sentence of a refusal."""
    assert response.status_code == status, response.text
    (error,) = response.json().values()
    assert error["code"] == code
    assert len(error["message"]) > 10
    assert "\n" not in error["message"]
    return error["message"]


def play(client, view, person):
    """Click at random until the match is over."""
    for _ in range(5000):
        actions = [one for one in view["actions"] if one not in LEFT_OUT]
        if not actions:
            return view
        action = person.choice(actions)
        body = {}
        if action == "step":
            move = person.choice(view["moves"])
            body = {name: move[name] for name in person.choice([("from", "to"), ("from",)])}
        view = act(client, view, action, **body)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("rules", RULESETS)
def test_matches_are_played_to_the_end_and_kept(rules, tmp_path):
    with serving(RandomAgent(), MatchFolder(tmp_path)) as client:
        view = play(client, begin(client, rules=rules, length=1, seed=3, name="Ali"), random.Random(1))
        assert view["phase"] == "finished"
        assert view["winner"] in ("you", "bot")
        assert view["events"][-1]["code"] == "saved"
        (name,) = (file["name"] for file in client.get("/api/matches").json()["files"])
        shown = client.get(f"/api/matches/{name}").json()
        assert (shown["players"], shown["rules"], shown["length"]) == (["Ali", "random"], rules, 1)
        again = client.get(f"/api/sessions/{view['id']}/match.mat")
        assert again.headers["content-disposition"].startswith("attachment")
        assert again.text == (tmp_path / name).read_text("utf-8")
        assert client.post("/api/matches", json={"text": again.text}).json() == shown


def test_the_file_is_written_once_and_at_the_latest_when_the_server_stops(tmp_path):
    with serving(RandomAgent(), MatchFolder(tmp_path)) as client:
        view = begin(client, seed=1)
        while view["phase"] != "play":
            view = act(client, view, "roll")
        client.post(f"/api/sessions/{view['id']}/resign", json={"kind": "backgammon"})
        assert list(tmp_path.iterdir()) == []
    (path,) = tmp_path.iterdir()
    assert parse_match(path.read_text("utf-8")).games[0].points == 3


def test_a_reload_shows_the_same_with_all_events_of_the_game(quick):
    view = begin(quick, seed=5, colour="black", name="Ali")
    seen = list(view["events"])
    for _ in range(6):
        action = next(one for one in ("done", "step", "roll") if one in view["actions"])
        body = {"from": view["moves"][0]["from"]} if action == "step" else {}
        view = act(quick, view, action, **body)
        seen += view["events"]
    again = quick.get(f"/api/sessions/{view['id']}").json()
    assert again["events"] == seen
    assert {**again, "events": view["events"]} == view
    assert (again["colour"], again["name"]) == ("black", "Ali")


def test_several_games_go_on_at_once(quick):
    first, second = begin(quick, seed=1, length=3), begin(quick, seed=2, length=7)
    first = act(quick, first, "roll")
    assert quick.get(f"/api/sessions/{second['id']}").json() == second
    assert quick.get(f"/api/sessions/{first['id']}").json()["length"] == 3


def test_a_double_click_does_nothing_the_second_time(quick):
    view = begin(quick, position="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10")
    act(quick, view, "step", **{"from": 8})
    again = quick.post(f"/api/sessions/{view['id']}/step", json={"from": 8, "version": view["version"]})
    told(again, 409, "stale")


def test_an_illegal_play_cannot_be_made_to_stand(quick):
    view = begin(quick, position="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10")
    url = f"/api/sessions/{view['id']}"
    assert "no checker" in told(quick.post(f"{url}/step", json={"from": 7}), 409, "illegal_move")
    told(quick.post(f"{url}/step", json={"from": 8, "to": 2}), 409, "illegal_move")
    told(quick.post(f"{url}/done", json={}), 409, "illegal_move")
    told(quick.post(f"{url}/double", json={}), 409, "not_now")
    assert quick.get(url).json()["board"] == view["board"]


def test_undo_swap_and_a_checker_that_plays_both_dice(quick):
    view = begin(quick, position="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10")
    assert view["dice"]["left"] == [3, 1]
    view = act(quick, view, "swap")
    assert view["dice"]["left"] == [1, 3]
    view = act(quick, view, "step", **{"from": 24, "to": 20})
    assert [step["die"] for step in view["played"]] == [1, 3]
    assert "done" in view["actions"]
    view = act(quick, view, "undo")
    assert view["dice"]["used"] == [1]
    view = act(quick, view, "undo", all=True)
    assert view["played"] == []


def test_the_coach_says_what_a_play_gave_away(judging):
    view = begin(judging, position="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", coach=True)
    hint = judging.post(f"/api/sessions/{view['id']}/hint", json={}).json()
    assert hint["kind"] == "play"
    view = act(judging, view, "step", **{"from": 24, "to": 20})
    view = act(judging, view, "done")
    (verdict,) = (event for event in view["events"] if event["code"] == "judged")
    assert (verdict["decision"], verdict["done"]) == ("play", "24/20")
    assert any(play["chosen"] for play in verdict["plays"])
    assert verdict["best"] == hint["plays"][0]["play"]
    assert view["coach"]["decisions"] == 1
    assert view["coach"]["pr"] == pytest.approx(500 * verdict["lost"], abs=0.01)
    view = act(judging, view, "coach", on=False)
    assert not view["coach"]["on"]


def test_a_cube_decision_is_judged_and_hinted(judging):
    view = begin(judging, position=START, length=0, coach=True)
    hint = judging.post(f"/api/sessions/{view['id']}/hint", json={}).json()
    assert hint["cube"]["action"] == "No double, take"
    view = act(judging, view, "double")
    verdict = next(event for event in view["events"] if event["code"] == "judged")
    assert (verdict["decision"], verdict["done"], verdict["best"]) == ("double", "double", "roll")
    given_away = hint["cube"]["no_double"] - hint["cube"]["double_take"]
    assert verdict["lost"] == pytest.approx(given_away, abs=1e-4)
    assert verdict["class"] == ("blunder" if given_away >= 0.08 else "error")
    assert view["cube"]["value"] == 2


def test_a_bot_that_cannot_judge_cannot_coach(quick):
    view = begin(quick, coach=True)
    assert not view["coach"]["on"]
    told(quick.post(f"/api/sessions/{view['id']}/coach", json={"on": True}), 409, "not_now")
    told(quick.post(f"/api/sessions/{view['id']}/hint", json={}), 409, "not_now")


def test_another_ply_goes_on_for_the_bot(judging):
    view = act(judging, begin(judging), "bot", ply=1)
    assert (view["bot"], view["ply"]) == ("judge", 1)


def test_a_closed_session_is_gone(quick):
    view = begin(quick)
    assert quick.delete(f"/api/sessions/{view['id']}").status_code == 204
    told(quick.get(f"/api/sessions/{view['id']}"), 404, "no_session")


def test_options_say_what_can_be_chosen(judging):
    options = judging.get("/api/options").json()
    assert [rules["name"] for rules in options["rules"]] == list(RULESETS)
    assert options["defaults"]["bot"] == "judge"
    assert {"standard", "judge"} <= {bot["name"] for bot in options["bots"]}


def test_programs_ask_about_a_position_its_plays_and_the_cube(judging):
    asked = {"position": START, "bot": "judge"}
    judged = judging.post("/api/evaluate", json=asked).json()
    assert judged["id"] == START
    assert sum(judged["probs"]) == pytest.approx(1, abs=1e-4)
    assert judged["cumulative"]["win"] == pytest.approx(sum(judged["probs"][:3]), abs=1e-4)
    ranked = judging.post("/api/plays", json={**asked, "dice": [3, 1], "top": 3}).json()["plays"]
    behind = [play["difference"] for play in ranked]
    assert behind == sorted(behind, reverse=True)
    assert len(ranked) == 3
    deeper = judging.post("/api/plays", json={**asked, "dice": [3, 1], "top": 1, "ply": 1}).json()
    assert deeper["plays"][0]["ply"] == 1
    action = judging.post("/api/cube", json=asked).json()
    assert action["action"] == "No double, take"


BAD = {
    "no JSON": ({"content": b"{"}, 400, "bad_json"),
    "not UTF-8": ({"content": b'{"position": "\xff"}'}, 400, "bad_json"),
    "a list": ({"json": [1]}, 422, "invalid"),
    "null": ({"json": None}, 422, "invalid"),
    "no position": ({"json": {}}, 422, "invalid"),
    "a number": ({"json": {"position": 3}}, 422, "invalid"),
    "a bad ID": ({"json": {"position": "hello"}}, 422, "invalid"),
    "an unknown field": ({"json": {"position": START, "fast": True}}, 422, "invalid"),
    "an unknown bot": ({"json": {"position": START, "bot": "../../etc"}}, 422, "invalid"),
    "unknown rules": ({"json": {"position": START, "rules": "go"}}, 422, "invalid"),
    "too deep": ({"json": {"position": START, "ply": 3}}, 422, "invalid"),
    "a word for a number": ({"json": {"position": START, "ply": "1"}}, 422, "invalid"),
    "true for a number": ({"json": {"position": START, "ply": True}}, 422, "invalid"),
    "too long": ({"json": {"position": "x" * 1000}}, 422, "invalid"),
    "too large": ({"json": {"position": "x" * 2_000_000}}, 413, "too_large"),
    "deeply nested": ({"content": b"[" * 100_000}, 400, "bad_json"),
}


@pytest.mark.parametrize(("sent", "status", "code"), BAD.values(), ids=BAD)
def test_bad_input_gets_a_status_and_one_sentence(judging, sent, status, code):
    told(judging.post("/api/evaluate", headers={"Content-Type": "application/json"}, **sent), status, code)


def test_dice_that_are_missing_or_wrong_are_told(judging):
    assert "dice" in told(judging.post("/api/plays", json={"position": START}), 422, "invalid")
    told(judging.post("/api/plays", json={"position": START, "dice": [7, 1]}), 422, "invalid")
    told(judging.post("/api/plays", json={"position": START, "dice": [1]}), 422, "invalid")


def test_unknown_addresses_and_methods_are_told(quick):
    told(quick.get("/api/nothing"), 404, "not_found")
    told(quick.get("/nothing"), 404, "not_found")
    told(quick.get("/static/../app.py"), 404, "not_found")
    told(quick.get("/static/%2e%2e/app.py"), 404, "not_found")
    told(quick.put("/api/options", json={}), 405, "no_such_method")
    told(quick.get("/api/sessions/none"), 404, "no_session")
    told(quick.get("/api/matches/none.mat"), 404, "no_file")
    told(quick.post("/api/matches", json={"text": "hello"}), 422, "invalid")


def test_an_unknown_length_is_cut_off_at_the_limit(quick):
    def endless():
        for _ in range(40):
            yield b" " * 100_000

    sent = quick.post("/api/evaluate", content=endless(), headers={"Content-Type": "application/json"})
    told(sent, 413, "too_large")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:8000"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": ""},
        {"Host": "[::1"},
        {"Host": "[localhost]"},
        {"Origin": "http://[::1"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "null"},
    ],
    ids=str,
)
def test_pages_of_other_sites_are_refused(quick, headers):
    told(quick.post("/api/sessions", json={}, headers=headers), 403, "forbidden")


def test_a_form_of_another_page_is_refused(quick):
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        sent = quick.post("/api/sessions", content=b"{}", headers={"Content-Type": kind})
        told(sent, 415, "not_json")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST"])
def test_the_names_of_this_machine_are_served(quick, host):
    assert quick.get("/api/options", headers={"Host": host}).status_code == 200


def test_on_other_addresses_any_name_is_served():
    with serving(RandomAgent(), hosts=None) as client:
        assert client.get("/api/options", headers={"Host": "board.example"}).status_code == 200


def test_every_answer_keeps_the_browser_to_this_server(quick):
    for path in ("/docs", "/api/options", "/nothing"):
        headers = quick.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_documentation_needs_nothing_from_elsewhere(quick):
    page = quick.get("/docs")
    assert page.status_code == 200
    for path in quick.get("/openapi.json").json()["paths"]:
        assert path in page.text
    assert "http://" not in page.text.replace("http://127.0.0.1", "")
    assert "https://" not in page.text


def test_too_many_sittings_push_out_the_one_that_waited_longest(tmp_path):
    from clicks import sit

    rooms = Rooms(MatchFolder(tmp_path), most=2)
    first, second = (rooms.open(sit(ToldHead()), "You", "white") for _ in range(2))
    rooms.act(first.id, lambda sitting: sitting.roll())
    third = rooms.open(sit(ToldHead()), "You", "white")
    assert len(rooms) == 2
    with pytest.raises(Refused, match="no such game"):
        rooms.find(second.id)
    rooms.open(sit(ToldHead()), "You", "white")
    with pytest.raises(Refused):
        rooms.find(first.id)
    assert rooms.find(third.id)


def test_more_work_than_can_wait_is_refused():
    async def crowd():
        thinker, gate = Thinker(most_waiting=2), threading.Event()
        working = [asyncio.create_task(thinker.do(gate.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await thinker.do(lambda: None)
        gate.set()
        await asyncio.gather(*working)
        thinker.stop()
        return refused.value.status

    assert asyncio.run(crowd()) == 503


def test_what_breaks_is_told_without_details(quick, monkeypatch):
    monkeypatch.setattr(Rooms, "find", lambda *_: 1 / 0)
    with serving(RandomAgent()) as client:
        lenient = TestClient(client.app, base_url=HERE, raise_server_exceptions=False)
        message = told(lenient.get("/api/sessions/x"), 500, "broken")
        assert "division" not in message


def test_snapshots_are_plain_json(quick):
    view = act(quick, begin(quick, seed=2), "roll")
    assert json.loads(json.dumps(view)) == view
