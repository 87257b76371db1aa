"""Training end to end: it learns, it stops and goes on, and its files survive."""

import itertools
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dying
import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from strategies import played
from tiny import TINY, equal, scalars, weights

from nardzero import RULESETS, flip
from nardzero.cli.main import main
from nardzero.game.bits import flip_padded, pad, segment_starts
from nardzero.game.dice import throw
from nardzero.game.movegen import afterstates
from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards
from nardzero.game.text import parse_position
from nardzero.learn.config import ConfigError, load_config
from nardzero.learn.run import resume, train
from nardzero.learn.saves import restore, save
from nardzero.learn.selfplay import SelfPlay
from nardzero.learn.stopwatch import Stopwatch
from nardzero.learn.trainer import Trainer
from nardzero.model.checkpoint import InvalidCheckpoint, load_model
from nardzero.model.evaluator import after_probs
from nardzero.model.folded import FoldedNet
from nardzero.model.grow import CannotGrow
from nardzero.model.net import ValueNet
from nardzero.model.sieve import Sieve
from nardzero.model.store import UnknownBot, load, saves
from nardzero.play.agents import agent
from nardzero.play.arena import duel

LOGGED = load_config(None, [*TINY, "train.duel_every=150", "train.duel_games=2"])


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A finished tiny run."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    train(LOGGED, folder)
    return folder


def state(folder: Path) -> dict[str, torch.Tensor]:
    """Everything that a save holds for going on, as tensors."""
    return load_file(folder / "trainer.safetensors")


