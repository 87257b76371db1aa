"""One model trained by several processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from nardzero.learn.run import resume
from nardzero.learn.saves import restore
from nardzero.model.checkpoint import load_model
from nardzero.model.store import saves

SETTINGS = {
    "net.hidden": [16],
    "selfplay.games_at_once": 32,
    "selfplay.window": 16,
    "learn.batch": 128,
    "train.save_every": 60,
    "train.duel_every": 0,
}


def start(out: Path, ranks: int, *words: str, **settings: object) -> subprocess.Popen:
    chosen = SETTINGS | {name.replace("__", "."): value for name, value in settings.items()}
    overrides = [word for name, value in chosen.items() for word in ("--set", f"{name}={json.dumps(value)}")]
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        f"--nproc-per-node={ranks}",
        "-m",
        "nardzero",
        "train",
    ]
    return subprocess.Popen(
        [*command, *words, *overrides],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=out,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        start_new_session=True,
    )


def finish(process: subprocess.Popen) -> str:
    output, _ = process.communicate(timeout=120)
    return output


def test_two_ranks_train_one_model_and_one_goes_on(tmp_path):
    run = tmp_path / "runs" / "pair"
    process = start(tmp_path, 2, "--name", "pair", train__games=200)
    output = finish(process)
    assert process.returncode == 0, output
    assert output.count("next:") == 1
    rest = json.loads((saves(run)[-1] / "trainer.json").read_text())
    first, second = rest["generators"]
    assert first != second
    assert load_model(saves(run)[-1]).card["games"] >= 200
    alone = restore(run, [])
    assert alone.games >= 200
    resume(run, ["train.games=300"])
    assert len(json.loads((saves(run)[-1] / "trainer.json").read_text())["generators"]) == 1
    process = start(tmp_path, 2, "--resume", "runs/pair", train__games=400)
    output = finish(process)
    assert process.returncode == 0, output
    assert load_model(saves(run)[-1]).card["games"] >= 400


def test_ranks_play_games_of_their_own_and_learn_the_same():
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", "ranking.py"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=120)
    said = sorted(line.split()[-2:] for line in done.stdout.splitlines() if line.startswith("rank"))
    assert len(said) == 2, done.stderr
    (learned, played), (learned_too, played_too) = said
    assert learned == learned_too
    assert played != played_too


def test_the_same_seed_and_ranks_give_the_same_weights(tmp_path):
    for name in ("first", "second"):
        output = finish(start(tmp_path, 2, "--name", name, train__games=100))
        assert (tmp_path / "runs" / name).is_dir(), output
    ours, theirs = (
        load_model(saves(tmp_path / "runs" / name)[-1]).net.state_dict() for name in ("first", "second")
    )
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_a_rank_that_dies_ends_the_run_and_leaves_the_last_save(tmp_path):
    run = tmp_path / "runs" / "broken"
    process = start(tmp_path, 2, "--name", "broken", train__games=100_000_000)
    deadline = time.monotonic() + 120
    while not saves(run) or load_model(saves(run)[-1]).card["games"] < 60:
        assert process.poll() is None, finish(process)
        assert time.monotonic() < deadline
        time.sleep(0.05)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)
    output = finish(process)
    assert process.returncode != 0
    assert "another process of this training has died; the newest save is runs/broken/step-" in output
    assert restore(run, []).games >= 60


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_a_missing_device_is_told(tmp_path):
    process = subprocess.run(
        [sys.executable, "-m", "nardzero", "train", "quick", "--device", "cuda"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert process.returncode == 2
    assert (
        process.stderr == "nardzero: there is no CUDA device that PyTorch can use here; take --device cpu\n"
    )
