"""What two models are compared by: scores of a file, measures of predictions, tasks, slices."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from replicast.cli.bundles import option
from replicast.cli.options import Reading, choose_pair, column_names, read_files
from replicast.cli.output import Output, show
from replicast.cli.words import read_number, read_pairs

if TYPE_CHECKING:
    from replicast.comparison.finding import Finding
    from replicast.reading.predicted import Predicted
    from replicast.scores.tables import ScoreTable

_SHOWN = 5  # weights
_SEEDS_AS_SAMPLE = (
    "The tasks are taken as a sample, each by the mean of its runs; `tasks=fixed` compares on these "
    "very tasks, with new seeds."
)


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """The options by which predictions are measured."""

    measure: str | None = option(
        "Compare predictions, with the truth, by a measure: of classes (accuracy, balanced-accuracy, "
        "f1, macro-f1, mcc, kappa), of scores and probabilities (auc, auc-ovr, average-precision, "
        "brier, log-loss, ece), of numbers (mse, mae, r2), wer, c-index, pass@k; several with commas, "
        "or all."
    )
    positive: str | None = option(
        "The positive class for --measure, where classes are not 0 and 1."
    )


@dataclass(frozen=True)
class Asked:
    """What is asked about: files or a table, how they are read, by which measure, and which models.

    Where nothing may be assumed of which way is better, `assume` is False. Parts of one file name the
    models in the `order` of the whole, whichever stands first in their own rows.
    """

    source: Any
    reading: Reading
    measuring: Measuring
    names: tuple[str | None, str | None] = (None, None)
    assume: bool = True
    order: tuple[str, ...] = ()

    def read(self, **changed: Any) -> "ScoreTable":
        """Read scores, with options of reading changed."""
        reading = replace(self.reading, **changed)
        return read_files(self.source, reading, classifiers=self.names, assume=self.assume)

    def choose(self, models: tuple[str, ...]) -> tuple[str, str]:
        """Return the pair that is compared."""
        known = [name for name in self.order if name in models]
        return choose_pair((*known, *(name for name in models if name not in known)), *self.names)


class Answered(NamedTuple):
    """An answer, or what was read of two models, with how it was read and what else is told."""

    result: Any
    account: tuple[str, ...]
    also: dict[str, Any] = {}  # noqa: RUF012  # never changed
    shown: Any = None  # in place of the result, where another answer says more

    def show(self, output: Output, **options: Any) -> None:
        """Print the answer, and write the file that was asked for."""
        shown = self.result if output.as_json or self.shown is None else self.shown
        show(shown, output, self.account, also=self.also, **options)


def refuse_beside(given: str, others: Mapping[str, Any]) -> None:
    """Refuse options that mean nothing beside this one."""
    from replicast.errors import invalid

    for other, value in others.items():
        if value is not None:
            raise invalid(other, f"left out with `{given}`", repr(value))


def paired(asked: Asked, table: "ScoreTable | None" = None, **options: Any) -> Answered:
    """Return the scores of two models paired; by a measure, or on different cases, what was found."""
    from replicast.comparison.unpaired import compare_unpaired
    from replicast.errors import MissingScoresError

    if asked.measuring.measure is not None:
        return by_measure(asked, **options)
    table = asked.read() if table is None else table
    names = asked.choose(table.classifiers)
    account = table.account
    if table.design.seeds and len(table.datasets) > 1:
        account = (*account, _SEEDS_AS_SAMPLE)
    try:
        compared: Any = table.pair(*names, dataset=asked.reading.dataset)
    except MissingScoresError:
        apart = table.apart(*names)
        if apart is None:
            raise
        compared = compare_unpaired(
            *apart,
            names=names,
            greater_is_better=table.greater_is_better,
            measure=table.metric,
            **options,
        )
    return Answered(compared, account, {"direction": table.direction})


def side_by_side_of(
    asked: Asked, by: str | None, answer: Callable[[Asked], Answered], significance: float
) -> Answered | None:
    """Answer for every slice or measure, the whole first; None where one question was asked."""
    from replicast.comparison.parts import side_by_side
    from replicast.errors import InvalidArgumentError
    from replicast.reading.slices import read_slices

    whole, account, order = None, (), ()  # type: Any, tuple[str, ...], tuple[str, ...]
    if by is None:
        parts = _measures_of(asked)
        if not parts:
            return None
    else:
        rest, slices = read_slices(asked.source, by, asked.reading.sheet)
        whole, account, *_ = answer(replace(asked, source=rest))
        order = _names(whole)
        parts = {name: replace(asked, source=frame) for name, frame in slices.items()}
    results, left = {}, []
    for name, part in parts.items():
        try:
            results[name], said, *_ = answer(replace(part, order=order))
        except InvalidArgumentError as error:
            left.append(f"{name} ({error.got or error.domain})")
            if len(left) == len(parts):
                raise
        else:
            account, order = account or said, order or _names(results[name])
    found = side_by_side(
        results,
        by=by or "measure",
        whole=whole,
        significance=significance,
        left_out="; ".join(left),
    )
    return Answered(found, account)


def _names(result: Any) -> tuple[str, ...]:
    """Return the models of a comparison, a finding or a gate, the first first."""
    names: tuple[str, ...] = getattr(result, "names", None) or result.scores.names
    return names


def _measures_of(asked: Asked) -> dict[str, Asked]:
    """Return the question for each of several measures that were asked for; none if it is one."""
    from replicast.comparison.measure_rows import fitting_measures

    wanted = asked.measuring.measure or ""
    names = tuple(wanted.split(",")) if "," in wanted else ()
    if wanted == "all":
        table = _predicted(replace(asked, names=(None, None)), "scores")
        said = next(iter(table.said.values()))
        names = fitting_measures(table.truth, said, asked.measuring.positive)
    if names:
        measuring = {name: replace(asked.measuring, measure=name) for name in names}
        return {name: replace(asked, measuring=measuring[name]) for name in names}
    names = _metrics_of(asked) if asked.reading.metric == "all" else ()
    return {name: replace(asked, reading=replace(asked.reading, metric=name)) for name in names}


def _metrics_of(asked: Asked) -> tuple[str, ...]:
    """Return the measures whose scores a file holds: what it would ask about."""
    from replicast.errors import InvalidArgumentError

    try:
        return (replace(asked, names=(None, None), assume=True).read(metric=None).metric,)
    except InvalidArgumentError as error:
        names = tuple(one.value for one in error.choices if one.argument == "metric")
        if not names:
            raise
        return names


def fixed_tasks(
    asked: Asked, table: "ScoreTable", told: str, scaling: str | None, **options: Any
) -> Answered:
    """Compare on the tasks of a table that are fixed: of cases, each task is read again."""
    from replicast.comparison.tasks import compare_tasks, score_range
    from replicast.reading.cases import AS_SAMPLE

    names = asked.choose(table.classifiers)
    weights = None if told == "fixed" else _weights(told)
    tables = _tables_of(replace(asked, names=(None, None)), table, told)
    tasks = {task: one.pair(*names, dataset=task) for task, one in tables.items()}
    ranges = {
        task: score_range(one.scores[:, one.datasets.index(task)]) for task, one in tables.items()
    }
    found = compare_tasks(
        tasks,
        weights=weights,
        scaling=cast(Any, scaling),
        measure=table.metric,
        ranges=ranges if scaling == "range" else None,
        **options,
    )
    design = _told_of_tasks(found, next(iter(tasks.values())).design.unit)
    kept = (line for line in table.account if line != AS_SAMPLE)
    return Answered(found, tuple(design if line.startswith("Design: ") else line for line in kept))


def _weights(told: str) -> dict[str, float]:
    """Read the weights of tasks, by name."""
    from replicast.errors import invalid

    given = read_pairs(told, "tasks", "maths=2,law=1, or sample or fixed")
    try:
        return {task: read_number(value) for task, value in given.items()}
    except ValueError:
        domain = "weights that are numbers, e.g. maths=2,law=1"
        raise invalid("tasks", domain, repr(told)) from None


def _tables_of(asked: Asked, table: "ScoreTable", told: str) -> "dict[str, ScoreTable]":
    """Return the table that holds every score of a task: one of means is read again."""
    from replicast.errors import invalid

    several = table.datasets if len(table.datasets) > 1 else ()
    means = table.scores[0, 0].size < 2  # of cases, folds or seeds
    tables = {task: asked.read(dataset=task) if means else table for task in several}
    if not tables or any(one.scores[0, 0].size < 2 for one in tables.values()):
        remedy = "Cases, folds or seeds of every task tell how much fresh ones would change"
        domain = "left out unless there are cases, folds or seeds of several tasks"
        raise invalid("tasks", domain, repr(told), remedy)
    return tables


def _told_of_tasks(found: "Finding", unit: str) -> str:
    """Say of what the design is, with the largest weights."""
    shown = ", ".join(f"{task} {share:.3g}" for task, share in list(found.weights.items())[:_SHOWN])
    count = len(found.weights)
    more = ", and others" if count > _SHOWN else ""
    counted = f"{found.n:,} {unit}s of {count} tasks"
    return f"Design: {counted}, which are fixed (weights: {shown}{more})."


def _predicted(asked: Asked, needs: str) -> "Predicted":
    """Read predictions as a measure needs them."""
    from replicast.reading.predicted import read_predicted
    from replicast.reading.requests import Request

    reading = asked.reading
    others = {"design": reading.design, "metric": reading.metric, "rows": reading.rows}
    refuse_beside("measure", others)
    named = [name for name in asked.names if name is not None]
    request = Request(
        where=read_pairs(reading.where, "where", "split=test"),
        sheet=reading.sheet,
        dataset=reading.dataset,
        classifiers=named if len(named) == 2 else None,
        **column_names(reading.columns),
    )
    kind = {"numbers": "scores"}.get(needs, needs)
    source = asked.source
    one = source[0] if isinstance(source, list) and len(source) == 1 else source
    return read_predicted(one, cast(Any, kind), request)


def _needs(measure: str) -> str:
    """Say what a measure needs to know of every case."""
    from replicast.comparison.measure_rows import find_measure

    return find_measure(measure).needs


def by_measure(asked: Asked, **options: Any) -> Answered:
    """Compare predictions of one test set, or out of folds, by a measure of all their cases."""
    from replicast.comparison.measures import compare_measure
    from replicast.errors import require_choice

    measure = str(asked.measuring.measure)
    needs = _needs(measure)
    if needs == "answers":
        return _by_answers(asked, measure, **options)
    table = _predicted(asked, needs)
    names = asked.choose(tuple(table.said))
    for role, name in zip(("first", "second"), names, strict=True):
        require_choice(name, role, tuple(table.said))
    found = compare_measure(
        measure,
        table.truth,
        *(table.said[name] for name in names),
        positive=_positive(table, asked.measuring.positive),
        clusters=None if table.clusters is None else table.clusters.tolist(),
        folds=None if table.folds is None else table.folds.tolist(),
        names=names,
        **options,
    )
    better = "higher" if found.greater_is_better else "lower"
    what, *others = table.account
    return Answered(found, (what, f"Scores: {better} is better for {measure}.", *others))


def by_pairs(asked: Asked, significance: float, **options: Any) -> Answered:
    """Compare all models of a file of predictions, two by two."""
    from replicast.comparison.parts import side_by_side

    needs = _needs(str(asked.measuring.measure))
    answers = needs == "answers"
    models = asked.read().classifiers if answers else tuple(_predicted(asked, needs).said)
    found = {
        " - ".join(names): by_measure(
            replace(asked, names=names), significance=significance, **options
        )
        for names in combinations(models, 2)
    }
    results = {names: answered.result for names, answered in found.items()}
    parts = side_by_side(results, by="pair", significance=significance)
    return Answered(parts, next((answered.account for answered in found.values()), ()))


def _by_answers(asked: Asked, measure: str, **options: Any) -> Answered:
    """Compare several answers to every case, each right or wrong: how many are right is all it takes."""
    import numpy as np

    from replicast.comparison.measures import compare_measure
    from replicast.errors import DesignMismatchError

    table = asked.read()
    pair = table.pair(*asked.choose(table.classifiers), dataset=asked.reading.dataset)
    answers = pair.design.answers
    right = np.stack([pair.first, pair.second]) * answers
    if not pair.design.of_cases or np.abs(right - right.round()).max() > 1e-6:
        domain = "asked of cases with as many answers each, right or wrong"
        raise DesignMismatchError("measure", domain, f"{measure} of {pair.design}")
    said = (np.arange(answers) < right.round()[..., None]).astype(np.float64)
    clusters = None if pair.clusters is None else pair.clusters.tolist()
    found = compare_measure(measure, None, *said, clusters=clusters, names=pair.names, **options)
    return Answered(found, table.account)


def _positive(table: "Predicted", positive: str | None) -> Any:
    """Return the positive class as the file has it: whole numbers may stand without a point."""
    from replicast.errors import invalid

    if positive is None:
        return None
    truth = dict.fromkeys(table.truth.tolist())
    classes = {f"{one:g}" if isinstance(one, float) else str(one): one for one in truth}
    if positive not in classes:
        raise invalid("positive", f"one of {', '.join(classes)}", repr(positive))
    return classes[positive]
