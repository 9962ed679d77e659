"""Files that hold no comparison: trials of a search, rounds of boosting, curves of training."""

import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.requests import Request

_BOOSTING = re.compile(r"(train|test|valid|eval|validation)[ \-_].+-(mean|std|stdv)")
_STEPS = ("step", "epoch", "relative time (process)", "lr", "learning_rate")


def _refusing(
    domain: str, got: str, remedy: str
) -> Callable[[Sequence[Document], Request], NoReturn]:
    """Return a reader that says what a file holds, and what would be a comparison."""

    def refuse(documents: Sequence[Document], _: Request) -> NoReturn:
        raise InvalidContentError(documents[0].path.name, domain, got, remedy)

    return refuse


read_trials = _refusing(
    "classifiers compared on the same folds or datasets",
    "trials of one Optuna search, each with a setting and a value of its own",
    "Evaluate the settings to compare on the same folds, and give those scores",
)
read_boosting = _refusing(
    "scores of at least two classifiers",
    "a row for each boosting round of one model, with means of its measures",
    "Give the score of every fold for each model, after its last round",
)
read_curves = _refusing(
    "a row for each fold, dataset or seed",
    "a curve over steps of one training or of several",
    "Steps are no repeats of an experiment: give the last value of each run",
)


def is_boosting(document: Document) -> bool:
    """Tell what `xgb.cv` and `lgb.cv` return: means and deviations of every round."""
    columns = [name for name in document.columns if not name.startswith("Unnamed")]
    return len(columns) > 1 and all(_BOOSTING.fullmatch(name) for name in columns)


def is_curves(document: Document) -> bool:
    """Tell steps of training: a chart of Weights & Biases, or measures beside those of validation."""
    columns = [name.casefold() for name in document.columns]
    if any(name.endswith(("__min", "__max")) for name in columns):
        return columns[0] in _STEPS
    measured = {name for name in columns if name not in _STEPS}
    on_training = {name for name in measured if not name.startswith("val_")}
    return bool(on_training) and measured == on_training | {f"val_{name}" for name in on_training}
