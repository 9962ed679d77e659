"""Large tables read piece by piece: texts become codes and whole numbers small, as each piece comes."""

import io
from collections.abc import Container, Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import infer_dtype

LARGE = 4 * 1024**2  # bytes of text; smaller tables are read at once
PIECE = 2**17  # rows
_FIRST = 1000  # rows that tell which names are written as numbers
# before version 3 pandas gave some numbers with 17 digits a last bit of its own
_EXACT_NUMBERS: dict[str, Any] = (
    {} if int(pd.__version__.partition(".")[0]) >= 3 else {"float_precision": "round_trip"}
)
_KINDS = {"i": "number", "f": "number", "b": "truth", "u": "too large"}


class _Column:
    """The cells of one column so far, in one buffer that grows, as small as they can be kept."""

    def __init__(self) -> None:
        self._cells: NDArray[Any] = np.empty(0, dtype=np.int8)
        self._count = 0
        self._codes: dict[object, int] = {}
        self._kind = ""  # what its cells are; empty as long as nothing stands in it

    def add(self, cells: "pd.Series[Any]") -> bool:
        """Take another piece; False if it is of another kind than those before."""
        if cells.isna().all():
            if self._kind == "truth":
                return False
        else:
            kind = _KINDS.get(cells.dtype.kind, "text")
            if self._kind not in ("", kind) or kind == "too large":
                return False
            if kind == "truth" and self._count and not self._kind:
                return False  # there is no gap among truth values of one byte
            if not self._kind and kind == "text":
                self._cells = np.full(len(self._cells), -1, dtype=np.int8)
            self._kind = kind
        self._append(self._coded(cells) if self._kind == "text" else _small(cells))
        return True

    def _coded(self, cells: "pd.Series[Any]") -> NDArray[Any]:
        codes, found = pd.factorize(cells)
        known = [self._codes.setdefault(cell, len(self._codes)) for cell in found]
        kept = np.array([*known, -1], dtype=np.min_scalar_type(-len(self._codes) - 1))
        return np.asarray(kept[codes])

    def _append(self, values: NDArray[Any]) -> None:
        kind = np.promote_types(self._cells.dtype, values.dtype) if self._count else values.dtype
        self._cells = self._cells.astype(kind, copy=False)
        end = self._count + len(values)
        if end > len(self._cells):  # in place: a second copy would double the memory
            self._cells.resize(max(end, len(self._cells) * 5 // 4), refcheck=False)
        self._cells[self._count : end] = values
        self._count = end

    def whole(self) -> Any:
        """Return all cells."""
        cells, self._cells = self._cells, np.empty(0, dtype=np.int8)
        cells.resize(self._count, refcheck=False)
        if self._kind != "text":
            return cells
        return pd.Categorical.from_codes(cells, pd.Index(list(self._codes), dtype=object))


def joined(pieces: Iterable[pd.DataFrame], labels: Container[str] = ()) -> pd.DataFrame | None:
    """Put the pieces of a table together.

    None if a column is of several kinds, labels were read as numbers, or rows have names.
    """
    columns: dict[str, _Column] = {}
    for piece in pieces:
        if not isinstance(piece.index, pd.RangeIndex):
            return None
        for name in piece.columns:
            if name in labels and not is_text(piece[name]):
                return None
            if not columns.setdefault(name, _Column()).add(piece[name]):
                return None
    return pd.DataFrame({name: column.whole() for name, column in columns.items()}, copy=False)


def is_text(cells: "pd.Series[Any]") -> bool:
    """Say whether cells were kept as they were written, or there are none."""
    if cells.dtype == object:  # blanks among True and False make them objects, not text
        return infer_dtype(cells, skipna=True) in ("string", "empty")
    return cells.dtype.kind not in _KINDS or bool(cells.isna().all())


def _small(cells: "pd.Series[Any]") -> NDArray[Any]:
    """Return whole numbers in the fewest bytes that hold them, others as they are."""
    values = cells.to_numpy()
    if values.dtype.kind == "b":
        return values
    if values.dtype.kind != "i":
        return cells.to_numpy(dtype=np.float64)
    return values.astype(np.min_scalar_type(min(int(values.min()), -int(values.max()) - 1)))


def read_pieces(raw: bytes, options: dict[str, Any]) -> pd.DataFrame:
    """Read large text in pieces, and at once if it is small or pieces differ in kind."""
    options = {"low_memory": False, **_EXACT_NUMBERS, **options}
    frame: pd.DataFrame | None = None
    if len(raw) > LARGE:
        labels = options["dtype"]
        guessed = options | {"dtype": {}}  # pandas is slower when it is told that names are text
        first = pd.read_csv(io.BytesIO(raw), nrows=_FIRST, **guessed)
        guessed["dtype"] = {
            one: str for one in labels if one not in first or not is_text(first[one])
        }
        with pd.read_csv(io.BytesIO(raw), chunksize=PIECE, **guessed) as pieces:
            frame = joined(pieces, labels)
    return pd.read_csv(io.BytesIO(raw), **options) if frame is None else frame
