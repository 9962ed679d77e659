"""Tables of data, not of scores: CSV, Parquet and ARFF become frames."""

from pathlib import Path

import pandas as pd

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.arff import read_arff


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a CSV, Parquet or ARFF file, by its ending; text columns become categorical."""
    path = Path(path)
    name = path.name.lower().removesuffix(".gz")
    if not path.exists():
        raise InvalidArgumentError(f"{path.name} cannot be read: there is no such file.")
    try:
        if name.endswith(".arff"):
            return read_arff(path).frame
        if name.endswith((".parquet", ".pq")):
            frame = pd.read_parquet(path)
        elif name.endswith((".csv", ".tsv", ".txt", ".data")):
            frame = pd.read_csv(path, sep=None, engine="python")
        else:
            raise invalid("data", "a .csv, .tsv, .parquet or .arff file", path.name)
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        first = str(error).splitlines()[0]
        raise InvalidArgumentError(f"{path.name} cannot be read: {first}.") from None
    for column in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = frame[column].astype("category")
    return frame
