"""What two models are compared by: scores of a file, measures of predictions, tasks, slices."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from replicast.cli.bundles import option
from replicast.cli.options import Reading, choose_pair, column_names, read_files, told_by
from replicast.cli.output import Output, show
from replicast.cli.words import read_number, read_pairs

if TYPE_CHECKING:
    from replicast.reading.predicted import Predicted
    from replicast.scores.tables import ScoreTable

_SHOWN = 5  # weights
SEEDS_AS_SAMPLE = (
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


class Asked(NamedTuple):
    """What is asked about: files or a table, how they are read, and by which measure.

    Where nothing may be assumed of which way is better, `assume` is False. Parts of one file name the
    models in the `order` of the whole, whichever stands first in their own rows.
    """

    source: Any
    reading: Reading
    measuring: Measuring
    assume: bool = True
    order: tuple[str, ...] = ()

    def choose(
        self, models: tuple[str, ...], names: tuple[str | None, str | None]
    ) -> tuple[str, str]:
        """Return the pair that is compared."""
        known = [name for name in self.order if name in models]
        return choose_pair((*known, *(name for name in models if name not in known)), *names)


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


def refuse_beside(option: str, others: Mapping[str, Any]) -> None:
    """Refuse options that mean nothing beside this one."""
    from replicast.errors import invalid

    for other, value in others.items():
        if value is not None:
            raise invalid(other, f"left out with `{option}`", repr(value))


def paired(
    asked: Asked,
    names: tuple[str | None, str | None],
    table: "ScoreTable | None" = None,
    **options: Any,
) -> Answered:
    """Return the scores of two models paired; by a measure, or on different cases, what was found."""
    from replicast.comparison.unpaired import compare_unpaired
    from replicast.errors import MissingScoresError

    if asked.measuring.measure is not None:
        return by_measure(asked, names, **options)
    if table is None:
        table = read_files(asked.source, asked.reading, classifiers=names, assume=asked.assume)
    first, second = asked.choose(table.classifiers, names)
    account, also = table.account, told_by(table)
    if table.design.seeds and len(table.datasets) > 1:
        account = (*account, SEEDS_AS_SAMPLE)
    try:
        pair = table.pair(first, second, dataset=asked.reading.dataset)
    except MissingScoresError:
        apart = table.apart(first, second)
        if apart is None:
            raise
        found = compare_unpaired(
            *apart,
            names=(first, second),
            greater_is_better=table.greater_is_better,
            measure=table.metric,
            **options,
        )
        return Answered(found, account, also)
    return Answered(pair, account, also)


def side_by_side_of(
    asked: Asked, by: str | None, answer: Callable[[Asked], Answered], significance: float
) -> Answered | None:
    """Answer for every slice or measure, the whole first; None where one question was asked."""
    from replicast.comparison.parts import side_by_side
    from replicast.errors import InvalidArgumentError
    from replicast.reading.slices import read_slices

    whole, account = None, ()  # type: Any, tuple[str, ...]
    if by is not None:
        rest, slices = read_slices(asked.source, by, asked.reading.sheet)
        whole, account, *_ = answer(asked._replace(source=rest))
        parts = {name: asked._replace(source=frame) for name, frame in slices.items()}
    else:
        parts = _measures_of(asked)
        if not parts:
            return None
    results, left = {}, []
    order = () if whole is None else _names(whole)
    for name, part in parts.items():
        try:
            results[name], said, *_ = answer(part._replace(order=order))
            account, order = account or said, order or _names(results[name])
        except InvalidArgumentError as error:
            left.append(f"{name} ({error.got or error.domain})")
            if len(left) == len(parts):
                raise
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
    from replicast.errors import InvalidArgumentError

    wanted = asked.measuring.measure
    if wanted == "all":
        table = _predicted(asked, "scores", ())
        names = fitting_measures(
            table.truth, next(iter(table.said.values())), asked.measuring.positive
        )
    else:
        names = () if wanted is None or "," not in wanted else tuple(wanted.split(","))
    if names:
        return {
            name: asked._replace(measuring=replace(asked.measuring, measure=name)) for name in names
        }
    if asked.reading.metric != "all":
        return {}
    try:
        only = read_files(asked.source, replace(asked.reading, metric=None)).metric
        choices = [only]
    except InvalidArgumentError as error:
        choices = [one.value for one in error.choices if one.argument == "metric"]
        if not choices:
            raise
    return {name: asked._replace(reading=replace(asked.reading, metric=name)) for name in choices}


def fixed_tasks(
    asked: Asked,
    table: "ScoreTable",
    names: tuple[str, str],
    told: str,
    scaling: str | None,
    **options: Any,
) -> Answered:
    """Compare on the tasks of a table that are fixed: of cases, each task is read again."""
    from replicast.comparison.tasks import compare_tasks, score_range
    from replicast.errors import invalid
    from replicast.reading.cases import AS_SAMPLE

    weights = None
    if told != "fixed":
        given = read_pairs(told, "tasks", "maths=2,law=1, or sample or fixed")
        try:
            weights = {task: read_number(value) for task, value in given.items()}
        except ValueError:
            raise invalid(
                "tasks", "weights that are numbers, e.g. maths=2,law=1", repr(told)
            ) from None
    remedy = "Cases, folds or seeds of every task tell how much fresh ones would change"
    domain = "left out unless there are cases, folds or seeds of several tasks"
    wrong = invalid("tasks", domain, repr(told), remedy)
    if len(table.datasets) < 2:
        raise wrong
    tasks, ranges = {}, {}
    for task in table.datasets:
        one = table
        if table.scores[0, 0].size < 2:  # a mean of its cases, folds or seeds
            one = read_files(asked.source, replace(asked.reading, dataset=task))
        if one.scores[0, 0].size < 2:
            raise wrong
        ranges[task] = score_range(one.scores[:, one.datasets.index(task)])
        tasks[task] = one.pair(*names, dataset=task)
    found = compare_tasks(
        tasks,
        weights=weights,
        scaling=cast(Any, scaling),
        measure=table.metric,
        ranges=ranges if scaling == "range" else None,
        **options,
    )
    shown = ", ".join(f"{task} {share:.3g}" for task, share in list(found.weights.items())[:_SHOWN])
    more = ", and others" if len(tasks) > _SHOWN else ""
    counted = f"{found.n:,} {next(iter(tasks.values())).design.unit}s of {len(tasks)} tasks"
    design = f"Design: {counted}, which are fixed (weights: {shown}{more})."
    account = tuple(
        design if line.startswith("Design: ") else line
        for line in table.account
        if line != AS_SAMPLE
    )
    return Answered(found, account)


def _predicted(asked: Asked, needs: str, names: tuple[str | None, ...]) -> "Predicted":
    """Read predictions as a measure needs them."""
    from replicast.reading.predicted import read_predicted
    from replicast.reading.requests import Request

    reading = asked.reading
    refuse_beside(
        "measure", {"design": reading.design, "metric": reading.metric, "rows": reading.rows}
    )
    named = tuple(name for name in names if name is not None)
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
    from replicast.comparison.measure_rows import AREA, find_measure

    return "scores" if measure == AREA else find_measure(measure).needs


def by_measure(asked: Asked, names: tuple[str | None, str | None], **options: Any) -> Answered:
    """Compare predictions of one test set, or out of folds, by a measure of all their cases."""
    from replicast.comparison.measures import compare_measure
    from replicast.errors import require_choice

    measure = str(asked.measuring.measure)
    needs = _needs(measure)
    if needs == "answers":
        return _by_answers(asked, names, measure, **options)
    table = _predicted(asked, needs, names)
    first, second = asked.choose(tuple(table.said), names)
    for role, name in (("first", first), ("second", second)):
        require_choice(name, role, tuple(table.said))
    found = compare_measure(
        measure,
        table.truth,
        table.said[first],
        table.said[second],
        positive=_positive(table, asked.measuring.positive),
        clusters=None if table.clusters is None else table.clusters.tolist(),
        folds=None if table.folds is None else table.folds.tolist(),
        names=(first, second),
        **options,
    )
    better = "higher" if found.greater_is_better else "lower"
    what, *others = table.account
    return Answered(found, (what, f"Scores: {better} is better for {measure}.", *others))


def by_pairs(asked: Asked, significance: float, **options: Any) -> Answered:
    """Compare all models of a file of predictions, two by two."""
    from replicast.comparison.parts import side_by_side

    measure = str(asked.measuring.measure)
    needs = _needs(measure)
    if needs == "answers":
        models = read_files(asked.source, asked.reading).classifiers
    else:
        models = tuple(_predicted(asked, needs, ()).said)
    answers = {
        " - ".join(names): by_measure(asked, names, significance=significance, **options)
        for names in combinations(models, 2)
    }
    results = {names: answered.result for names, answered in answers.items()}
    found = side_by_side(results, by="pair", significance=significance)
    return Answered(found, next((answered.account for answered in answers.values()), ()))


def _by_answers(
    asked: Asked, names: tuple[str | None, str | None], measure: str, **options: Any
) -> Answered:
    """Compare several answers to every case, each right or wrong: how many are right is all it takes."""
    import numpy as np

    from replicast.comparison.measures import compare_measure
    from replicast.errors import DesignMismatchError

    table = read_files(asked.source, asked.reading, classifiers=names)
    pair = table.pair(*asked.choose(table.classifiers, names), dataset=asked.reading.dataset)
    answers = pair.design.answers
    right = [np.asarray(side * answers) for side in (pair.first, pair.second)]
    if not pair.design.of_cases or any(np.abs(side - side.round()).max() > 1e-6 for side in right):
        domain = "asked of cases with as many answers each, right or wrong"
        raise DesignMismatchError("measure", domain, f"{measure} of {pair.design}")
    said = [(np.arange(answers) < side.round()[:, None]).astype(np.float64) for side in right]
    clusters = None if pair.clusters is None else pair.clusters.tolist()
    found = compare_measure(measure, None, *said, clusters=clusters, names=pair.names, **options)
    return Answered(found, table.account)


def _positive(table: "Predicted", positive: str | None) -> Any:
    """Return the positive class as the file has it."""
    from replicast.errors import invalid

    if positive is None:
        return None
    classes = list(dict.fromkeys(table.truth.tolist()))
    chosen = next((one for one in classes if _label(one) == positive), None)
    if chosen is None:
        domain = f"one of {', '.join(map(_label, classes))}"
        raise invalid("positive", domain, repr(positive))
    return chosen


def _label(value: object) -> str:
    """Return a class as it is written: whole numbers without a point."""
    return f"{value:g}" if isinstance(value, float) else str(value)
