"""Trains a few windows and prints a digest of everything that was learned; to be started by torchrun."""

import hashlib
import sys

from nardzero.learn.config import config_from_dict
from nardzero.learn.ranks import joined
from nardzero.learn.trainer import Trainer


def main() -> None:
    net = {"hidden": [16], "sieve": [8]}
    games = {"games_at_once": 32, "window": 8}
    config = config_from_dict({"net": net, "selfplay": games, "learn": {"batch": 64}})
    with joined() as ranks:
        trainer = Trainer(config, ranks)
        boards = trainer.selfplay.boards.copy()
        for _ in range(2):
            trainer.window()
        learned = b"".join(tensor.detach().numpy().tobytes() for tensor in trainer._learned())
        played = hashlib.sha256((trainer.selfplay.boards - boards).tobytes()).hexdigest()
        # In one piece, for the other rank prints too.
        sys.stdout.write(f"rank {ranks.rank}: {hashlib.sha256(learned).hexdigest()} {played}\n")


if __name__ == "__main__":
    main()
