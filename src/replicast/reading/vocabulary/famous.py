"""Names everybody uses: they tell a table of datasets by classifiers from its transpose."""

from collections.abc import Iterable
from functools import lru_cache

from replicast.reading.vocabulary.naming import word_lists, words

_CLASSIFIERS, _DATASETS = word_lists()["classifiers"], word_lists()["datasets"]


@lru_cache(maxsize=4096)
def _kind(name: str) -> str:
    parts = words(name)
    joined = "".join(parts)
    if not _DATASETS.isdisjoint((joined, joined.rstrip("0123456789"), *parts[:1])):
        return "dataset"
    return "" if _CLASSIFIERS.isdisjoint((joined, *parts)) else "classifier"


def tell_apart(rows: Iterable[str], columns: Iterable[str]) -> str:
    """Return what the rows are by names that everybody knows: datasets, classifiers, or nothing.

    Two known names are needed, and none that says otherwise.

    Examples
    --------
    >>> tell_apart(["iris", "x"], ["svm", "y"]), tell_apart(["svm"], ["wine", "z"])
    ('datasets', 'classifiers')
    >>> tell_apart(["a", "b"], ["c", "svm"])
    ''
    """
    below, above = list(map(_kind, rows)), list(map(_kind, columns))
    usual = below.count("dataset") + above.count("classifier")
    turned = below.count("classifier") + above.count("dataset")
    if usual >= 2 and not turned:
        return "datasets"
    return "classifiers" if turned >= 2 and not usual else ""
