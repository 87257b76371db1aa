"""The right to double, and what a window teaches about it."""

import numpy as np
import pytest

from nardzero.judge.doubling import with_double
from nardzero.learn.targets import cube_targets

# Centred, owned, the opponent's.
TAKEN = [0.5, 0.6, 0.4]
PASSED = [0.8, 0.9, 0.7]
TOO_GOOD = [1.2, 1.3, 0.9]
WAITING = [0.1, 0.2, 0.0]
OWNER_WAITS = [0.5, 0.9, 0.4]


@pytest.mark.parametrize(
    ("equities", "worth"),
    [
        (TAKEN, [0.8, 0.8, 0.4]),
        (PASSED, [1, 1, 0.7]),
        (TOO_GOOD, [1.2, 1.3, 0.9]),
        (WAITING, [0.1, 0.2, 0]),
        (OWNER_WAITS, [0.8, 0.9, 0.4]),
    ],
)
def test_a_player_doubles_where_it_pays(equities, worth):
    assert with_double(np.array(equities, np.float32)) == pytest.approx(np.array(worth), abs=1e-6)


def test_one_step_goes_through_the_opponent_who_may_double():
    estimates = np.array([[[9, 9, 9]], [TAKEN]], np.float32)
    going_on = np.zeros((1, 1), bool)
    found = cube_targets(estimates, going_on, np.zeros((1, 1), np.float32))
    # Centred: he doubles and I take. Mine: he has no right to. His: he redoubles and I take.
    assert found == pytest.approx(np.array([[[-0.8, -0.4, -0.8]]]))


def test_a_finished_game_pays_its_points_for_every_cube():
    estimates = np.zeros((3, 2, 3), np.float32)
    done = np.array([[False, False], [True, False]])
    points = np.array([[0, 0], [2, 0]], np.float32)
    found = cube_targets(estimates, done, points)
    assert found[1, 0].tolist() == [2, 2, 2]
    assert (found[0] == 0).all()
    assert (found[:, 1] == 0).all()
