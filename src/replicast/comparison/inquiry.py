"""Two models of whatever a file holds: read, measured or paired, on all of it and on its parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any, cast

import numpy as np

from replicast.comparison.finding import Finding
from replicast.comparison.measure_rows import find_measure, fitting_measures
from replicast.comparison.measures import compare_measure
from replicast.comparison.parts import side_by_side
from replicast.comparison.tasks import Scaling, compare_tasks, score_range
from replicast.comparison.unpaired import compare_unpaired
from replicast.errors import (
    Choice,
    DesignMismatchError,
    InvalidArgumentError,
    MissingScoresError,
    invalid,
    refuse_beside,
    require_choice,
)
from replicast.reading.cases import AS_SAMPLE
from replicast.reading.door import Guess, read_guessing, read_requested
from replicast.reading.predicted import Predicted, read_predicted
from replicast.reading.requests import Request
from replicast.reading.slices import read_slices
from replicast.scores.tables import ScoreTable, resolve_name

Names = tuple[str | None, str | None]
NOBODY: Names = (None, None)
Roles = Mapping[str, str]  # arguments that name the two models, and which one is meant
PAIR: Roles = {"first": "the first of the pair", "second": "the second of the pair"}
_SHOWN = 5  # weights
_SEEDS_AS_SAMPLE = (
    "The tasks are taken as a sample, each by the mean of its runs; `tasks=fixed` compares on these "
    "very tasks, with new seeds."
)


@dataclass(frozen=True)
class Reply:
    """An answer, or what was read of two models, with how it was read.

    Attributes
    ----------
    beside : dict
        What the record of the answer has beside it, by name.
    shown : Record or None
        What people see in place of the answer, where it says more.
    unused : tuple of str
        Columns of numbers that were read and not compared.
    """

    result: Any
    account: tuple[str, ...] = ()
    beside: dict[str, Any] = field(default_factory=dict)
    shown: Any = None
    unused: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inquiry:
    """What is asked about: a source and how it is read, by which measure, and which models.

    `tasks` are the weights of tasks that are fixed, by name; none at all where each counts the same.
    Parts of one file name the models in the `order` of the whole, whichever stands first in their own
    rows.
    """

    source: Any
    request: Request = field(default_factory=Request)
    measure: str | None = None
    positive: str | None = None
    tasks: Mapping[str, float] | None = None
    scaling: Scaling | None = None
    names: Names = NOBODY
    order: tuple[str, ...] = ()

    @property
    def needs(self) -> str:
        """What the measure needs to know of every case."""
        return find_measure(str(self.measure)).needs

    def table(self, **changed: Any) -> ScoreTable:
        """Read scores, with parts of the request changed."""
        return read_requested(self.source, replace(self._request, **changed))

    def guess(self) -> Guess:
        """Read scores as far as guesses go, with all that the source leaves open."""
        return read_guessing(self.source, self._request)

    def predictions(self, needs: str) -> Predicted:
        """Read predictions as a measure needs them."""
        request = self._request
        others = {
            "design": request.design,
            "metric": request.metric,
            "rows": request.rows,
            "tasks": None if self.tasks is None else "fixed",
        }
        refuse_beside("measure", others)
        kind = "scores" if needs == "numbers" else needs
        return read_predicted(self.source, cast(Any, kind), request)

    def choose(
        self, models: tuple[str, ...], roles: Roles = PAIR, *, guess: bool = True
    ) -> tuple[str, str]:
        """Return the pair that is compared, or ask for it as `choose_pair` does."""
        ordered = [name for name in self.order if name in models]
        others = [name for name in models if name not in ordered]
        return choose_pair((*ordered, *others), self.names, roles, guess=guess)

    @property
    def _request(self) -> Request:
        """The request for both models alone, where both are named: gaps of others do not matter."""
        named = [name for name in self.names if name is not None]
        return replace(self.request, classifiers=named if len(named) == 2 else None)


def choose_pair(
    models: tuple[str, ...], names: Names, roles: Roles = PAIR, *, guess: bool = True
) -> tuple[str, str]:
    """Complete the pair where there is no choice, else ask for it.

    Of two models the first in the file is the first, but for one that is no `guess`.
    """
    one, other = (
        None if name is None else require_choice(str(resolve_name(name, models)), role, models)
        for name, role in zip(names, roles, strict=True)
    )
    if one is not None and one == other:
        raise invalid("second", "another classifier than `first`", repr(other))
    if len(models) < 2:
        raise invalid("source", "scores of two models", f"those of {', '.join(models)} alone")
    others = [name for name in models if name not in (one, other)]
    if len(models) == 2 and (guess or one or other):
        one, other = one or others[0], other or others[-1]
    if one is not None and other is not None:
        return one, other
    role, meaning = [*roles.items()][one is not None]
    error = invalid(role, f"one of {', '.join(models)}", "nothing", f"Say which is {meaning}")
    raise error.offering([Choice(role, name, f"if {name} is {meaning}") for name in others])


def observe(inquiry: Inquiry, table: ScoreTable | None = None, **options: Any) -> Reply:
    """Return the scores of two models paired; by a measure, or on different cases, a finding."""
    if inquiry.measure is not None:
        return by_measure(inquiry, **options)
    table = inquiry.table() if table is None else table
    if inquiry.tasks is not None:
        return fixed_tasks(inquiry, table, **options)
    names = inquiry.choose(table.classifiers)
    account = table.account
    if table.design.seeds and len(table.datasets) > 1:
        account = (*account, _SEEDS_AS_SAMPLE)
    observed: Any
    try:
        observed = table.pair(*names, dataset=inquiry.request.dataset)
    except MissingScoresError:
        apart = table.apart(*names)
        if apart is None:
            raise
        better = table.greater_is_better
        observed = compare_unpaired(
            *apart, names=names, greater_is_better=better, measure=table.metric, **options
        )
    return Reply(observed, account, {"direction": table.direction}, unused=table.unused)


def by_measure(inquiry: Inquiry, **options: Any) -> Reply:
    """Compare predictions of one test set, or out of folds, by a measure of all their cases."""
    measure, needs = str(inquiry.measure), inquiry.needs
    if needs == "answers":
        return _by_answers(inquiry, measure, **options)
    cases = inquiry.predictions(needs)
    names = inquiry.choose(tuple(cases.said))
    finding = compare_measure(
        measure,
        cases.truth,
        *(cases.said[name] for name in names),
        positive=_positive(cases, inquiry.positive),
        clusters=None if cases.clusters is None else cases.clusters.tolist(),
        folds=None if cases.folds is None else cases.folds.tolist(),
        names=names,
        **options,
    )
    better = "higher" if finding.greater_is_better else "lower"
    what, *others = cases.account
    return Reply(finding, (what, f"Scores: {better} is better for {measure}.", *others))


def _by_answers(inquiry: Inquiry, measure: str, **options: Any) -> Reply:
    """Compare several answers to every case, each right or wrong: how many are right is all it takes."""
    table = inquiry.table()
    pair = table.pair(*inquiry.choose(table.classifiers), dataset=inquiry.request.dataset)
    answers = pair.design.answers
    right = np.stack([pair.first, pair.second]) * answers
    if not pair.design.of_cases or np.abs(right - right.round()).max() > 1e-6:
        domain = "asked of cases with as many answers each, right or wrong"
        raise DesignMismatchError("measure", domain, f"{measure} of {pair.design}")
    said = (np.arange(answers) < right.round()[..., None]).astype(np.float64)
    clusters = None if pair.clusters is None else pair.clusters.tolist()
    finding = compare_measure(measure, None, *said, clusters=clusters, names=pair.names, **options)
    return Reply(finding, table.account)


def _positive(cases: Predicted, positive: str | None) -> Any:
    """Return the positive class as the file has it: whole numbers may stand without a point."""
    if positive is None:
        return None
    truth = dict.fromkeys(cases.truth.tolist())
    classes = {f"{one:g}" if isinstance(one, float) else str(one): one for one in truth}
    if positive not in classes:
        raise invalid("positive", f"one of {', '.join(classes)}", repr(positive))
    return classes[positive]


def by_pairs(inquiry: Inquiry, significance: float, **options: Any) -> Reply:
    """Compare all models of a file of predictions, two by two."""
    needs = inquiry.needs
    answers = needs == "answers"
    models = inquiry.table().classifiers if answers else tuple(inquiry.predictions(needs).said)
    pairs = {" - ".join(names): replace(inquiry, names=names) for names in combinations(models, 2)}
    answer = partial(by_measure, significance=significance, **options)
    return answer_parts(pairs, "pair", answer, significance)


def by_parts(
    inquiry: Inquiry, by: str | None, answer: Callable[[Inquiry], Reply], significance: float
) -> Reply | None:
    """Answer for every slice or measure, the whole first; None where one question was asked."""
    if by is not None:
        rest, slices = read_slices(inquiry.source, by, inquiry.request.sheet)
        whole = answer(replace(inquiry, source=rest))
        parts = {name: replace(inquiry, source=frame) for name, frame in slices.items()}
        return answer_parts(parts, by, answer, significance, whole)
    measures = _measures_of(inquiry)
    return answer_parts(measures, "measure", answer, significance) if measures else None


def answer_parts(
    parts: Mapping[str, Inquiry],
    by: str,
    answer: Callable[[Inquiry], Reply],
    significance: float,
    whole: Reply | None = None,
) -> Reply:
    """Put the answers to parts side by side; a part that has none is left out, and said so."""
    leader, results, left = whole, {}, []
    unused: list[tuple[str, ...]] = []
    for name, part in parts.items():
        order = () if leader is None else leader.result.names
        try:
            reply = answer(replace(part, order=order))
        except InvalidArgumentError as error:
            left.append(f"{name} ({error.got or error.domain})")
            if len(left) == len(parts):
                raise
        else:
            results[name], leader = reply.result, leader or reply
            unused.append(reply.unused)
    nowhere = [one for one in unused[0] if one not in parts and all(one in u for u in unused)]
    if nowhere and by == "measure":
        left.append(f"{', '.join(nowhere)} (numbers that no name calls scores)")
    together = side_by_side(
        results,
        by=by,
        whole=None if whole is None else whole.result,
        significance=significance,
        left_out="; ".join(left),
    )
    return Reply(together, () if leader is None else leader.account)


def _measures_of(inquiry: Inquiry) -> dict[str, Inquiry]:
    """Return the question for each of several measures that were asked for; none if it is one."""
    wanted = inquiry.measure or ""
    names = tuple(wanted.split(",")) if "," in wanted else ()
    if wanted == "all":
        cases = replace(inquiry, names=NOBODY).predictions("scores")
        names = fitting_measures(cases.truth, next(iter(cases.said.values())), inquiry.positive)
    if names:
        return {name: replace(inquiry, measure=name) for name in names}
    metric = inquiry.request.metric or ""
    names = tuple(metric.split(",")) if "," in metric and not _is_measure(inquiry, metric) else ()
    names = _metrics_of(inquiry) if metric == "all" else names
    return {name: replace(inquiry, request=replace(inquiry.request, metric=name)) for name in names}


def _is_measure(inquiry: Inquiry, name: str) -> bool:
    """Say whether a file has one measure of a name, commas in it included: exact_match,strict-match."""
    try:
        replace(inquiry, names=NOBODY).table(metric=name, assume=True)
    except InvalidArgumentError as error:
        return error.argument != "metric"
    return True


def _metrics_of(inquiry: Inquiry) -> tuple[str, ...]:
    """Return the measures whose scores a file holds: what it would ask about."""
    try:
        return (replace(inquiry, names=NOBODY).table(metric=None, assume=True).metric,)
    except InvalidArgumentError as error:
        names = tuple(one.value for one in error.choices if one.argument == "metric")
        if not names:
            raise
        return names


def fixed_tasks(inquiry: Inquiry, table: ScoreTable, **options: Any) -> Reply:
    """Compare on the tasks of a table that are fixed: of cases, each task is read again."""
    scaling = inquiry.scaling
    names = inquiry.choose(table.classifiers)
    tables = _tables_of(replace(inquiry, names=NOBODY), table)
    tasks = {task: one.pair(*names, dataset=task) for task, one in tables.items()}
    ranges = {
        task: score_range(one.scores[:, one.datasets.index(task)]) for task, one in tables.items()
    }
    finding = compare_tasks(
        tasks,
        weights=inquiry.tasks or None,
        scaling=scaling,
        measure=table.metric,
        ranges=ranges if scaling == "range" else None,
        **options,
    )
    design = _design_of_tasks(finding, next(iter(tasks.values())).design.unit)
    kept = (line for line in table.account if line != AS_SAMPLE)
    account = tuple(design if line.startswith("Design: ") else line for line in kept)
    return Reply(finding, account, unused=table.unused)


def _tables_of(inquiry: Inquiry, table: ScoreTable) -> dict[str, ScoreTable]:
    """Return the table that holds every score of a task: one of means is read again."""
    several = table.datasets if len(table.datasets) > 1 else ()
    means = table.scores[0, 0].size < 2  # of cases, folds or seeds
    tables = {task: inquiry.table(dataset=task) if means else table for task in several}
    if not tables or any(one.scores[0, 0].size < 2 for one in tables.values()):
        remedy = "Cases, folds or seeds of every task tell how much fresh ones would change"
        domain = "left out unless there are cases, folds or seeds of several tasks"
        got = "one score of each" if several else "one task"
        raise invalid("tasks", domain, got, remedy)
    return tables


def _design_of_tasks(finding: Finding, unit: str) -> str:
    """Say of what the design is, with the largest weights."""
    weights = list(finding.weights.items())
    shown = ", ".join(f"{task} {share:.3g}" for task, share in weights[:_SHOWN])
    more = ", and others" if len(weights) > _SHOWN else ""
    counted = f"{finding.n:,} {unit}s of {len(weights)} tasks"
    return f"Design: {counted}, which are fixed (weights: {shown}{more})."
