"""What is said of scores that are missing: whose, where, and what to do about them."""

from collections.abc import Sequence

from replicast.design import Design
from replicast.errors import MissingScoresError
from replicast.formatting import plural

_CASES = "Complete the table, or leave such cases out of both with `missing=drop-case`"
_DATASETS = (
    "Complete the table, or leave out what lacks scores with `missing=drop-dataset` or "
    "`missing=drop-classifier`"
)
_TRAINED = "The others were trained on its cases, so that no {unit} can be left out: complete it"
_OTHERS = ", or leave out the classifier with `missing=drop-classifier`"


def lacking_scores(
    names: Sequence[str],
    count: int | None,
    design: Design,
    datasets: Sequence[str],
    *,
    alone: bool,
    others: int,
) -> MissingScoresError:
    """Return the refusal to compare classifiers of which some lack scores.

    The table may be of one dataset `alone`, which goes by `all` where it has no name; without them it
    has so many `others`.
    """
    more = f" and {len(names) - 5} more" if names[5:] else ""
    shown = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:5])}{more}"
    verb = "lacks" if len(names) == 1 else "lack"
    where = (
        ""
        if alone and (design.of_cases or datasets[0] == "all")
        else f" on {on_datasets(datasets)}"
    )
    unit = "case" if design.of_cases else design.unit if alone else "score"
    got = f"{shown} {verb} {f'{unit}s' if count is None else plural(count, unit)}{where}"
    if design.of_cases:
        return MissingScoresError("missing", "drop-case", got, _CASES)
    if alone:
        return MissingScoresError(
            "missing", "drop-classifier", got, one_dataset_advice(design, others)
        )
    return MissingScoresError("missing", "drop-dataset or drop-classifier", got, _DATASETS)


def one_dataset_advice(design: Design, others: int) -> str:
    """Say what to do about a gap where there is one dataset, which cannot be left out."""
    kept = _TRAINED.format(unit=design.unit) if design.shares_training else "Complete it"
    return kept + (_OTHERS if others > 1 else "")


def on_datasets(names: Sequence[str]) -> str:
    """Name the first three datasets, and say how many more there are.

    Examples
    --------
    >>> on_datasets(["a", "b"]), on_datasets(["a", "b", "c", "d", "e"])
    ("'a', 'b'", "'a', 'b', 'c' and 2 more")
    """
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(repr, names[:3])) + more
