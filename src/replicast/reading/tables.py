"""Tables of data, not of scores: CSV, Parquet and ARFF become frames."""

import io
from pathlib import Path

import pandas as pd

from replicast.errors import InvalidContentError, invalid
from replicast.reading.documents import Document
from replicast.reading.packing import decode, load
from replicast.reading.syntaxes.arff import read_arff
from replicast.reading.syntaxes.delimited import sniff

_HEAD = 65_536  # bytes in which an ARFF file says what it is, comments before it included
_DELIMITED = (".csv", ".tsv", ".txt", ".data")


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a CSV, Parquet or ARFF file, by its ending; text columns become categorical.

    A file without an ending, as standard input is one, is told by how it begins.
    """
    path = Path(path)
    name = path.name.lower().removesuffix(".gz")
    if not path.exists():
        raise invalid("data", "a file that is there", path.name)
    if "." not in name:
        name += _ending_of(load(path))
    if name.endswith(".arff"):
        return read_arff(path).frame
    if name.endswith((".parquet", ".pq")):
        frame = Document(path=path, raw=load(path)).sheet.frame
    elif name.endswith(_DELIMITED):
        frame = _delimited(load(path), path.name)
    else:
        raise invalid("data", "a .csv, .tsv, .parquet or .arff file", path.name)
    for column in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = frame[column].astype("category")
    return frame


def _ending_of(raw: bytes) -> str:
    """Return the ending that a file should have had."""
    if raw.startswith(b"PAR1"):
        return ".parquet"
    return ".arff" if b"@relation" in raw[:_HEAD].lower() else ".csv"


def _delimited(raw: bytes, name: str) -> pd.DataFrame:
    """Read text; unlike in scores, cells such as NA and ? are missing values."""
    text, _ = decode(raw, name)
    try:
        return pd.read_csv(
            io.StringIO(text),
            sep=sniff(text).separator or r"\s+",
            na_values=["?"],
            skipinitialspace=True,
        )
    except (ValueError, OverflowError) as error:  # errors of pandas' parser among them
        first = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise InvalidContentError(name, "a table of text", first, argument="data") from None
