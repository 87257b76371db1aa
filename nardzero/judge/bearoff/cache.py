"""Arrays that take seconds to compute, kept in a file for the next time.

The folder is that of the environment variable NARDZERO_CACHE, or else the one that the platform has for
such things (on Linux XDG_CACHE_HOME or ~/.cache). It may be deleted at any time. A file is the SHA-256 of
all that follows, and then a NumPy `.npz` of plain arrays; it is written under another name first, so that
nobody ever reads half a file, and two who write at once leave the file of one of them.
"""

import hashlib
import io
import logging
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs

Arrays = Mapping[str, npt.NDArray[Any]]

VARIABLE = "NARDZERO_CACHE"
DIGEST = hashlib.sha256().digest_size
LOG = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Where the files are; it need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else platformdirs.user_cache_path("nardzero", appauthor=False)


def cached(name: str, build: Callable[[], Arrays]) -> Arrays:
    """The arrays of that name, from the cache or else built and put there, not to be written to.

    A file that is missing, cut short or altered is made anew, which the log tells. Where nothing can be
    written there is no cache. What changes the arrays must change the name.
    """
    path = cache_folder() / name
    arrays = _read(path)
    if arrays is None:
        LOG.info("making %s, once: it takes some seconds and is kept in %s", name, path.parent)
        arrays = build()
        try:
            _write(path, arrays)
        except OSError as fault:
            LOG.info("cannot keep %s (%s): it will be made again", name, fault.strerror or fault)
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def _read(path: Path) -> Arrays | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    digest, content = data[:DIGEST], data[DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def _write(path: Path, arrays: Arrays) -> None:
    content = io.BytesIO()
    named: dict[str, Any] = dict(arrays)
    np.savez(content, **named)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(hashlib.sha256(content.getbuffer()).digest())
            file.write(content.getbuffer())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