def interrupt(monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    """Ctrl-C while a run plays its window of that number."""
    windows, play = itertools.count(1), Trainer.window

    def interrupted(trainer):
        if next(windows) == window:
            signal.raise_signal(signal.SIGINT)
        return play(trainer)

    monkeypatch.setattr(Trainer, "window", interrupted)


def test_a_short_run_learns_to_play(tmp_path):
    overrides = [
        "net.hidden=[64, 32]",
        "selfplay.games_at_once=256",
        "learn.rate_start=3e-3",
        "learn.rate_end=1e-3",
        "train.games=8000",
        "train.duel_every=0",
    ]
    saved = train(load_config(None, overrides), tmp_path / "short")
    result = duel(agent(str(saved)), agent("random"), 400)
    assert result.ppg > 1.5


def test_progress_is_in_tensorboard(run):
    logged = scalars(run)
    assert {"train/loss", "games/length", "games/gammons", "start/wins", "start/equity"} <= set(logged)
    assert {"duel/random", "duel/pips", "time/generate", "time/judge", "time/learn"} <= set(logged)
    assert logged["train/loss"][-1][0] >= 400
    shares = [logged[f"time/{stage}"][0][1] for stage in ("generate", "judge", "choose", "learn")]
    assert sum(shares) == pytest.approx(1, abs=1e-3)


def test_the_same_seed_gives_the_same_weights(run, tmp_path):
    again = train(load_config(None, TINY), tmp_path / "again")
    other = train(load_config(None, [*TINY, "train.seed=1"]), tmp_path / "other")
    assert equal(weights(saves(run)[-1]), weights(again))
    assert not equal(weights(saves(run)[-1]), weights(other))


def test_a_resumed_run_ends_like_one_that_never_stopped(run, tmp_path):
    folder = tmp_path / "stopped"
    shutil.copytree(run, folder)
    newest = saves(folder)[-1]
    shutil.rmtree(newest)
    middle = restore(folder, [])
    assert 0 < middle.games < 400
    resumed = resume(folder, [])
    assert resumed.name == newest.name
    assert equal(state(resumed), state(saves(run)[-1]))
    for file in ("model.json", "trainer.json"):
        facts, wanted = (json.loads((f / file).read_text()) for f in (resumed, saves(run)[-1]))
        for card in (facts, wanted):
            card.pop("hours", None)
            card.get("counters", {}).pop("seconds", None)
        assert facts == wanted


@pytest.mark.parametrize(
    "how",
    [
        "interrupted",
        "killed",
        "killed before the first save",
    ],
)
def test_a_resumed_run_logs_like_one_that_never_stopped(run, tmp_path, monkeypatch, how):
    folder = tmp_path / how
    if how == "interrupted":
        with monkeypatch.context() as patched:
            interrupt(patched, 11)
            train(LOGGED, folder)
        assert 0 < load(folder).card["games"] < 400
    else:
        shutil.copytree(run, folder)
        shutil.rmtree(saves(folder)[-1])
        if how == "killed before the first save":
            shutil.rmtree(saves(folder)[-1])
            save(Trainer(LOGGED), folder)
    (log,) = folder.glob("events.*")
    # TensorBoard reads files in the order of their names: as if that was some seconds ago.
    log.rename(folder / re.sub(r"\d{10}", "0123456789", log.name, count=1))
    resume(folder, [])
    ours, wanted = scalars(folder), scalars(run)
    for tag in wanted:
        assert ours[tag] == wanted[tag] or tag.startswith("time/"), tag


def test_a_finished_run_can_be_made_longer(run, tmp_path):
    folder = tmp_path / "longer"
    shutil.copytree(run, folder)
    assert len(saves(folder)) == 2
    with pytest.raises(ConfigError):
        resume(folder, ["train.games=0"])
    saved = resume(folder, ["train.games=500", "train.keep=3"])
    assert load(folder).card["games"] >= 500
    assert len(saves(folder)) == 3
    assert saved == saves(folder)[-1]


def start_slow_run(folder: Path) -> subprocess.Popen:
    """A run in a process of its own that would go on for hours; returns once it has saved."""
    settings = ["train.games=100000000", "train.save_every=50"]
    code = (
        "import sys; from nardzero.cli.main import main; sys.exit(main(['train', '--name', sys.argv[1],"
        f" '--out', sys.argv[2], *sum((['--set', s] for s in {[*TINY, *settings]!r}), [])]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, folder.name, str(folder.parent)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not saves(folder) or load(folder).card["games"] < 100:
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def test_interrupting_saves_and_says_where(tmp_path):
    folder = tmp_path / "interrupted"
    process = start_slow_run(folder)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert str(saves(folder)[-1]) in output
    assert "Traceback" not in output
    assert restore(folder, []).steps == int(saves(folder)[-1].name[5:])


def test_interrupting_before_any_game_has_ended_keeps_what_was_learned(tmp_path, monkeypatch):
    folder = tmp_path / "early"
    interrupt(monkeypatch, 1)
    saved = train(load_config(None, [*TINY, "selfplay.window=8"]), folder)
    trainer = restore(folder, [])
    assert trainer.games == 0 < trainer.steps
    assert saved.name == f"step-{trainer.steps:010d}"
    resume(folder, ["train.games=20"])
    assert load(folder).card["games"] >= 20


@pytest.mark.parametrize(
    "at",
    [
        "first",
        "last",
    ],
)
def test_a_net_that_diverges_stops_the_run_and_spoils_no_save(tmp_path, monkeypatch, capsys, at):
    """The weights are lost with the first or with the last step of a window."""
    learn = Trainer._learn

    def spoil(trainer):
        for parameter in trainer.parameters:
            torch.nn.init.constant_(parameter, torch.nan)

    def diverge(trainer, *given):
        late = trainer.games >= 100
        if late and at == "first":
            spoil(trainer)
        loss = learn(trainer, *given)
        if late and at == "last":
            spoil(trainer)
        return loss

    monkeypatch.setattr(Trainer, "_learn", diverge)
    settings = [word for setting in TINY for word in ("--set", setting)]
    assert main(["train", "--out", str(tmp_path), "--name", "wild", *settings]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r"nardzero: the net has diverged after \d+ games; the last save is .*", last)
    assert str(saves(tmp_path / "wild")[-1]) in last
    assert restore(tmp_path / "wild", []).games >= 100


def test_killing_at_any_moment_loses_nothing_that_was_saved(tmp_path, monkeypatch):
    moments = range(12, 24)  # from the making of the second save to the last trace of the first
    subprocess.run([sys.executable, dying.__file__, str(tmp_path), "5", *map(str, moments)], check=True)
    with pytest.raises(InvalidCheckpoint, match="no save"):
        resume(tmp_path / "5", [])
    monkeypatch.setattr(Trainer, "window", dying.window)
    whole = train(dying.CONFIG, tmp_path / "whole")
    newest = []
    for moment in moments:
        folder = tmp_path / str(moment)
        newest.append([load_model(save).card["games"] for save in saves(folder)][-1])
        assert equal(state(resume(folder, [])), state(whole))
        assert not list(folder.glob(".*"))
    assert newest == sorted(newest)
    assert set(newest) == {0, 1}


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("selfplay.rules=takhteh", "ruleset standard and cannot go on with takhteh"),
        ("net.hidden=[24, 13]", r"layers \[24, 12\] and cannot go on with \[24, 13\]"),
        ("selfplay.games_at_once=32", "games_at_once 64"),
        ("train.gaems=3", "unknown field"),
    ],
)
def test_a_run_does_not_go_on_as_something_else(run, override, said):
    with pytest.raises(ValueError, match=said):
        restore(run, [override])


