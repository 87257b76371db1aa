"""Bear-off tables against those that GNU Backgammon's `makebearoff` writes: every position of both kinds.

Their files, read off them; the manual page names what they hold: 40 bytes of text, then a record a side
(one-sided) or a pair of sides (two-sided, the player on roll first), sides in the order of `sides.py`. A
one-sided record that is not compressed has the chances of 0 to 31 rolls for the last checker and then for the
first, times 65,535. A two-sided one has the equities without a cube, with the cube owned, centred and the
opponent's; e is written as (e + 1) * 32,767.5. Numbers are 16 bits, the lower byte first.
Each value is rounded to them before others are made from it, so errors add up to some 1e-4.
"""

import shutil
import subprocess

import numpy as np
import pytest

from nardzero.judge.bearoff.onesided import build_one_sided
from nardzero.judge.bearoff.twosided import CENTRED, CUBELESS, OWNED, THEIRS, build_two_sided

PROGRAM = shutil.which("makebearoff", path="/usr/games:/usr/lib/gnubg:/usr/libexec/gnubg") or shutil.which(
    "makebearoff"
)
HEADER = 40
CLOSE = 2e-4

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(PROGRAM is None, reason="makebearoff comes with GNU Backgammon"),
]


@pytest.fixture
def make(tmp_path):
    """What the program writes with these options, as numbers from 0 to 1."""

    def run(*options):
        file = tmp_path / "table"
        subprocess.run([PROGRAM, *options, "-f", file], check=True, capture_output=True)
        return np.fromfile(file, "<u2", offset=HEADER) / 65535

    return run


def test_the_two_sided_table(make):
    theirs = make("-t", "6x6").reshape(924, 924, 4) * 2 - 1
    ours = build_two_sided().equities
    for column, owner in enumerate((CUBELESS, OWNED, CENTRED, THEIRS)):
        difference = np.abs(ours[owner] - theirs[..., column])
        print(f"largest difference {difference.max():.2e}")
        assert difference.max() < CLOSE


def test_the_one_sided_table(make):
    theirs = make("-o", "6", "-c").reshape(54264, 2, 32)
    ours = build_one_sided()
    last = np.abs(_widened(ours.last) - theirs[:, 0]).max(1)
    first = np.abs(_widened(ours.first) - theirs[:, 1]).max(1)
    mean = np.abs((_widened(ours.last) - theirs[:, 0]) @ np.arange(32))
    assert first.max() < CLOSE
    # Where two plays are as good but for their rounding they may play the other one, and a few sides that get
    # there have other chances with the same mean.
    other = last > CLOSE
    print(f"largest difference {last[~other].max():.2e} and {first.max():.2e}; {other.sum()} other plays")
    assert other.sum() < 100
    assert last.max() < 3e-3
    assert mean.max() < CLOSE


def _widened(chances):
    return np.pad(chances, ((0, 0), (0, 32 - chances.shape[1])))
