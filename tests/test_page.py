"""The board in a browser: everything that a person does there, in headless Chromium."""

import re
from datetime import datetime, timedelta

import pytest
from browser import Seat, board_server, chromium
from playwright.sync_api import expect

from nardzero.game.rules import RULESETS

THREES = "XGID=-b----E-C---eE---c-e----B-:0:0:1:33:0:0:0:0:10"
SIX_ONE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"
TO_ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
SHORT = "x 2:2 1:1; o 23:2 24:1"
PERSIAN_DIGITS = re.compile("[۰-۹]")


@pytest.fixture(scope="module")
def server():
    with board_server() as url:
        yield url


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


def seat_at(server, browser, width=1280, height=800, still=True, language="en-GB", **settings):
    """A person at a page of his own."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        permissions=["clipboard-read", "clipboard-write"],
        locale=language,
        **settings,
    )
    if still:
        context.add_init_script("localStorage.setItem('nardzero.still', 'true')")
    return Seat(context.new_page(), server)


@pytest.fixture
def seats(server, browser):
    """Makes seats; at the end no script has failed and the page has kept to its security policy."""
    made = []

    def seat(**settings):
        made.append(seat_at(server, browser, **settings))
        return made[-1]

    yield seat
    for each in made:
        assert each.faults == []
        each.page.context.close()


@pytest.fixture(scope="module")
def shared(server, browser):
    return seat_at(server, browser)


@pytest.fixture
def seat(shared):
    """A seat at a page on which other games were played before."""
    yield shared
    faults = list(shared.faults)
    shared.tidy()
    assert faults == []


def dice(seat):
    """The dice on the board: whose they are, and how they lie."""
    return seat.page.locator(".dice .die").evaluate_all(
        "dice => dice.map((die) => [...die.classList].slice(1))"
    )


def test_a_whole_game_is_won_or_lost_by_tapping(seat):
    seat.sit(length=1, bot="judge", seed=28)
    seat.play_until("finished")
    result = seat.snapshot["result"]
    winner = "You have won" if result["winner"] == "you" else "The bot has won"
    expect(seat.page.locator("#status")).to_contain_text(winner)
    expect(seat.page.locator(f"#sheet tr.{result['winner']}")).to_have_count(1)
    assert seat.page.locator(f".off.{result['winner']} .slab").count() == 15


@pytest.mark.slow
@pytest.mark.parametrize("colour", ["white", "black"])
@pytest.mark.parametrize("rules", RULESETS)
def test_whole_matches_in_each_ruleset(seat, rules, colour):
    seat.sit(length=3, rules=rules, seed=3, colour=colour, bot="doubler")
    seat.play_until("finished", most=1500)
    score = seat.snapshot["score"]
    assert max(score.values()) >= 3
    assert seat.page.locator("#sheet tbody tr").count() == len(seat.snapshot["sheet"])


def test_a_tap_uses_the_larger_die_and_the_dice_can_be_swapped_and_taken_back(seat):
    seat.sit(position=SIX_ONE)
    assert seat.lit == [24, 13, 8, 6]
    seat.tap(13)
    assert seat.snapshot["played"] == [{"from": 13, "to": 7, "die": 6, "hit": False}]
    seat.press("undo")
    assert seat.snapshot["played"] == []
    with seat.a_change():
        seat.page.locator(".dice-area").click()
    seat.tap(8)
    assert seat.snapshot["played"] == [{"from": 8, "to": 7, "die": 1, "hit": False}]
    seat.tap(13)
    assert seat.lit == []
    expect(seat.button("done")).to_be_enabled()
    with seat.a_change():
        seat.page.locator(".dice-area").click()
    assert "You played 13/7 8/7." in seat.log
    assert any(line.startswith("The bot rolled") for line in seat.log)


def test_a_checker_is_dragged_to_a_target_and_nowhere_else(seat):
    seat.sit(position=SIX_ONE)
    seat.drag(24, 20)
    seat.drag(13, 24)
    assert seat.snapshot["played"] == []
    seat.page.mouse.move(*seat.middle(13))
    assert seat.page.locator(".target").count() == 2
    with seat.a_change():
        seat.drag(13, 6)
    assert [step["to"] for step in seat.snapshot["played"]] == [7, 6]
    assert seat.page.locator(".target").count() == 0


def test_a_checker_is_borne_off_by_dragging(seat):
    seat.sit(position=SHORT)
    seat.press("roll")
    with seat.a_change():
        seat.drag(2, "off")
    assert seat.page.locator(".off.you .slab").count() == seat.snapshot["off"]["you"]


def test_a_double_is_four_dice_and_four_moves(seat):
    seat.sit(position=THREES)
    assert dice(seat) == [["white", "left"]] * 4
    for place in (24, 24, 21, 21):
        seat.tap(place)
    assert dice(seat) == [["white", "used"]] * 4
    seat.press("done")
    assert "You played 24/18(2)." in seat.log


def test_the_opening_roll_is_one_die_each(seats):
    seat = seats(still=False).sit(seed=1)
    seat.page.clock.install()
    seat.page.clock.pause_at(datetime.now() + timedelta(seconds=30))
    seat.button("roll").click()
    expect(seat.page.locator(".dice .die.white")).to_have_count(1)
    expect(seat.page.locator(".dice .die.black")).to_have_count(1)
    seat.page.clock.resume()
    expect(seat.game).not_to_have_attribute("data-phase", "opening")


def test_the_bots_turn_is_played_out_and_can_be_cut_short(seats):
    seat = seats(still=False).sit(position=THREES)
    for place in (24, 24, 21, 21):
        seat.tap(place)
    seat.button("done").click()
    seat.page.locator(".flying .checker").first.wait_for(state="attached")
    seat.page.mouse.click(5, 5)
    seat.page.mouse.click(*seat.middle(18))
    expect(seat.game).to_have_attribute("data-phase", "roll")
    assert seat.page.locator(".flying .checker").count() == 0


def test_who_asks_for_less_motion_sees_nothing_fly(seats):
    seat = seats(still=False, reduced_motion="reduce").sit(position=THREES)
    flown = seat.page.evaluate(
        """() => {
          const flying = document.querySelector(".flying");
          window.flown = 0;
          new MutationObserver(() => (window.flown += 1)).observe(flying, { childList: true });
          return window.flown;
        }"""
    )
    for place in (24, 24, 21, 21):
        seat.tap(place)
    seat.press("done")
    assert seat.page.evaluate("() => window.flown") == flown == 0


def test_white_has_its_home_on_the_right_and_black_on_the_left(seat):
    seat.sit(colour="white")
    assert seat.middle(1)[0] > seat.middle(12)[0]
    assert seat.middle(1)[1] > seat.middle(24)[1]
    seat.sit(colour="black")
    assert seat.middle(1)[0] < seat.middle(12)[0]
    assert seat.middle(1)[1] > seat.middle(24)[1]
    assert seat.page.locator(".checker.black").count() == 15
    expect(seat.page.locator("#you-strip .token")).to_have_class("token black")


def test_a_forced_turn_is_said(seat):
    seat.sit(position="x bar:2 6:7 5:4 1:2; o 24:2 19:6 18:3 13:4")
    seat.press("roll")
    assert seat.snapshot["forced"]
    expect(seat.page.locator("#status")).to_contain_text("only one way")


def test_a_lost_turn_is_said(seat):
    closed = "o 24:2 23:2 22:2 21:2 20:2 19:2 1:3"
    seat.sit(position=f"x bar:1 13:5 8:4 6:5; {closed}")
    seat.press("roll")
    assert any("No legal move" in line for line in seat.log)
    expect(seat.page.locator("#status")).to_contain_text("your turn is lost")


def test_a_tap_on_the_cube_offers_it(seat):
    seat.sit(position=TO_ROLL, bot="taker")
    with seat.a_change():
        seat.page.locator(".cube-area").click()
    expect(seat.page.locator(".cube .value")).to_have_text("2")
    assert seat.log[-2:] == ["You offer to double, to 2.", "The bot takes. It owns the cube, at 2."]
    assert seat.page.locator(".cube").bounding_box()["y"] < seat.middle(24)[1]
    expect(seat.button("double")).to_be_disabled()


def test_a_bot_that_passes_loses_the_game(seat):
    seat.sit(position=TO_ROLL, bot="passer")
    seat.press("double")
    assert seat.log[-1].startswith("You win 1 point")
    seat.press("next")
    assert seat.phase == "opening"
    expect(seat.page.locator("#you-strip .points")).to_have_text("1")


@pytest.mark.parametrize(("answer", "phase"), [("take", "roll"), ("pass", "over"), ("beaver", "roll")])
def test_the_bot_offers_the_cube_and_the_person_answers(seat, answer, phase):
    seat.sit(position=SIX_ONE.replace(":0:0:10", ":3:0:10"), bot="doubler")
    seat.tap(13)
    seat.tap(8)
    seat.press("done")
    assert seat.phase == "answer"
    expect(seat.page.locator(".cube.offered .value")).to_have_text("2")
    seat.press(answer)
    assert seat.phase in (phase, "play", "over")
    cube = seat.snapshot["cube"]
    assert (cube["value"], cube["owner"]) == {"take": (2, "you"), "pass": (1, None), "beaver": (4, "you")}[
        answer
    ]


def test_resigning_asks_how_much(seat):
    seat.sit(position=TO_ROLL)
    seat.button("resign").click()
    seat.page.get_by_label("gammon: 2 points", exact=True).check()
    with seat.a_change():
        seat.page.locator("#resign-dialog [type=submit]").click()
    assert seat.snapshot["result"]["kind"] == "gammon"
    expect(seat.page.locator("#resign-dialog")).to_be_hidden()


def test_a_refused_resignation_is_said_and_the_game_goes_on(seat):
    seat.sit(position=TO_ROLL, bot="proud")
    seat.button("resign").click()
    with seat.a_change():
        seat.page.locator("#resign-dialog [type=submit]").click()
    expect(seat.page.locator("#toast")).to_contain_text("wants to play on")
    assert seat.phase == "roll"


def test_whoever_comes_first_is_asked_what_to_play(seats):
    seat = seats()
    seat.page.goto(seat.url)
    form = seat.page.locator("#new-dialog form")
    form.get_by_label("Rules").select_option("tavla")
    expect(form.get_by_label("Jacoby")).to_be_hidden()
    form.get_by_label("Rules").select_option("standard")
    form.get_by_label("Length").select_option("0")
    form.get_by_label("Jacoby").check()
    form.get_by_label("Black").check()
    form.get_by_role("button", name="Start").click()
    expect(seat.game).to_have_attribute("data-phase", "opening")
    made = seat.snapshot
    assert (made["length"], made["jacoby"], made["colour"], made["rules"]) == (0, True, "black", "standard")


def test_a_reload_goes_on_where_the_game_stood(seat):
    seat.sit(position=SIX_ONE)
    seat.tap(13)
    said = seat.log
    seat.page.reload()
    expect(seat.game).to_have_attribute("data-phase", "play")
    assert seat.lit == [24, 8, 7, 6]
    assert seat.log == said
    seat.page.goto(seat.url)
    expect(seat.game).to_have_attribute("data-phase", "play")
    assert "#game=" in seat.page.url


def test_a_lost_session_offers_a_new_game(seat):
    seat.sit()
    seat.open("nobody")
    seat.page.locator("#lost-dialog").get_by_role("button", name="New game").click()
    seat.page.locator("#new-dialog [type=submit]").click()
    expect(seat.game).to_have_attribute("data-phase", "opening")
    seat.faults = [fault for fault in seat.faults if "404" not in fault]


def test_a_failed_request_is_said_and_locks_nothing(seat):
    seat.sit(position=TO_ROLL)
    seat.page.route("**/roll", lambda route: route.abort())
    seat.button("roll").click()
    expect(seat.page.locator("#toast")).to_contain_text("The server does not answer")
    seat.page.unroute("**/roll")
    seat.press("roll")
    expect(seat.page.locator("#toast")).to_be_hidden()
    seat.faults = [fault for fault in seat.faults if "ERR_FAILED" not in fault]


def test_a_double_click_does_one_thing(seat):
    seat.sit(position=SIX_ONE)
    seat.tap(13)
    seat.tap(8)
    with seat.a_change():
        seat.button("done").dblclick()
    seat.page.wait_for_timeout(200)
    assert seat.phase == "roll"


def test_two_pages_of_one_session_catch_up(seats):
    first = seats().sit(position=SIX_ONE)
    second = seats()
    second.page.goto(first.page.url)
    expect(second.game).to_have_attribute("data-phase", "play")
    first.tap(13)
    second.page.mouse.click(*second.middle(24))
    expect(second.game).to_have_attribute("data-version", first.game.get_attribute("data-version"))
    assert len(first.snapshot["played"]) == 1
    second.faults = [fault for fault in second.faults if "409" not in fault]


def test_persian_runs_from_right_to_left_and_is_remembered(seats):
    seat = seats(width=390, height=844).sit(position=SIX_ONE)
    seat.page.locator("#open-menu").click()
    seat.page.locator("#language").select_option("fa")
    expect(seat.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(seat.button("undo")).to_have_text("برگشت")
    seat.page.reload()
    expect(seat.game).to_have_attribute("data-phase", "play")
    expect(seat.page.locator("html")).to_have_attribute("lang", "fa")
    labels = seat.page.locator("#board .number").all_text_contents()
    assert all(PERSIAN_DIGITS.match(label) for label in labels)
    seat.tap(13)
    seat.tap(8)
    seat.press("done")
    assert any("13/7 8/7" in line and "بازی کردید" in line for line in seat.log)
    assert not scrolls_sideways(seat)
    assert seat.middle(1)[0] > seat.middle(12)[0], "the board itself is not mirrored"


def test_hungarian_is_spoken_to_a_hungarian_browser(seats):
    seat = seats(language="hu-HU").sit(position=TO_ROLL)
    expect(seat.button("roll")).to_have_text("Dobás")


def scrolls_sideways(seat):
    return seat.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")


def test_a_phone_shows_everything_without_scrolling_sideways(seats):
    seat = seats(width=390, height=844, has_touch=True).sit(position=SIX_ONE)
    for width in (320, 390, 768):
        seat.page.set_viewport_size({"width": width, "height": 844})
        assert not scrolls_sideways(seat)
        heights = seat.page.locator("button.button:visible").evaluate_all(
            "all => all.map((one) => one.offsetHeight)"
        )
        assert min(heights) >= 40
        with seat.a_change():
            seat.page.touchscreen.tap(*seat.middle(13))
        seat.press("undo")
    seat.page.locator("#new-game").click()
    assert not scrolls_sideways(seat)


def test_a_turn_is_played_by_the_keyboard_alone(seat):
    seat.sit(position=TO_ROLL, seed=2)
    keys = seat.page.keyboard
    with seat.a_change():
        keys.press("r")
    assert seat.phase == "play"
    for _ in range(4):
        if seat.button("done").is_enabled():
            break
        keys.press("g")
        focused = seat.page.evaluate("() => document.activeElement.dataset.place")
        assert int(focused) in seat.lit
        with seat.a_change():
            keys.press("Enter")
    with seat.a_change():
        keys.press("u")
    keys.press("g")
    keys.press(" ")
    assert seat.page.evaluate("() => document.activeElement.matches(':focus-visible')")
    with seat.a_change():
        keys.press(" ")
    if seat.button("done").is_enabled():
        with seat.a_change():
            keys.press("f")
    keys.press("?")
    expect(seat.page.locator("#help-dialog")).to_be_visible()
    keys.press("Escape")
    expect(seat.page.locator("#help-dialog")).to_be_hidden()


def test_arrows_walk_over_the_board_as_it_lies(seat):
    for colour, key in (("white", "ArrowLeft"), ("black", "ArrowRight")):
        seat.sit(colour=colour)
        seat.page.locator("[data-place='24']").focus()
        seat.page.keyboard.press(key)
        assert seat.page.evaluate("() => document.activeElement.dataset.place") == "23"
        seat.page.keyboard.press("ArrowDown")
        assert seat.page.evaluate("() => document.activeElement.dataset.place") == "2"


def test_a_screen_reader_is_told_the_board_and_what_happens(seat):
    seat.sit(position=SIX_ONE)
    described = seat.page.locator("#board").get_attribute("aria-describedby")
    text = seat.page.locator(f"#{described}").text_content()
    assert "5 on point 13" in text
    assert "You rolled 6-1. Still to play: 6, 1." in text
    label = seat.page.locator("[data-place='13']").get_attribute("aria-label")
    assert label == "point 13, 5 checkers of yours, can move"
    expect(seat.page.locator("#log")).to_have_attribute("aria-live", "polite")
    seat.tap(13)
    assert "4 on point 13" in seat.page.locator(f"#{described}").text_content()


def test_the_coach_judges_each_decision(seat):
    seat.sit(position=SIX_ONE, bot="judge")
    expect(seat.page.locator("#verdict")).to_be_hidden()
    with seat.a_change():
        seat.page.locator("#coach-switch").click()
    seat.tap(24)
    seat.tap(24)
    seat.press("done")
    judged = next(event for event in seat.snapshot["events"] if event["code"] == "judged")
    card = seat.page.locator("#verdict")
    expect(card.locator(".grade")).to_have_class(re.compile(judged["class"]))
    expect(card.locator(".ranked li")).to_have_count(len(judged["plays"]))
    expect(card.locator(".ranked .chosen .play")).to_have_text(judged["done"])
    expect(card).to_contain_text("Win")
    expect(seat.page.locator("#rating strong")).to_contain_text(f"{500 * judged['lost']:.1f}")


def test_a_hint_shows_plays_and_the_best_as_arrows(seat):
    seat.sit(position=SIX_ONE, bot="judge")
    seat.button("hint").click()
    expect(seat.page.locator("#verdict .ranked li")).to_have_count(5)
    assert seat.page.locator(".arrow").count() == 2
    seat.tap(13)
    assert seat.page.locator(".arrow").count() == 0
    expect(seat.page.locator("#verdict")).to_be_hidden()


def test_ids_are_copied_and_pasted(seat):
    seat.sit(position=SIX_ONE)
    seat.page.locator("#open-menu").click()
    seat.page.locator("#open-position").click()
    seat.page.locator("[data-copy=xgid]").click()
    expect(seat.page.get_by_text("Copied.")).to_be_visible()
    copied = seat.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == seat.snapshot["ids"]["xgid"]
    old = seat.id
    seat.page.locator("#position-dialog [name=position]").fill(THREES)
    seat.page.locator("#position-dialog [type=submit]").click()
    seat.page.locator("#new-dialog [type=submit]").click()
    expect(seat.page.locator("#new-dialog")).to_be_hidden()
    assert seat.id != old
    assert seat.snapshot["dice"]["rolled"] == [3, 3]


def test_a_wrong_id_is_told_in_the_dialog(seat):
    seat.sit(position=SIX_ONE)
    seat.page.locator("#new-game").click()
    seat.page.locator("#new-dialog summary").click()
    seat.page.locator("#new-dialog [name=position]").fill("XGID=nonsense")
    seat.page.locator("#new-dialog [type=submit]").click()
    expect(seat.page.locator("#new-dialog .fault")).to_be_visible()
    expect(seat.page.locator("#new-dialog")).to_be_visible()
    seat.faults = [fault for fault in seat.faults if "422" not in fault]


def test_colours_follow_the_system_and_the_switch(seats):
    seat = seats(color_scheme="light").sit()

    def ground():
        return seat.page.evaluate("() => getComputedStyle(document.body).backgroundColor")

    light = ground()
    seat.page.emulate_media(color_scheme="dark")
    dark = ground()
    assert light != dark
    seat.page.locator("#open-menu").click()
    seat.page.locator("#theme").select_option("light")
    assert ground() == light
    seat.page.reload()
    assert ground() == light


def test_a_match_is_saved_opened_and_stepped_through(seat, tmp_path):
    seat.sit(position=SIX_ONE, length=1)
    seat.tap(13)
    seat.tap(8)
    seat.press("done")
    seat.page.locator("#open-menu").click()
    with seat.page.expect_download() as saving:
        seat.page.locator("#save-match").click()
    saving.value.save_as(tmp_path / "match.mat")
    seat.page.locator("#open-menu").click()
    seat.page.locator("#open-match").click()
    seat.page.locator("[type=file]").set_input_files(tmp_path / "match.mat")
    seat.page.locator("#open-dialog [type=submit]").click()
    viewer = seat.page.locator("#match-dialog")
    expect(viewer.locator(".moves li")).to_have_count(2)
    viewer.locator("[data-go=on]").click()
    expect(viewer.locator(".status")).to_contain_text(re.compile("6-1: .13/7 8/7"))
    seat.page.keyboard.press("ArrowRight")
    expect(viewer.locator(".moves .chosen")).to_have_count(1)
    viewer.get_by_role("button", name="Play from here").click()
    seat.page.locator("#new-dialog [type=submit]").click()
    expect(seat.page.locator("#new-dialog")).to_be_hidden()