def test_a_run_is_not_overwritten(run):
    with pytest.raises(ConfigError, match="already exists"):
        train(load_config(None, TINY), run)


def test_there_must_be_something_to_resume(tmp_path):
    with pytest.raises(InvalidCheckpoint, match="no save"):
        resume(tmp_path / "nothing", [])


def test_a_run_may_start_from_a_bot(run, tmp_path):
    origin = tmp_path / "origin"
    shutil.copytree(saves(run)[-1], origin)
    settings = [*TINY, f"train.start_from={origin}", "selfplay.rules=takhteh", "train.save_every=1000"]
    trainer = Trainer(load_config(None, settings))
    trainer.start_from(str(origin))
    for net in (trainer.net, trainer.averaged):
        assert all(torch.equal(net.state_dict()[name], tensor) for name, tensor in weights(origin).items())
    folder = tmp_path / "moved on"
    train(load_config(None, settings), folder)
    shutil.rmtree(origin)
    saved = resume(folder, ["train.games=600"])
    card = load(saved).card
    assert card["ruleset"] == "takhteh"
    assert card["earlier_games"] == load(run).card["games"]


def test_the_bot_to_start_from_must_fit(run):
    trainer = Trainer(load_config(None, ["net.hidden=[9]"]))
    with pytest.raises(CannotGrow, match="cannot grow into"):
        trainer.start_from(str(run))


def damage_truncate(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])


def damage_foreign(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"PK\x03\x04 not a tensor in sight")


def damage_missing(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def damage_json(folder: Path) -> None:
    (folder / "model.json").write_text("{")


def damage_nested(folder: Path) -> None:
    (folder / "model.json").write_text("[" * 100_000)


def edit(**changes):
    def damage(folder: Path) -> None:
        card = json.loads((folder / "model.json").read_text())
        (folder / "model.json").write_text(json.dumps(card | changes))

    return damage


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_truncate, "damaged"),
        (damage_foreign, "damaged"),
        (damage_missing, "cannot read .*model.safetensors"),
        (damage_json, "not JSON"),
        (edit(format="other 9"), "format 'other 9'"),
        (edit(encoding="raw"), "tesauro208"),
        (edit(ruleset="narde"), "takhteh"),
        (edit(architecture={"hidden": [24, 13]}), "does not fit"),
        (edit(architecture={"hidden": []}), "no list of layer widths"),
        (edit(architecture=None), "no list of layer widths"),
        (edit(architecture={"hidden": [24, 12], "cube": True, "cube_hidden": 8}), "architecture.cube_hidden"),
        (edit(sha256="0" * 64), "checksum"),
        (edit(sha256=None), "no sha256"),
        (edit(encoding=[1]), "tesauro208"),
        (edit(ruleset={}), "takhteh"),
        (damage_nested, "not JSON"),
    ],
)
def test_damaged_and_foreign_checkpoints_are_refused(run, tmp_path, damage, said):
    folder = tmp_path / "copy"
    shutil.copytree(saves(run)[-1], folder)
    damage(folder)
    with pytest.raises(InvalidCheckpoint, match=said) as error:
        load(folder)
    assert "\n" not in str(error.value)


