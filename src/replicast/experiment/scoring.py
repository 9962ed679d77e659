"""What is measured on every test set: one scorer or several, by name or as a function."""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from replicast.arrays import Floats
from replicast.errors import invalid, require_function, show

Scorer = Callable[..., Any]
Scoring = str | Scorer | Sequence[str] | Mapping[str, str | Scorer]
Progress = Callable[[int, int], None]
ACCURACY = "accuracy"
_FOR_NUMBERS = "neg_root_mean_squared_error"
# what a case adds to a scorer that is a mean of cases, from truth and prediction
OF_CASES: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "neg_mean_absolute_error": lambda y, predicted: -np.abs(y - predicted),
    "neg_mean_squared_error": lambda y, predicted: -((y - predicted) ** 2),
}


def parse_scoring(
    scoring: Scoring | None, *, numbers: bool, weighted: bool
) -> tuple[dict[str, Scorer | None], bool]:
    """Return the scorers by name, and whether several were asked for.

    None stands for accuracy, which predictions tell without a scorer; regressors are scored by their
    root mean squared error, less being better, unless told otherwise.
    """
    if scoring is None:
        scoring = _FOR_NUMBERS if numbers else ACCURACY
    several = not isinstance(scoring, str) and not callable(scoring)
    named = _by_name(scoring) if several else {_name_of(scoring): scoring}
    by_predictions = not numbers and not weighted
    found = {
        name: None if by_predictions and name == one == ACCURACY else _scorer(one)
        for name, one in named.items()
    }
    if weighted:
        _require_weights(found)
    return found, several


def _by_name(scoring: object) -> dict[str, Any]:
    """Return several scorers by their names."""
    if isinstance(scoring, Mapping):
        named = {str(name): one for name, one in scoring.items()}
    elif not isinstance(scoring, Sequence):
        raise invalid("scoring", "a scorer, a list of names, or a dict of scorers", scoring)
    else:
        named = {_name_of(one): one for one in scoring}
        if len(named) < len(scoring):
            raise invalid("scoring", "different scorers", show(scoring))
    if not named:
        raise invalid("scoring", "at least one scorer", "none")
    return named


def _require_weights(scorers: Mapping[str, Scorer | None]) -> None:
    for name, one in scorers.items():
        if one is not None and not _takes_weights(one):
            remedy = "Let it take `sample_weight`, or leave the weights out"
            raise invalid("scoring", "scorers that take weights", f"{name} without", remedy)


def _name_of(scoring: object) -> str:
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")


def _scorer(scoring: object) -> Scorer:
    if callable(scoring):
        return scoring
    from sklearn.metrics import get_scorer, get_scorer_names

    if not isinstance(scoring, str) or scoring not in get_scorer_names():
        raise invalid("scoring", "accuracy, a scikit-learn scorer or a callable", repr(scoring))
    found: Scorer = get_scorer(scoring)
    return found


def _takes_weights(scorer: Scorer) -> bool:
    if type(scorer).__module__.startswith("sklearn.metrics"):
        return True
    parameters = inspect.signature(scorer).parameters
    return "sample_weight" in parameters or any(
        one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()
    )


def parse_progress(progress: object) -> Progress | None:
    """Return a function that is told how far it got: the user's, or a line on the screen for True."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _line
    require_function(progress, "progress", "progress(done, total)")
    return progress  # type: ignore[return-value]  # as just required


def _line(done: int, total: int) -> None:
    """Write one line that overwrites itself, to where errors go."""
    sys.stderr.write(f"\r{done} of {total} runs" + ("\n" if done >= total else ""))
    sys.stderr.flush()
