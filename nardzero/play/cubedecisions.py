"""Cube decisions that a referee has judged: positions before the roll in which doubling is close.

The referee is another engine that looked two plies ahead with the cube. So any judge of the cube is measured
in a second, and needs none of it. Letters in shapes: D positions.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from zipfile import BadZipFile

import numpy as np

from nardzero.game.errors import InvalidInput
from nardzero.game.position import Boards
from nardzero.judge.doubling import Cubeful


class InvalidCubeDecisions(InvalidInput):
    """A file that holds no judged cube decisions."""


@dataclass(frozen=True, eq=False)
class CubeDecisions:
    """Positions with their cubeful equities, as a referee sees them."""

    boards: Boards
    """The positions [D, 26] before the roll."""
    equities: Cubeful
    """The equities [D, 3] of the player on roll per unit of a cube that is centred, his, and the opponent's,
    without a double now; in money games without the Jacoby rule."""
    referee: str
    """The name of the engine that judged."""

    def __post_init__(self) -> None:
        if self.boards.shape != (len(self.equities), 26) or self.equities.shape[1:] != (3,):
            raise InvalidCubeDecisions(
                f"{len(self.boards)} positions do not go with equities of shape {self.equities.shape}"
            )

    def save(self, path: Path) -> None:
        """Write them into a file of `load`, at once or not at all."""
        # They are known to less than the 3 digits that 16 bits keep.
        equities = self.equities.astype(np.float16)
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            np.savez_compressed(file, boards=self.boards, equities=equities, referee=np.asarray(self.referee))
        Path(file.name).chmod(0o644)
        Path(file.name).replace(path)

    @classmethod
    def load(cls, path: Path) -> "CubeDecisions":
        """Read what `save` wrote. Raises InvalidCubeDecisions for anything else."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                equities = arrays["equities"].astype(np.float32)
                return cls(arrays["boards"], equities, str(arrays["referee"]))
        except (ValueError, KeyError, IndexError, EOFError, BadZipFile) as fault:
            raise InvalidCubeDecisions(f"{path} holds no judged cube decisions ({fault})") from None


def shipped_cube_decisions() -> CubeDecisions:
    """The cube decisions that come with nardzero."""
    from nardzero.model.store import shipped  # it brings PyTorch, which takes seconds to import

    return CubeDecisions.load(shipped("decisions") / "cube.npz")
