"""Comparisons by what is no mean of one test set: AUC, F1 and their kin; tasks that are fixed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from replicast.cli.options import Reading, column_names, pairs, read_files
from replicast.cli.words import read_number

if TYPE_CHECKING:
    from replicast.comparison.finding import Finding
    from replicast.scores.tables import ScoreTable

_SHOWN = 5  # weights


def refuse_beside(option: str, others: Mapping[str, Any]) -> None:
    """Refuse options that mean nothing beside this one."""
    from replicast.errors import invalid

    for other, value in others.items():
        if value is not None:
            raise invalid(other, f"left out with `{option}`", repr(value))


def fixed_tasks(
    files: list[Path],
    table: "ScoreTable",
    names: tuple[str, str],
    told: str,
    reading: Reading,
    **options: Any,
) -> "tuple[Finding, tuple[str, ...]]":
    """Compare on the tasks of a table that are fixed: each is read again, with its cases."""
    from replicast.comparison.tasks import compare_tasks
    from replicast.errors import invalid
    from replicast.reading.cases import AS_SAMPLE

    weights = None
    if told != "fixed":
        given = pairs(told, "tasks", "maths=2,law=1, or sample or fixed")
        try:
            weights = {task: read_number(value) for task, value in given.items()}
        except ValueError:
            raise invalid(
                "tasks", "weights that are numbers, e.g. maths=2,law=1", repr(told)
            ) from None
    if AS_SAMPLE not in table.account:
        remedy = "Cases of every task tell how much fresh ones would change"
        raise invalid(
            "tasks", "left out unless there are cases of several tasks", repr(told), remedy
        )
    tasks = {
        task: read_files(files, replace(reading, dataset=task), classifiers=names).pair(*names)
        for task in table.datasets
    }
    found = compare_tasks(tasks, weights=weights, measure=table.metric, **options)
    shown = ", ".join(f"{task} {share:.3g}" for task, share in list(found.weights.items())[:_SHOWN])
    more = ", and others" if len(tasks) > _SHOWN else ""
    counted = f"{found.n:,} cases of {len(tasks)} tasks"
    design = f"Design: {counted}, which are fixed (weights: {shown}{more})."
    account = tuple(
        design if line.startswith("Design: ") else line
        for line in table.account
        if line != AS_SAMPLE
    )
    return found, account


def by_measure(
    files: list[Path],
    measure: str,
    positive: str | None,
    reading: Reading,
    *,
    names: tuple[str | None, str | None],
    **options: Any,
) -> "tuple[Finding, tuple[str, ...]]":
    """Compare predictions of one test set by a measure of all its cases."""
    from replicast.cli.compare import choose_pair
    from replicast.comparison.measure_rows import AREA, find_measure
    from replicast.comparison.measures import compare_measure
    from replicast.errors import invalid, require_choice
    from replicast.reading.predicted import read_predicted
    from replicast.reading.requests import Request

    of_classes = measure != AREA and find_measure(measure).needs == "classes"
    named = tuple(name for name in names if name is not None)
    request = Request(
        where=pairs(reading.where, "where", "split=test"), sheet=reading.sheet,
        dataset=reading.dataset, classifiers=named if len(named) == 2 else None,
        **column_names(reading.columns),
    )  # fmt: skip
    table = read_predicted(
        files[0] if len(files) == 1 else files, "classes" if of_classes else "scores", request
    )
    first, second = choose_pair(tuple(table.said), *names)
    for option, name in (("first", first), ("second", second)):
        require_choice(name, option, tuple(table.said))
    classes = list(dict.fromkeys(table.truth.tolist()))
    chosen = next((one for one in classes if _label(one) == positive), None)
    if positive is not None and chosen is None:
        domain = f"one of {', '.join(map(_label, classes))}"
        raise invalid("positive", domain, repr(positive))
    found = compare_measure(
        cast(Any, measure), table.truth, table.said[first], table.said[second], positive=chosen,
        clusters=None if table.clusters is None else table.clusters.tolist(),
        names=(first, second), **options,
    )  # fmt: skip
    return found, table.account


def _label(value: object) -> str:
    """Return a class as it is written: whole numbers without a point."""
    return f"{value:g}" if isinstance(value, float) else str(value)