def test_damaged_state_is_refused(run, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(run, folder)
    state = saves(folder)[-1] / "trainer.safetensors"
    state.write_bytes(state.read_bytes()[:1000])
    with pytest.raises(InvalidCheckpoint, match="damaged"):
        resume(folder, [])
    (saves(folder)[-1] / "trainer.json").write_text("[]")
    with pytest.raises(InvalidCheckpoint, match="no JSON object"):
        resume(folder, [])


def test_a_bot_must_exist(tmp_path):
    with pytest.raises(UnknownBot, match="standard"):
        load("gnubgg")
    with pytest.raises(InvalidCheckpoint, match="neither a checkpoint"):
        load(tmp_path)


def test_self_play_is_greedy_and_follows_the_rules(monkeypatch):
    """Every position of a window leads to the next by the legal play that the evaluator likes best."""
    rolled = []

    def recorded_throw(rng, games):
        rolled.append(throw(rng, games))
        return rolled[-1]

    monkeypatch.setattr("nardzero.learn.selfplay.throw", recorded_throw)
    torch.manual_seed(5)
    net = FoldedNet(ValueNet((16,)))
    rules = RULESETS["takhteh"]
    window = SelfPlay(rules, 20, np.random.default_rng(0)).window(net, 150, Stopwatch())
    assert window.games > 3
    begun = np.zeros(20, int)
    for ply in range(149):
        after, parent = afterstates(window.boards[ply][:, :26], rolled[ply], rules)
        value = after_probs(net, after) @ rules.points
        for game in range(20):
            mine = np.flatnonzero(parent == game)
            best = after[mine[value[mine] >= value[mine].max() - 1e-6]]
            following = window.boards[ply + 1][game, :26]
            if window.done[ply, game]:
                assert np.array_equal(following, rules.start_board)
                assert window.results[ply, game, :3].sum() == 1
                assert window.lengths[ply, game] == ply + 1 - begun[game]
                begun[game] = ply + 1
            else:
                assert any(np.array_equal(flip(board), following) for board in best)
            assert np.allclose(window.values[ply + 1, game], net.evaluate(following[None])[0], atol=1e-5)


class Hater:
    """Judges that whoever has borne off everything has lost a backgammon, else that whoever rolls loses."""

    def evaluate(self, boards: np.ndarray) -> np.ndarray:
        finished = ~(boards < 0).any(1, keepdims=True)
        return np.where(finished, (1, 0, 0, 0, 0, 0), (0, 0, 0.25, 0.75, 0, 0)).astype(np.float32)

    judge = evaluate

    def judge_flipped(self, boards: np.ndarray) -> np.ndarray:
        return self.evaluate(flip_padded(boards))


@pytest.mark.parametrize("sieve", [None, Sieve(Hater(), 0.0)], ids=["alone", "with a sieve"])
def test_self_play_takes_a_win_whatever_the_net_thinks_of_it(monkeypatch, sieve):
    monkeypatch.setattr("nardzero.learn.selfplay.throw", lambda rng, games: np.tile([6, 1], (games, 1)))
    play = SelfPlay(RULESETS["standard"], 1, np.random.default_rng(0))
    for _ in range(2):
        play.boards = pad(parse_position("x 6:1 1:1; o 24:2")[None])  # 6/5/off would leave one
        window = play.window(Hater(), 1, Stopwatch(), sieve)
        assert (window.games, window.lengths[0, 0]) == (1, 1)
        assert window.results[0, 0].tolist() == [0, 0, 1, 0, 0, 0]


def sieved(margin: float, most: int = 0) -> Iterator[tuple[Boards, Probs, Boards]]:
    """Of some games the afterstates of a 4-2, what a small net says of them, and what its sieve leaves."""
    torch.manual_seed(6)
    rules = RULESETS["standard"]
    small = FoldedNet(ValueNet((8,)))
    boards = np.stack([board for board, _ in played(rules, 2, 3)])
    after, parent = afterstates(boards, np.tile((4, 2), (len(boards), 1)))
    starts = segment_starts(np.bincount(parent))
    value = after_probs(small, after) @ rules.points
    left, bounds = Sieve(small, margin, most).shortlist(pad(after), starts, rules)
    for game in range(len(boards)):
        mine = slice(starts[game], starts[game + 1])
        yield after[mine], value[mine], left[bounds[game] : bounds[game + 1], :26]


@pytest.mark.parametrize("margin", [0.0, 0.01, 10.0])
def test_a_sieve_leaves_out_only_what_it_ranks_far_behind(margin):
    for after, value, left in sieved(margin):
        assert left.tolist() == after[value >= value.max() - margin - 1e-6].tolist()


@pytest.mark.parametrize("most", [1, 2, 5, 1000])
def test_a_sieve_leaves_no_more_plays_of_a_roll_than_it_is_told(most):
    for after, value, left in sieved(10.0, most):
        assert left.tolist() == after[np.sort(np.argsort(-value, kind="stable")[:most])].tolist()


def test_a_run_with_a_sieve_and_bfloat16_resumes_alike(tmp_path):
    wide = [*TINY, "net.sieve=[8]", "train.precision=bfloat16"]
    whole = train(load_config(None, wide), tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    assert equal(weights(whole), weights(resume(tmp_path / "stopped", [])))
    with pytest.raises(InvalidCheckpoint, match="sieve"):
        restore(tmp_path / "whole", ["net.sieve=[9]"])


def test_a_run_with_hard_starts_resumes_alike(tmp_path):
    settings = [*TINY, "selfplay.hard_starts=0.5"]
    whole = train(load_config(None, settings), tmp_path / "whole")
    assert {"hard", "kept.prime"} <= {name.partition(".0.")[2] for name in state(whole)}
    assert not equal(weights(whole), weights(train(load_config(None, TINY), tmp_path / "plain")))
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    assert equal(state(whole), state(resume(tmp_path / "stopped", [])))


def test_a_cube_head_may_learn_alone(tmp_path):
    bot = train(load_config(None, [*TINY, "net.sieve=[8]"]), tmp_path / "bot")
    head = ["net.cube=true", "net.cube_hidden=[8]", "learn.part='cube'", f"train.start_from={bot}"]
    settings = [*TINY, "net.sieve=[8]", *head]
    whole = train(load_config(None, settings), tmp_path / "whole")
    before, after = load_model(bot), load_model(whole)
    kept = {name: tensor for name, tensor in after.net.state_dict().items() if not name.startswith("cube")}
    assert equal(kept, before.net.state_dict())
    assert equal(after.sieve.state_dict(), before.sieve.state_dict())
    assert after.net.cube_hidden == (8,)
    assert after.net.cube.out.weight.abs().max() > 0
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    assert equal(state(whole), state(resume(tmp_path / "stopped", [])))
    with pytest.raises(InvalidCheckpoint, match="cube_hidden"):
        restore(tmp_path / "whole", ["net.cube_hidden=[9]"])


def test_a_net_may_learn_without_its_sieve(tmp_path):
    bot = train(load_config(None, [*TINY, "net.sieve=[8]"]), tmp_path / "bot")
    settings = [*TINY, "net.sieve=[8]", "learn.part=net", f"train.start_from={bot}"]
    whole = train(load_config(None, settings), tmp_path / "whole")
    before, after = load_model(bot), load_model(whole)
    assert equal(after.sieve.state_dict(), before.sieve.state_dict())
    assert not equal(after.net.state_dict(), before.net.state_dict())
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    assert equal(state(whole), state(resume(tmp_path / "stopped", [])))


def test_a_part_that_learns_alone_is_one_that_there_is():
    with pytest.raises(ConfigError, match=r"learn\.part must be one of all, net, cube, sieve"):
        load_config(None, [*TINY, "learn.part=body"])


def test_a_cube_head_that_learns_alone_needs_a_bot_and_its_sieve(run, tmp_path):
    with pytest.raises(ConfigError, match="start_from"):
        load_config(None, [*TINY, "net.cube=true", "learn.part='cube'"])
    head = ["net.cube=true", "learn.part='cube'", f"train.start_from={saves(run)[-1]}"]
    with pytest.raises(ConfigError, match="sieve"):
        train(load_config(None, [*TINY, *head, "net.sieve=[8]"]), tmp_path / "new")
