"""Which trainer a configuration asks for."""

from nardzero.learn.config import Config
from nardzero.learn.pairtrainer import PairTrainer
from nardzero.learn.ranks import Ranks
from nardzero.learn.sievetrainer import SieveTrainer
from nardzero.learn.trainer import Trainer


def new_trainer(config: Config, ranks: Ranks | None = None) -> Trainer:
    """A trainer with random weights."""
    if config.learn.part == "sieve":
        return SieveTrainer(config, ranks)
    return (PairTrainer if config.learn.pairs else Trainer)(config, ranks)
