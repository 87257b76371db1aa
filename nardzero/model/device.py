"""Where nets run, and in which arithmetic."""

from collections.abc import Sequence
from itertools import pairwise

import torch

from nardzero.game.errors import InvalidInput
from nardzero.model.folded import Precision

WIDE = 20_000
"""From so many weights between hidden layers on, bfloat16 is worth it on a CPU that has it."""


def pick_device(wanted: str) -> str:
    """`cpu` or `cuda`, also for `auto`. Raises InvalidInput where there is no CUDA device."""
    available = torch.cuda.is_available()
    if wanted == "auto":
        return "cuda" if available else "cpu"
    if wanted == "cuda" and not available:
        raise InvalidInput("there is no CUDA device that PyTorch can use here; take --device cpu")
    return wanted


def pick_precision(wanted: str, hidden: Sequence[int], device: str) -> Precision:
    """`float32` or `bfloat16`; for `auto`, what is faster for a net of these hidden layers."""
    if wanted != "auto":
        return "bfloat16" if wanted == "bfloat16" else "float32"
    wide = sum(narrow * broad for narrow, broad in pairwise(hidden)) >= WIDE
    return "bfloat16" if wide and _has_bfloat16(device) else "float32"


def _has_bfloat16(device: str) -> bool:
    """Whether the device multiplies matrices of bfloat16 faster than of float32."""
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, lambda: False)() for name in names)
