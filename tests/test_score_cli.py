"""The verbs that ask about the cube: what an ID says about score and cube, and what options change of it."""

import json
import re

import pytest
from cases import cases

from nardzero.cli.main import main

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
MATCH = "XGID=--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10"
ROLLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:3:6:0:7:10"
MONEY = [case for case in cases("judgement", "cube") if "xgid" in case.values[0]]
TABLE = """<met><info><name>halves</name></info>
<pre-crawford-table><row><me>0.5</me><me>0.5</me></row><row><me>0.5</me><me>0.5</me></row></pre-crawford-table>
<post-crawford-table><row><me>0.5</me><me>0.25</me></row></post-crawford-table></met>"""


def answer(capsys, *argv):
    assert main([*argv, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(("given", "expected"), MONEY)
def test_the_verb_gives_the_recorded_verdicts(capsys, given, expected):
    code = main(["cube", given["xgid"]])
    printed = capsys.readouterr()
    if expected["verdict"] in ("cube is dead", "do not own the cube"):
        assert code == 2
        assert re.search("cube is dead|not own the cube", printed.err)
    else:
        assert code == 0
        assert printed.out.splitlines()[-1] in [expected["verdict"], *expected["also_accept"]]


def test_a_match_is_answered_in_chances_and_in_emg(capsys):
    read = answer(capsys, "cube", MATCH)
    assert (read["length"], read["score"], read["crawford"]) == (7, {"x": 0, "o": 2}, False)
    assert 0 < read["mwc"]["no_double"] < read["mwc"]["double_pass"] < 1
    assert read["double_pass"] == pytest.approx(1)
    assert main(["cube", MATCH]) == 0
    text = capsys.readouterr().out
    assert "Match to 7, X 0, O 2, the cube at 1, in the middle." in text
    assert re.search(r"^no double +\+0\.\d{3} +\d\d\.\d\d%$", text, re.MULTILINE)


def test_options_come_before_what_the_id_says(capsys):
    read = answer(capsys, "cube", MATCH, "--score", "3-5", "--length", "9", "--cube", "2", "--owner", "x")
    assert (read["length"], read["score"], read["cube"], read["owner"]) == (9, {"x": 3, "o": 5}, 2, "x")
    assert read["action"].startswith(("Redouble", "No redouble", "Too good to redouble"))
    money = answer(capsys, "cube", MATCH, "--length", "0", "--jacoby")
    assert (money["length"], money["jacoby"], money["mwc"]) == (0, True, None)
    assert main(["cube", START, "--length", "7", "--score", "3-6", "--crawford"]) == 2
    assert "Crawford game" in capsys.readouterr().err
    assert main(["cube", START, "--length", "7", "--score", "8-6"]) == 2
    assert "already won" in capsys.readouterr().err
    assert main(["cube", START, "--score", "many"]) == 2
    assert "is not a score like 3-5" in capsys.readouterr().err


def test_another_table_may_say_what_scores_are_worth(capsys, tmp_path):
    table = tmp_path / "halves.xml"
    table.write_text(TABLE)
    read = answer(capsys, "cube", START, "--length", "2", "--score", "0-1", "--met", str(table))
    assert read["met"] == "halves"
    assert read["mwc"]["double_pass"] == 0.5
    assert main(["cube", START, "--length", "9", "--met", str(table)]) == 2
    assert "up to 2 points away" in capsys.readouterr().err


def test_eval_tells_the_cube_action_and_ranks_plays_at_the_score(capsys):
    read = answer(capsys, "eval", ROLLED)
    assert read["cube_action"]["action"] == "Double, pass"
    plays = read["plays"]
    assert [play["mwc"] for play in plays] == sorted((play["mwc"] for play in plays), reverse=True)
    assert plays[1]["difference"] == pytest.approx(plays[1]["cubeful"] - plays[0]["cubeful"])
    assert plays[0]["equity"] == pytest.approx(
        sum(p * v for p, v in zip(plays[0]["probs"], (3, 2, 1, -1, -2, -3), strict=True)), abs=1e-6
    )
    assert main(["eval", ROLLED, "--crawford"]) == 0
    text = capsys.readouterr().out
    assert "No cube action: nobody may double in the Crawford game." in text
    assert max(map(len, text.splitlines())) <= 80
    last = answer(capsys, "eval", ROLLED, "--length", "1", "--score", "0-0")
    chances = [sum(play["probs"][:3]) for play in last["plays"]]
    assert chances == sorted(chances, reverse=True)
    assert [play["mwc"] for play in last["plays"]] == pytest.approx(chances)


def test_in_money_games_plays_are_ranked_with_the_cube(capsys):
    read = answer(capsys, "eval", "start", "--dice", "31", "--ply", "1", "--top", "3")
    assert read["plays"][0]["play"] == "8/5 6/5"
    assert read["plays"][0]["mwc"] is None
    assert read["plays"][0]["cubeful"] > read["plays"][0]["equity"] > 0


def test_a_finished_game_has_no_cube_action(capsys):
    read = answer(capsys, "eval", "x; o 3:15")
    assert read["cube_action"] is None
    assert "the game is over" in read["no_cube_action"]
