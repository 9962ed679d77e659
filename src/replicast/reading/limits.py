"""How much may come in: one table of limits, the same checks for command line, page and Python."""

from dataclasses import dataclass

import numpy as np

from replicast.errors import InvalidArgumentError

MB = 1024**2
GB = 1024**3
_NARROW = "Keep the columns classifier, dataset, run, fold and score, or one file per dataset"
_LONG = "Write one row for each score: classifier, dataset, run, fold, score"
_SAID = {  # what a limit is called in a sentence, and what to do about it
    "packed": ("a file of at most {}", _NARROW),
    "unpacked": ("a file of at most {}", _NARROW),
    "archive": ("an archive or workbook of at most {} unpacked", _NARROW),
    "ratio": ("a file that unpacks to at most {} times its bytes", "Unpack it"),
    "members": ("an archive of at most {} files", "Give a folder, or fewer files"),
    "rows": ("a table of at most {} rows", _NARROW),
    "columns": ("a table of at most {} columns", _LONG),
    "cells": ("a table of at most {} cells", _NARROW),
    "texts": ("a table or sheet of at most {} cells", "Export it as CSV"),
    "cell": ("a table with at most {} letters in a cell", "Leave that column out"),
    "line": ("a text with at most {} bytes in a line", "Is it a table?"),
    "depth": ("JSON nested at most {} deep", ""),
    "digits": ("JSON whose whole numbers have at most {} digits", ""),
}
_BYTES = ("packed", "unpacked", "archive")
_TOP = 65_536  # bytes among which the first line begins
_FREE = 64 * MB  # whatever unpacks to no more is no bomb


class LimitError(InvalidArgumentError):
    """More came than is taken; `domain` says how much that is."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a source may hold at most; every reader asks here before it parses."""

    packed: int = 2 * GB  # bytes of a file as it came
    unpacked: int = 2 * GB  # bytes of a file
    archive: int = 2 * GB  # bytes of all files in an archive or a workbook
    ratio: int = 250  # times its own bytes that a file may unpack to, beyond the first 64 MB
    members: int = 10_000  # files in an archive
    rows: int = 100_000_000  # of a table
    columns: int = 100_000
    cells: int = 200_000_000
    # of a table that is put together as text: LaTeX, Markdown, HTML, workbooks
    texts: int = 5_000_000
    cell: int = 1_000_000  # letters of a cell
    line: int = 4_000_000  # bytes of a line of text
    depth: int = 200  # levels of JSON
    digits: int = 300  # of a whole number in JSON

    def require(self, limit: str, amount: int, name: str) -> None:
        """Refuse a source that has more of something than the table of limits says."""
        if amount > getattr(self, limit):
            raise self.beyond(limit, f"{name} with {_shown(limit, amount)}")

    def beyond(self, limit: str, got: str) -> LimitError:
        """Return the refusal of what is beyond a limit."""
        domain, remedy = _SAID[limit]
        return LimitError("source", domain.format(_shown(limit, getattr(self, limit))), got, remedy)

    def unpacking(self, packed: int) -> int:
        """Return how many bytes a file of some packed ones may unpack to, by the limit of the ratio."""
        return max(_FREE, self.ratio * packed)

    def require_text(self, raw: bytes, name: str) -> None:
        """Refuse text whose lines or table are too large, before anything looks for cells in it."""
        self._require_lines(raw, name)
        top = raw[:_TOP]
        begin = len(top) - len(top.lstrip(b"\xef\xbb\xbf\r\n \t"))
        end = raw.find(b"\n", begin)
        head = raw[begin : end if end >= 0 else min(len(raw), self.line)]
        columns = 1 + max(head.count(mark) for mark in (b",", b";", b"\t", b"|"))
        rows = max(raw.count(b"\n"), raw.count(b"\r"))
        self.require_shape(rows, columns, name)

    def _require_lines(self, raw: bytes, name: str) -> None:
        at = 0
        while len(raw) - at > self.line:  # to the last end of a line that is near enough
            end = max(raw.rfind(mark, at, at + self.line + 1) for mark in (b"\n", b"\r"))
            if end < 0:
                raise self.beyond("line", f"{name} with more")
            at = end + 1

    def require_shape(self, rows: int, columns: int, name: str, limit: str = "cells") -> None:
        """Refuse a table that is too long, too wide or too large."""
        self.require("rows", rows, name)
        self.require("columns", columns, name)
        if rows * columns > getattr(self, limit):
            raise self.beyond(limit, f"{name} with {rows:,} rows x {columns:,} columns")

    def require_json(self, raw: bytes, name: str) -> None:
        """Refuse JSON that is nested too deep, before a parser goes down."""
        if raw.count(b"[") + raw.count(b"{") <= self.depth:
            return
        plain = raw.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in raw else raw
        outside = b"".join(plain.split(b'"')[::2])  # what stands between texts
        marks = np.frombuffer(outside.translate(None, _OTHERS), dtype=np.uint8)
        steps = np.where((marks == ord("[")) | (marks == ord("{")), 1, -1)
        depth = int(np.cumsum(steps, dtype=np.int64).max(initial=0))
        self.require("depth", depth, name)


_OTHERS = bytes(sorted(set(range(256)) - set(b"[]{}")))
HERE = Limits()
PAGE = Limits(
    packed=10 * MB, unpacked=10 * MB, archive=50 * MB, rows=200_000, columns=2_000, cells=5_000_000
)


def _shown(limit: str, amount: int) -> str:
    if limit not in _BYTES:
        return f"{amount:,}"
    return f"{amount / GB:.3g} GB" if amount >= GB else f"{amount // MB:,} MB"
