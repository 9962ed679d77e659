"""The UCI datasets of Bouckaert and Frank (2004), as they come with the package."""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pandas as pd

from replicast.errors import invalid, nearest
from replicast.reading.syntaxes.arff import read_arff

_FOLDER = "data/uci"


@dataclass(frozen=True)
class Dataset:
    """One classification problem.

    Attributes
    ----------
    X : DataFrame
        Attributes; nominal ones are categorical, missing values are NaN.
    y : Series
        Class of each row, categorical in the order of the file.
    source : str
        Where the data come from.
    """

    name: str
    X: pd.DataFrame
    y: "pd.Series[Any]"
    source: str

    def __str__(self) -> str:
        return (
            f"{self.name}: {len(self.X)} rows, {self.X.shape[1]} attributes, {self.classes} classes"
        )

    @property
    def classes(self) -> int:
        """Number of classes that occur."""
        return int(self.y.nunique())


def names() -> tuple[str, ...]:
    """Return the names of the datasets, in order.

    Examples
    --------
    >>> from replicast import datasets
    >>> len(datasets.names()), datasets.names()[0]
    (26, 'anneal')
    """
    folder = files("replicast").joinpath(_FOLDER)
    found = (path.name.removesuffix(".arff.gz") for path in folder.iterdir())
    return tuple(sorted(name for name in found if "." not in name))


def load(name: str) -> Dataset:
    """Return a dataset by its name.

    Examples
    --------
    >>> from replicast import datasets
    >>> vote = datasets.load("vote")
    >>> print(vote)
    vote: 435 rows, 16 attributes, 2 classes
    >>> vote.y.cat.categories.tolist()
    ['democrat', 'republican']
    """
    if name not in names():
        raise invalid("name", f"one of {', '.join(names())}", repr(name), nearest(name, names()))
    with as_file(files("replicast").joinpath(f"{_FOLDER}/{name}.arff.gz")) as path:
        found = load_file(path)
    return Dataset(name, found.X, found.y, _sources()[name])


def load_file(path: str | Path) -> Dataset:
    """Return the dataset of an ARFF file, plain or gzipped; the class is its last attribute."""
    path = Path(path)
    name = path.name.removesuffix(".gz").removesuffix(".arff")
    return from_frame(read_arff(path).frame, name)


@lru_cache(maxsize=1)
def _sources() -> dict[str, str]:
    """Read the source of each dataset from the list that comes with them."""
    text = files("replicast").joinpath(f"{_FOLDER}/SOURCES.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {row[0]: f"{row[1]} Taken from {row[2]}." for row in rows}


def from_frame(frame: pd.DataFrame, name: str, target: str | None = None) -> Dataset:
    """Return a dataset from a frame; the class is the column `target`, or the last one."""
    label = frame.columns[-1] if target is None else target
    if label not in frame.columns:
        columns = tuple(map(str, frame.columns))
        raise invalid(
            "target", f"one of {', '.join(columns)}", repr(target), nearest(label, columns)
        )
    if frame.shape[1] < 2:
        raise invalid("data", "a table with attributes and a class", f"{frame.shape[1]} columns")
    known = frame[label].notna()  # a row without a class can neither teach nor test
    frame = frame[known].reset_index(drop=True)
    return Dataset(name, frame.drop(columns=label), frame[label], name)
