"""Self-play with the cube: where it goes, and which plays are chosen for it."""

import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tiny import TINY, equal, weights

from nardzero.game.bits import flip_padded, pad
from nardzero.game.dice import throw
from nardzero.game.movegen import afterstates
from nardzero.game.outcomes import finished
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.bearoff.tables import two_sided
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED
from nardzero.learn.config import ConfigError, load_config
from nardzero.learn.cubes import GONE
from nardzero.learn.endings import Endings
from nardzero.learn.ranks import Ranks
from nardzero.learn.run import resume, train
from nardzero.learn.saves import STATE, restore
from nardzero.learn.selfplay import SelfPlay
from nardzero.learn.state import restore_state, state_of
from nardzero.learn.stopwatch import Stopwatch
from nardzero.learn.trainer import Trainer
from nardzero.model.evaluator import after_probs
from nardzero.model.folded import FoldedNet
from nardzero.model.net import ValueNet
from nardzero.model.store import saves

RULES = RULESETS["standard"]
CUBE = [*TINY, "net.cube=true", "selfplay.cube=true"]
SHORT = [*CUBE, "net.cube_hidden=[8]", "selfplay.games_at_once=16", "train.games=60", "train.save_every=20"]

# Equities of the player on roll: centred, owned, the opponent's.
TAKEN = (0.5, 0.6, 0.4)
OWNER_WAITS = (0.5, 0.9, 0.4)
PASSED = (0.8, 0.9, 0.7)
TOO_GOOD = (1.2, 1.3, 0.9)
WAITING = (0.1, 0.2, 0.0)


def net() -> FoldedNet:
    """A net with strong opinions about the cube, which take and pass as it comes."""
    torch.manual_seed(6)
    model = ValueNet((16,), cube=True)
    with torch.no_grad():
        model.cube.weight.mul_(20)
    return FoldedNet(model)


class Stub:
    """Judges as a net does without the cube; with it, every player on roll has the same equities. Whoever has
    lost, it thinks, is the better off the more so."""

    def __init__(self, cubeful: tuple[float, float, float]) -> None:
        self.cubeful = np.float32(cubeful)
        self.net = net()

    def judge(self, boards: np.ndarray) -> np.ndarray:
        outputs = self.net.judge(boards).copy()
        outputs[:, 6:] = self.cubeful + ~(boards < 0).any(1, keepdims=True)
        return outputs

    def judge_flipped(self, boards: np.ndarray) -> np.ndarray:
        return self.judge(flip_padded(boards))


def selfplay(games: int, **settings: object) -> SelfPlay:
    return SelfPlay(RULES, games, np.random.default_rng(0), cube=True, **settings)


@pytest.mark.parametrize(
    ("equities", "went"),
    [
        (WAITING, [CENTRED, OPPONENTS, OWNED]),
        (TAKEN, [OPPONENTS, OPPONENTS, OPPONENTS]),
        (OWNER_WAITS, [OPPONENTS, OPPONENTS, OWNED]),
        (PASSED, [GONE, OPPONENTS, GONE]),
        (TOO_GOOD, [CENTRED, OPPONENTS, OWNED]),
    ],
)
def test_the_next_player_doubles_and_his_opponent_takes_by_their_equities(equities, went):
    """From a cube in the middle, the mover's, the opponent's: where it is for the next to roll."""
    games = selfplay(3)
    games.cubes.place = np.array([CENTRED, OWNED, OPPONENTS])
    games.window(Stub(equities), 1, Stopwatch())
    assert games.cubes.place.tolist() == went


def test_a_cube_changes_hands_from_ply_to_ply():
    games = selfplay(1)
    games.window(Stub(TAKEN), 1, Stopwatch())  # the second player doubles, and the first takes
    assert games.cubes.place.tolist() == [OPPONENTS]
    seen = []
    for _ in range(3):
        games.window(Stub(WAITING), 1, Stopwatch())
        seen.append(games.cubes.place.item())
    assert seen == [OWNED, OPPONENTS, OWNED]


def test_a_passed_game_goes_on_without_a_cube_to_its_end_and_the_next_has_one():
    ending = parse_position("x 6:2 5:2; o 24:2 20:2")
    games = selfplay(1)
    games.boards = pad(ending[None])
    windows = [games.window(Stub(PASSED), 1, Stopwatch())]
    while not windows[-1].games:
        assert games.cubes.place.tolist() == [GONE]
        windows.append(games.window(Stub(TAKEN), 1, Stopwatch()))
    assert len(windows) > 1
    assert games.cubes.place.tolist() == [OPPONENTS]  # the new game's, and doubled


def doubled(place: int, values: list[float]) -> int:
    """The place of the cube once the player on roll has had the right to double, if he has it."""
    if place in (CENTRED, OWNED) and min(2 * values[OPPONENTS], 1) > values[place]:
        return OPPONENTS if 2 * values[OPPONENTS] <= 1 else GONE
    return place


def worth(place: int, values: list[float], cubeless: float) -> float:
    """What a play is worth that leaves the opponent on roll with these equities of his, rule by rule."""
    double = min(2 * values[OPPONENTS], 1)
    by_place = {
        CENTRED: -max(values[CENTRED], double),
        OWNED: -values[OPPONENTS],
        OPPONENTS: -max(values[OWNED], double),
        GONE: cubeless,
    }
    return by_place[place]


