"""Match equity tables as GNU Backgammon keeps them: XML files.

A `met` has an `info` with a name, a `pre-crawford-table` of rows, and one or two `post-crawford-table`s of
one row each. A row is a list of `me`, the chances to win of the player who is as far away as the row says.
A table may have the parameters of a formula instead, and then it is not read. Source: the files and the DTD
in the folder `met` of GNU Backgammon.
"""

from functools import cache
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import numpy as np

from nardzero.judge.met.table import Chances, InvalidTable, MatchEquityTable

SHIPPED = Path(__file__).with_name("nardzero.xml")
LARGEST = 1_000_000
"""Bytes that a file may have; 64 points away take a tenth of it."""
DIGITS = 5
"""Decimals that are written."""


@cache
def shipped_table() -> MatchEquityTable:
    """The table that comes with the package, up to 25 points away, made by `scripts/met.py`."""
    return read_xml(SHIPPED)


def read_xml(path: str | Path) -> MatchEquityTable:
    """The table in a file. Raises InvalidTable, in one sentence, for anything else.

    Entities are refused, and nothing outside the file is looked at.
    """
    root = _root(Path(path))
    name = root.findtext("info/name", "").strip() or Path(path).stem
    before = _rows(root, "pre-crawford-table", path)
    after = _rows(root, "post-crawford-table", path)
    if not all(row == after[0] for row in after):
        raise InvalidTable(f"{path} is for players of unequal strength, whose post-Crawford rows differ")
    if len({len(row) for row in before}) > 1:
        raise InvalidTable(f"{path} has rows of different lengths")
    # Some files go further after the Crawford game than before it, or the other way round.
    length = min(len(before), len(before[0]), len(after[0]))
    table = np.array([row[:length] for row in before[:length]])
    return MatchEquityTable(name, table, np.array(after[0][:length]))


def _root(path: Path) -> ElementTree.Element:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise InvalidTable(f"cannot read {path}: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise InvalidTable(f"{path} is larger than {LARGEST:,} bytes, so it is no match equity table")
    try:
        text = data.decode("utf-8-sig")
        # An entity may stand for any amount of text, or for another file. No table needs one.
        if "<!ENTITY" in text:
            raise InvalidTable(f"{path} defines entities, which are not read")
        root = ElementTree.fromstring(text)
    except (UnicodeDecodeError, ElementTree.ParseError) as error:
        raise InvalidTable(f"{path} is not XML ({error})") from None
    if root.tag != "met":
        raise InvalidTable(f"{path} holds <{root.tag}>, not a match equity table, <met>")
    return root


def _rows(root: ElementTree.Element, kind: str, path: str | Path) -> list[list[float]]:
    """The rows of all tables of one kind, of which there is one at least."""
    tables = root.findall(kind)
    if any(table.find("parameters") is not None for table in tables):
        raise InvalidTable(f"{path} gives the parameters of a formula for its {kind}, not the chances")
    rows = [row.findall("me") for table in tables for row in table.findall("row")]
    if not rows or not all(rows):
        raise InvalidTable(f"{path} has no {kind} with rows of chances")
    try:
        return [[float(chance.text or "") for chance in row] for row in rows]
    except ValueError as error:
        raise InvalidTable(f"{path} has a chance that is no number ({error})") from None


def write_xml(path: Path, table: MatchEquityTable, description: str) -> None:
    """Write a table so that `read_xml`, and GNU Backgammon, can read it."""
    lines = [
        '<?xml version="1.0"?>',
        '<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">',
        "<met>",
        "<info>",
        f"<name>{escape(table.name)}</name>",
        f"<description>{escape(description)}</description>",
        f"<length>{table.length}</length>",
        "</info>",
        '<pre-crawford-table type="explicit">',
        *map(_row, table.before),
        "</pre-crawford-table>",
        '<post-crawford-table type="explicit" player="both">',
        _row(table.after),
        "</post-crawford-table>",
        "</met>",
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _row(chances: Chances) -> str:
    return "<row>" + "".join(f"<me>{chance:.{DIGITS}f}</me>" for chance in chances) + "</row>"
