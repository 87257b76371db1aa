"""The command line: what the verbs print, and what bad input gets."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from fakes import write_bot

from nardzero.cli.main import VERBS, main

START = "4HPwATDgc/ABMA"


@pytest.fixture(scope="module")
def bots(tmp_path_factory):
    """A folder with the tiny bots `standard` and `takhteh`."""
    folder = tmp_path_factory.mktemp("bots")
    for rules in ("standard", "takhteh"):
        write_bot(folder / rules, rules)
    return folder


@pytest.fixture(autouse=True)
def _tiny_bots_are_shipped(bots, monkeypatch):
    from nardzero.model import store

    monkeypatch.setattr(store, "shipped", lambda kind: bots)


def output(capsys, *argv):
    assert main(argv) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def answer(capsys, *argv):
    return json.loads(output(capsys, *argv, "--json"))


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_every_verb_has_help_with_examples(capsys, verb):
    with pytest.raises(SystemExit) as stopped:
        main([*filter(None, [verb]), "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert f"nardzero {verb}" in text
    assert "examples:" in text
    assert max(map(len, text.splitlines())) <= 80


BAD_INPUT = {
    "no verb": [],
    "unknown verb": ["fly"],
    "unknown option": ["eval", START, "--fast"],
    "no position": ["eval"],
    "broken ID": ["eval", "4HPwATDgc"],
    "no position at all": ["eval", "hello world"],
    "overlap": ["eval", "x 6:2; o 6:1"],
    "both off": ["eval", "x; o"],
    "seven": ["eval", START, "--dice", "71"],
    "three dice": ["eval", START, "--dice", "111"],
    "dice after the end": ["eval", "x; o 2:3", "--dice", "31"],
    "no number": ["eval", START, "--dice", "31", "--top", "many"],
    "no plays": ["eval", START, "--dice", "31", "--top", "0"],
    "unknown rules": ["eval", START, "--rules", "chess"],
    "unknown bot": ["eval", START, "--bot", "nobody"],
    "a file for a bot": ["eval", START, "--bot", __file__],
    "a folder that is no bot": ["eval", START, "--bot", "."],
    "a bot without a name": ["eval", START, "--bot", ""],
    "a path through a file": ["info", f"{__file__}/bot"],
    "a name too long": ["info", "x" * 5000],
    "roll out nothing": ["rollout"],
    "roll out no games": ["rollout", "start", "--games", "0"],
    "roll out to no error": ["rollout", "start", "--se", "0"],
    "roll out too deeply": ["rollout", "start", "--ply", "5"],
    "cut off at once": ["rollout", "start", "--truncate", "0"],
    "unknown agent": ["arena", "random", "nobody"],
    "one agent": ["arena", "random"],
    "no games": ["arena", "random", "pips", "--games", "0"],
    "half a game": ["arena", "random", "pips", "--games", "1.5"],
    "negative seed": ["arena", "random", "pips", "--seed", "-1"],
    "no workers": ["arena", "random", "pips", "--workers", "0"],
    "an error of nothing": ["arena", "random", "pips", "--se", "0"],
    "no error": ["arena", "random", "pips", "--se", "small"],
    "luck by one who cannot judge": ["arena", "random", "pips", "--luck", "pips"],
    "luck by an engine at no ply": ["arena", "random", "pips", "--luck", "gnubg:7"],
    "a log nowhere": ["arena", "random", "pips", "--log", "nowhere/duels.jsonl"],
    "a log of something else": ["ladder", "random", "pips", "--log", __file__],
    "a ladder of one": ["ladder", "random"],
    "a ladder without anchors": ["ladder", "random", "--against"],
    "an agent twice": ["ladder", "random", "random"],
    "a ladder of too few games": ["ladder", "random", "pips", "--games", "2"],
    "Jacoby in a match": ["play", "--terminal", "--length", "3", "--jacoby"],
    "arena by unknown rules": ["arena", "random", "pips", "--rules", "go"],
    "nobody to decide": ["decisions", "nobody"],
    "unknown config": ["train", "nothing.toml"],
    "a folder for a config": ["train", "."],
    "no TOML": ["train", __file__],
    "unknown field": ["train", "--set", "train.gmes=1"],
    "wrong type": ["train", "--set", "train.games=many"],
    "no setting": ["train", "--set", "train.games"],
    "a run to resume that is none": ["train", "--resume", "nothing"],
    "resume with a config": ["train", "quick", "--resume", "nothing"],
    "a path for a name": ["train", "--name", "../here"],
    "a seed too large": ["train", "--set", f"train.seed={2**64}"],
    "nowhere": ["info", "nowhere"],
}


@pytest.mark.parametrize("argv", BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_gets_one_sentence_and_code_2(capsys, argv):
    assert main(argv) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"nardzero: [^\n]{10,}\n", printed.err)


def test_arena_prints_the_result_for_people(capsys):
    text = output(capsys, "arena", "pips", "random", "--games", "100")
    assert re.search(r"pips v random: \+\d\.\d{3} ± 0\.\d{3} points per game", text)
    assert "standard rules" in text
    assert max(map(len, text.splitlines())) <= 80


def test_arena_prints_json(capsys):
    read = answer(capsys, "arena", "random", "pips", "--games", "51", "--seed", "7", "--rules", "tavla")
    assert (read["a"], read["b"], read["games"], read["seed"]) == ("random", "pips", 52, 7)
    assert read["rules"] == "tavla"
    assert read["ppg"] < 0 < read["stderr"]


def test_arena_shares_the_games_among_workers(capsys):
    argv = ["arena", "random", "pips", "--games", "1000"]
    assert answer(capsys, *argv, "--workers", "2") == answer(capsys, *argv)


def test_arena_adjusts_for_luck_stops_by_itself_and_keeps_the_result(capsys, tmp_path):
    log = tmp_path / "duels.jsonl"
    argv = ["arena", "random", "pips", "--games", "20", "--se", "9", "--luck", "standard", "--log", str(log)]
    text = output(capsys, *argv)
    assert re.search(
        r"less the luck, as standard sees it: -\d\.\d{3} ± \d\.\d{3}, its error \d+\.\d times ", text
    )
    assert max(map(len, text.splitlines())) <= 80
    read = answer(capsys, *argv)
    assert read["luck"]["judge"] == "standard"
    first, second = map(json.loads, log.read_text().splitlines())
    assert first["luck"] == second["luck"] == read["luck"]
    assert first["asked"] == {"games": 20, "se": 9.0, "luck": "standard"}
    assert (first["command"], second["command"]) == (
        " ".join(["nardzero", *argv]),
        f"{first['command']} --json",
    )
    assert first["cpu_seconds"] > 0


def test_arena_says_when_the_error_stays_too_large(capsys):
    argv = ["arena", "random", "pips", "--games", "20", "--se", "0.0001"]
    assert output(capsys, *argv).endswith("did not come down to 0.0001 in so many games.\n")
    assert answer(capsys, *argv)["games"] == 20


def test_ladder_prints_a_table_and_goes_on_from_its_log(capsys, tmp_path):
    log, png = tmp_path / "ladder.jsonl", tmp_path / "ladder.png"
    argv = ["ladder", "random", "pips", "--games", "40", "--log", str(log)]
    text = output(capsys, *argv, "--png", str(png))
    assert re.search(r"^pips +\+\d+ ± \d+ +\+\d\.\d{3} ± 0\.\d{3} +\d+\.\d% +40$", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 80
    assert png.read_bytes().startswith(b"\x89PNG")
    read = answer(capsys, *argv)
    assert [standing["name"] for standing in read["standings"]] == ["pips", "random"]
    assert len(log.read_text().splitlines()) == len(read["duels"]) == 1


def test_ladder_against_anchors(capsys):
    read = answer(capsys, "ladder", "random", "--against", "pips", "--games", "20", "--rules", "tavla")
    assert (read["anchor"], read["duels"][0]["rules"]) == ("pips", "tavla")
    assert {standing["name"]: standing["ppg"] < 0 for standing in read["standings"]} == {
        "pips": False,
        "random": True,
    }


def test_without_matplotlib_a_ladder_is_refused_before_it_is_played(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("nardzero.play.chart.find_spec", lambda name: None)
    assert main(["ladder", "random", "pips", "--png", str(tmp_path / "ladder.png")]) == 2
    assert re.fullmatch(r'nardzero: [^\n]*pip install "nardzero\[notebook\]"\n', capsys.readouterr().err)


def test_arena_plays_a_bot_by_its_own_rules(capsys, bots):
    assert answer(capsys, "arena", str(bots / "takhteh"), "random", "--games", "2")["rules"] == "takhteh"


def test_eval_draws_judges_and_ranks(capsys):
    text = output(capsys, "eval", START, "--dice", "31")
    assert "13-14-15-16-17-18" in text
    assert "standard rules" in text
    assert "exclusive" in text
    assert (
        len(re.findall(r"^ *\d+ .*/.*[+-]\d\.\d{3}  [+-]\d\.\d{3} ( +\d+\.\d){6}$", text, re.MULTILINE)) == 16
    )
    assert max(map(len, text.splitlines())) <= 80


def test_eval_without_dice_ranks_nothing(capsys):
    read = answer(capsys, "eval", START)
    assert read["plays"] == []
    assert sum(read["probs"]) == pytest.approx(1)


def test_eval_prints_json(capsys):
    read = answer(capsys, "eval", START, "--dice", "31", "--top", "3")
    assert (read["id"], read["dice"], read["bot"], read["rules"]) == (START, [3, 1], "standard", "standard")
    assert read["cumulative"]["win"] == pytest.approx(sum(read["probs"][:3]))
    first, second, third = read["plays"]
    assert first["difference"] == 0 >= second["difference"] >= third["difference"]
    assert first["equity"] == pytest.approx(np.dot(first["probs"], (3, 2, 1, -1, -2, -3)))


@pytest.mark.parametrize(
    "position",
    [
        "start",
        START,
        "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    ],
)
def test_eval_takes_every_notation(capsys, position):
    assert answer(capsys, "eval", position)["id"] == START


def test_eval_takes_the_dice_of_the_id_unless_told_others(capsys):
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:0:0:0:0:10"
    read = answer(capsys, "eval", xgid)
    assert (read["turn"], read["dice"]) == ("o", [5, 2])
    assert answer(capsys, "eval", xgid, "--dice", "64")["dice"] == [6, 4]


def test_eval_takes_the_shipped_bot_for_the_rules(capsys):
    assert answer(capsys, "eval", "start", "--rules", "takhteh")["bot"] == "takhteh"
    nackgammon = answer(capsys, "eval", "start", "--rules", "nackgammon")
    assert (nackgammon["bot"], nackgammon["position"]) == (
        "standard",
        "x 6:4 8:3 13:4 23:2 24:2; o 1:2 2:2 12:4 17:3 19:4",
    )


def test_eval_plays_by_the_rules_of_the_bot(capsys):
    assert answer(capsys, "eval", "start", "--bot", "takhteh")["rules"] == "takhteh"
    text = output(capsys, "eval", "start", "--bot", "takhteh", "--rules", "standard")
    assert "standard rules" in text
    assert "trained for takhteh rules" in text


def test_eval_knows_a_finished_game(capsys):
    read = answer(capsys, "eval", "x; o 3:15")
    assert (read["probs"], read["equity"]) == ([1, 0, 0, 0, 0, 0], 3)
    assert "over" in output(capsys, "eval", "x; o 3:15")


SHORT = ["--games", "36", "--truncate", "2"]


def test_rollout_ranks_plays_with_errors(capsys):
    text = output(capsys, "rollout", START, "--dice", "31", "--top", "4", *SHORT)
    assert "cut off after 2 plies" in text
    pattern = r"^ *\d+ .*/.*( +[+-]\d\.\d{4} ± \d\.\d{4}){1,2} +36$"
    assert len(re.findall(pattern, text, re.MULTILINE)) == 4
    assert len(re.findall(r"^ *\d+ .*/.*( +\d+\.\d){6}$", text, re.MULTILINE)) == 4
    assert max(map(len, text.splitlines())) <= 80


def test_rollout_of_a_position_says_how_games_went(capsys):
    text = output(capsys, "rollout", "start", *SHORT, "--rules", "takhteh")
    assert re.search(r"^Equity [+-]\d\.\d{4} ± \d\.\d{4}, 36 games$", text, re.MULTILINE)
    assert "takhteh rules" in text
    assert "The game is over" in output(capsys, "rollout", "x; o 3:15")


def test_rollout_prints_json(capsys):
    read = answer(capsys, "rollout", START, "--dice", "31", "--top", "2", "--seed", "7", *SHORT)
    assert (read["id"], read["dice"], read["seed"], read["truncate"]) == (START, [3, 1], 7, 2)
    first, second = read["plays"]
    assert first["difference"] == 0 > second["difference"]
    assert second["difference_stderr"] > 0
    alone = answer(capsys, "rollout", START, "--ply", "1", "--games", "4", "--truncate", "1")
    assert (alone["ply"], alone["games"]) == (1, 4)
    assert alone["equity"] == pytest.approx(np.dot(alone["probs"], (3, 2, 1, -1, -2, -3)), abs=0.02)


def test_info_tells_what_a_bot_is(capsys, bots):
    text = output(capsys, "info", str(bots / "takhteh"))
    for fact in ("takhteh", "208 inputs - 8 - 6 outcomes", "1,726", "model.safetensors", "% wins"):
        assert fact in text
    read = answer(capsys, "info", "takhteh")
    assert read["parameters"] == 1726
    assert read["card"]["ruleset"] == "takhteh"
    assert set(read["files"]) == {"model.json", "model.safetensors"}


def test_info_shows_where_a_configuration_differs(capsys, bots):
    card = bots / "standard" / "model.json"
    before = card.read_text()
    try:
        facts = json.loads(before) | {"config": {"train": {"games": 7, "seed": 0}, "later": {"field": [1]}}}
        card.write_text(json.dumps(facts))
        assert answer(capsys, "info", "standard")["differs"] == {"train.games": 7, "later.field": [1]}
    finally:
        card.write_text(before)


@pytest.fixture
def calls(monkeypatch):
    """What the training loop was asked to do, instead of doing it."""
    from nardzero.learn import run

    asked = []

    def train(config, folder):
        asked.append(("train", config, folder))
        return folder / "games-1"

    def resume(folder, overrides):
        asked.append(("resume", overrides, folder))
        return folder / "games-2"

    monkeypatch.setattr(run, "train", train)
    monkeypatch.setattr(run, "resume", resume)
    return asked


def test_train_runs_a_configuration_and_says_what_next(capsys, tmp_path, calls):
    config = tmp_path / "mine.toml"
    config.write_text("[train]\ngames = 500\n")
    text = output(capsys, "train", str(config), "--set", "train.seed=3", "--out", str(tmp_path / "runs"))
    ((verb, asked, folder),) = calls
    assert (verb, asked.train.games, asked.train.seed) == ("train", 500, 3)
    assert folder == tmp_path / "runs" / "mine"
    assert f"saved {folder / 'games-1'}" in text
    assert f"nardzero info {folder}" in text


def test_train_wants_sections_in_its_configuration(capsys, tmp_path, calls):
    config = tmp_path / "flat.toml"
    config.write_text("train = 3\n")
    assert main(["train", str(config), "--set", "train.games=5", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "nardzero: train is a section with fields, not a value\n"
    assert not calls


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "../above", "a/path"])
def test_train_wants_a_name_that_is_no_path(capsys, tmp_path, calls, name):
    assert main(["train", "--name", name, "--out", str(tmp_path)]) == 2
    assert re.fullmatch(r"nardzero: --name is letters, [^\n]*\n", capsys.readouterr().err)
    assert not calls


def test_train_does_not_touch_a_run_that_is_there(capsys, tmp_path, calls):
    (tmp_path / "run").mkdir()
    output(capsys, "train", "--out", str(tmp_path))
    assert calls[0][2] == tmp_path / "run-2"


def test_train_resumes(capsys, tmp_path, calls):
    text = output(capsys, "train", "--resume", str(tmp_path), "--set", "train.games=9")
    assert calls == [("resume", ["train.games=9"], tmp_path)]
    assert "games-2" in text


def test_train_lists_every_field(capsys):
    text = output(capsys, "train", "--fields")
    for field in ("train.games", "learn.lambda_start", "net.hidden", "selfplay.rules"):
        assert field in text


def test_ctrl_c_is_quiet(capsys, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("nardzero.cli.arena.duel", interrupted)
    assert main(["arena", "random", "pips"]) == 130
    assert capsys.readouterr() == ("", "")


def nardzero(*argv, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "nardzero", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])} | settings,
    )


def test_the_module_runs_as_a_command():
    out, err = nardzero("--version").communicate()
    assert out.decode().startswith("nardzero ")
    assert err == b""


def test_a_reader_that_goes_away_is_no_fault():
    process = nardzero("arena", "pips", "random", "--games", "2")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


def test_a_terminal_without_unicode_still_gets_the_result():
    out, err = nardzero("arena", "pips", "random", "--games", "2", PYTHONIOENCODING="ascii").communicate()
    assert b"pips v random" in out
    assert err == b""


def test_help_and_the_weak_agents_do_not_wait_for_pytorch():
    code = (
        "import sys; from nardzero.cli.main import main; main(['arena', 'random', 'pips', '--games', '2']); "
        "sys.exit('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_eval_looks_ahead_and_says_how_far(capsys, tmp_path):
    bot = str(write_bot(tmp_path / "bot"))
    assert main(["eval", "start", "--dice", "31", "--bot", bot, "--ply", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ply"] == 1
    assert {play["ply"] for play in told["plays"]} == {0, 1}
    assert main(["eval", "start", "--dice", "31", "--bot", f"{bot}@1", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["ply"] == 1
    assert again["plays"][0]["play"] == told["plays"][0]["play"]
    assert main(["eval", "start", "--bot", bot, "--ply", "9"]) == 2
    assert "from 0 to 4 plies" in capsys.readouterr().err