def test_plays_are_the_best_for_the_place_of_the_cube(monkeypatch):
    """Every position leads to the next by the play that is worth most where the cube is, followed by hand."""
    rolled = []

    def recorded(rng, games):
        rolled.append(throw(rng, games))
        return rolled[-1]

    monkeypatch.setattr("nardzero.learn.selfplay.throw", recorded)
    judge = net()
    window = selfplay(20).window(judge, 120, Stopwatch())
    assert window.games > 3
    turned = {CENTRED: CENTRED, OWNED: OPPONENTS, OPPONENTS: OWNED, GONE: GONE}
    places, met = [CENTRED] * 20, set()
    for ply in range(119):
        after, parent = afterstates(window.boards[ply][:, :26], rolled[ply], RULES)
        cubeless = after_probs(judge, after) @ RULES.points
        theirs = judge.judge_flipped(pad(after))[:, 6:]
        for game, place in enumerate(places):
            mine = np.flatnonzero(parent == game)
            gains = [
                cubeless[play]
                if finished(after[play])
                else worth(place, theirs[play].tolist(), cubeless[play])
                for play in mine
            ]
            met |= {(place, bool(np.argmax(gains) != np.argmax(cubeless[mine])))}
            best = flip(after[mine[np.array(gains) >= max(gains) - 1e-5]])
            following = window.boards[ply + 1, game, :26]
            new = window.done[ply, game]
            assert new or (best == following).all(1).any()
            values = window.values[ply + 1, game, 6:].tolist()
            places[game] = doubled(CENTRED if new else turned[place], values)
    # Every place came up, and the cube changed which play is the best, but where it was gone.
    assert met == {(place, other) for place in turned for other in {False, place != GONE}}


def test_where_every_play_is_doubled_out_the_cubeless_equity_decides():
    lost = Stub(PASSED)
    with_cube, without = selfplay(50), SelfPlay(RULES, 50, np.random.default_rng(0))
    boards = [games.window(lost, 1, Stopwatch()) and games.boards for games in (with_cube, without)]
    assert np.array_equal(*boards)


def test_a_win_is_taken_whatever_the_net_thinks_of_it(monkeypatch):
    monkeypatch.setattr("nardzero.learn.selfplay.throw", lambda rng, games: np.tile([6, 1], (games, 1)))
    games = selfplay(3)
    games.boards = np.repeat(pad(parse_position("x 6:1 1:1; o 24:2")[None]), 3, axis=0)
    games.cubes.place = np.array([CENTRED, OWNED, OPPONENTS])
    assert games.window(Stub(WAITING), 1, Stopwatch()).done.all()


def test_doubles_in_exact_endings_are_exact():
    boards = pad(np.stack([parse_position("x 6:3 5:1; o 24:2 20:2"), parse_position("x 6:2; o 24:1 22:1")]))
    games = selfplay(200, endings=Endings(two_sided()))
    games.boards = np.tile(boards, (100, 1))
    window = games.window(net(), 1, Stopwatch())
    going = np.flatnonzero(~window.done[0])
    exact = two_sided().cubeful(games.boards[going, :26])
    wanted = [doubled(CENTRED, values) for values in exact.tolist()]
    assert games.cubes.place[going].tolist() == wanted
    assert set(wanted) == {CENTRED, OPPONENTS, GONE}


def test_a_run_with_the_cube_resumes_alike_with_hard_starts_and_exact_endings(tmp_path):
    settings = [*SHORT, "selfplay.hard_starts=0.5", "selfplay.exact_endings=true"]
    whole = train(load_config(None, settings), tmp_path / "whole")
    cubeless = train(load_config(None, [*settings, "selfplay.cube=false"]), tmp_path / "cubeless")
    assert not equal(weights(whole), weights(cubeless))
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    resumed = resume(tmp_path / "stopped", [])
    ours, theirs = (load_file(save / STATE) for save in (whole, resumed))
    assert equal(ours, theirs)
    assert len(ours["games.0.cube"].unique()) > 1


def test_ranks_share_out_the_games_with_their_cubes():
    whole = Trainer(load_config(None, CUBE))
    whole.selfplay.cubes.place = np.arange(64) % 4
    whole.selfplay.ages = np.arange(64)
    tensors, rest = state_of(whole)
    parts = []
    for rank in range(2):
        trainer = Trainer(load_config(None, CUBE), Ranks(rank, 2))
        restore_state(trainer, tensors, rest, "the save")
        parts.append((trainer.selfplay.ages % 4 == trainer.selfplay.cubes.place).all())
        assert len(trainer.selfplay.cubes.place) == 32
    assert all(parts)


def test_a_run_may_go_on_with_the_cube(tmp_path):
    train(load_config(None, [*SHORT, "selfplay.cube=false"]), tmp_path / "run")
    assert (restore(tmp_path / "run", ["selfplay.cube=true"]).selfplay.cubes.place == CENTRED).all()
    resume(tmp_path / "run", ["selfplay.cube=true", "train.games=80"])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["net.cube=false"], "set net.cube as well"),
        (["selfplay.rules=tavla"], "tavla has none"),
        (["learn.exact_backups=true"], "do not go together"),
    ],
)
def test_what_does_not_go_with_the_cube_is_refused(settings, said):
    with pytest.raises(ConfigError, match=said):
        load_config(None, [*CUBE, *settings])
