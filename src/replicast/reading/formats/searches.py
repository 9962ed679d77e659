"""Files that hold no comparison: trials of a search, rounds of boosting, curves of training."""

import re
from collections.abc import Sequence

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable

_BOOSTING = re.compile(r"(train|test|valid|eval|validation)[ \-_].+-(mean|std|stdv)")


def read_trials(documents: Sequence[Document], request: Request) -> ScoreTable:  # noqa: ARG001  # all readers take both
    """Refuse trials: each has another setting and one value, and nothing is paired."""
    domain = "classifiers compared on the same folds or datasets"
    got = "trials of one Optuna search, each with a setting and a value of its own"
    remedy = "Evaluate the settings to compare on the same folds, and give those scores"
    raise InvalidContentError(documents[0].path.name, domain, got, remedy)


def is_boosting(document: Document) -> bool:
    """Tell what `xgb.cv` and `lgb.cv` return: means and deviations of every round."""
    columns = [name for name in document.columns if not name.startswith("Unnamed")]
    return len(columns) > 1 and all(_BOOSTING.fullmatch(name) for name in columns)


def read_boosting(documents: Sequence[Document], request: Request) -> ScoreTable:  # noqa: ARG001  # all readers take both
    """Refuse rounds of boosting: they are one model, measured while it grows."""
    domain = "scores of at least two classifiers"
    got = "a row for each boosting round of one model, with means of its measures"
    remedy = "Give the score of every fold for each model, after its last round"
    raise InvalidContentError(documents[0].path.name, domain, got, remedy)


def is_curves(document: Document) -> bool:
    """Tell a chart that Weights & Biases exports: steps, and runs with their minimum and maximum."""
    columns = document.columns
    first = columns[0].casefold() if columns else ""
    ends = any(name.endswith(("__MIN", "__MAX")) for name in columns)
    return ends and first in ("step", "epoch", "relative time (process)")


def read_curves(documents: Sequence[Document], request: Request) -> ScoreTable:  # noqa: ARG001  # all readers take both
    """Refuse curves: steps of training are no repeats of an experiment."""
    domain = "a row for each fold, dataset or seed"
    got = "a curve over steps of training, with MIN and MAX of every run"
    remedy = "Export the table of runs, with the last value of each"
    raise InvalidContentError(documents[0].path.name, domain, got, remedy)
