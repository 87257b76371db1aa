"""GNU Backgammon's binary keys as text: base64, without the padding at the end.

Letters in shapes: N keys, B bytes a key.
"""

import base64
import re
import reprlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import InvalidID

Keys = npt.NDArray[np.uint8]

ALPHABET = "A-Z a-z 0-9 + /"


def key_texts(keys: Keys) -> list[str]:
    """The keys [N, B] as N texts of the same length."""
    count, size = keys.shape
    # Whole groups of three bytes, so that one call encodes all rows and none of them ends in padding.
    padded = np.zeros((count, _whole_groups(size)), np.uint8)
    padded[:, :size] = keys
    text = base64.b64encode(padded.tobytes()).decode("ascii")
    width = padded.shape[1] // 3 * 4
    return [text[start : start + _length(size)] for start in range(0, len(text), width)]


def text_keys(texts: Sequence[str], size: int, name: str) -> Keys:
    """The keys [N, size] that the texts spell; whitespace around a text is ignored.

    Raises InvalidID for a text of another length, with padding, or with a character outside the alphabet,
    and for one whose last character sets bits beyond the key: only one spelling of a key is accepted.
    """
    bare = [text.strip() for text in texts]
    length = _length(size)
    for text in bare:
        fault = _fault(text, length)
        if fault:
            raise InvalidID(
                f"{reprlib.repr(text)} is not a {name}: {fault}; it takes {length} characters of {ALPHABET}"
            )
    filler = "A" * (-length % 4)
    raw = base64.b64decode("".join(text + filler for text in bare))
    keys = np.frombuffer(raw, np.uint8).reshape(len(bare), _whole_groups(size))
    spare = np.flatnonzero(keys[:, size:].any(axis=1))
    if spare.size:
        raise InvalidID(
            f"{bare[spare[0]]!r} is not a {name}: its last character sets bits beyond the {8 * size} used"
        )
    return keys[:, :size]


def _whole_groups(size: int) -> int:
    return -(-size // 3) * 3


def _length(size: int) -> int:
    return -(-size * 8 // 6)


def _fault(text: str, length: int) -> str | None:
    """What keeps a text from being that many characters of the alphabet, if anything."""
    if not text:
        return "it is empty"
    if text.endswith("="):
        return f"it has {len(text)} characters with the padding '=', which is left out"
    stray = re.search(r"[^A-Za-z0-9+/]", text)
    if stray:
        return f"{stray.group()!r} is outside the alphabet"
    return None if len(text) == length else f"it has {len(text)} characters"
