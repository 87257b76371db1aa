"""How many threads PyTorch computes with."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch on one thread inside the block, so that its sums do not depend on how many cores there are.

    Several threads divide a batch, and rounding differs with where they divide it.
    """
    # What has not been imported is not going to compute; importing it takes seconds.
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
