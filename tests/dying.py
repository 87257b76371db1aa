"""Training runs that die, as if killed, just before they change the file system for the n-th time.

    python dying.py FOLDER N...

Each N is a run of its own, FOLDER/N. Exits with 0 if all of them died.
"""

import os
import sys
from pathlib import Path

from torch.nn.init import constant_

from nardzero.learn.config import load_config
from nardzero.learn.run import train
from nardzero.learn.trainer import Trainer

SETTINGS = ["net.hidden=[8]", "selfplay.games_at_once=8", "train.games=2", "train.keep=1"]
CONFIG = load_config(None, [*SETTINGS, "train.save_every=1", "train.duel_every=0"])
CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
KILLED = 9


def window(trainer: Trainer) -> dict[str, float]:
    """Stands for a window of play and learning, in no time."""
    trainer.games += 1
    trainer.steps += 1
    constant_(trainer.net.outcome.bias, trainer.steps)
    return {"train/loss": 0.0}


def die_at(moment: int) -> None:
    """Let this process die before its change of that number; a file that grows is none."""
    changes = 0

    def count(event: str, args: tuple) -> None:
        nonlocal changes
        if event in CHANGES or (event == "open" and args[2] & os.O_TRUNC):
            changes += 1
            if changes == moment:
                os._exit(KILLED)

    sys.addaudithook(count)


def die(run: Path, moment: int) -> int:
    """The exit code of a process that trains until that moment."""
    child = os.fork()  # so that PyTorch is imported once
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    die_at(moment)
    train(CONFIG, run)
    os._exit(0)


if __name__ == "__main__":
    folder, *moments = sys.argv[1:]
    Trainer.window = window
    Trainer(CONFIG)  # imports what PyTorch puts off
    codes = [die(Path(folder, moment), int(moment)) for moment in moments]
    sys.exit(any(code != KILLED for code in codes))
