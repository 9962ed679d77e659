"""Which columns tell rows apart: datasets, runs, folds, cases of one test set and answers to them."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.errors import Choice, DesignNeededError
from replicast.reading.columns import Column, are_binary
from replicast.reading.formats.tables.grouping import cluster_column, without_wholes
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request
from replicast.reading.rows import Columns, Kinds, Rows
from replicast.reading.sheets import Key, listing
from replicast.reading.vocabulary.measures import Measure
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import PLACES, REPEATS, Role, is_whole

_ITEMS, _SLICES = word_lists()["items"], word_lists()["slices"]
_EPISODES = word_lists()["episodes"]
_NAMED_CASES = word_lists()["cases"]
_PLAIN = ("id", "index", "key", "number", "no", "row", "idx")
_NO_KEYS: tuple[Role, ...] = ("moment", "status", "number", "case")
_FOLDS_OF_ONE_RUN = 10
_PER_CASE = 30  # at least so many rows called id are cases, not datasets


def is_item(name: str) -> bool:
    """Say whether a column is called like the key of single items, of which samples may be taken.

    Examples
    --------
    >>> [is_item(name) for name in ("task_id", "question", "queryId", "task", "task.id", "id")]
    [True, True, True, False, False, False]
    """
    whole = squeezed(name)
    return "." not in name and (whole in _ITEMS or whole.removesuffix("id") in _ITEMS)


@dataclass(frozen=True)
class Facts:
    """What tells keys: the table, its columns of scores and their measure, and what was asked."""

    table: Table
    classifier: str | None
    scores: list[Column]
    measure: Measure | None
    request: Request
    placed: bool

    @property
    def may_be_cases(self) -> bool:
        """Whether the design that was given, if any, is one of cases, or of datasets that have some."""
        request = self.request
        of_datasets = request.asks_for_datasets and bool(self.table.find("dataset"))
        return request.design is None or request.asks_for_cases or of_datasets

    @property
    def is_mean(self) -> bool:
        """Whether scores are those of many cases: accuracies, losses, or one of several runs."""
        measure = self.measure
        lost = measure and measure.scale == "amount" and not measure.greater_is_better
        return bool(lost or (measure and measure.of_many) or self.table.find(*REPEATS))


def find_keys(
    table: Table,
    classifier: str | None,
    scores: list[Column],
    measure: Measure | None,
    request: Request,
) -> tuple[Columns, Kinds]:
    """Return which columns tell rows apart, and by which words runs and folds are called."""
    table, episode = _with_episodes(table, classifier)
    run, fold = run_column(table), table.one("fold", *PLACES)
    dataset = table.one("dataset", "dataset")
    facts = Facts(table, classifier, scores, measure, request, placed=bool(fold or run))
    case = _case_column(facts)
    if dataset is None and case is None:
        dataset = _dataset_column(facts, (classifier, fold, run))
    if dataset and _holds_cases(facts, dataset):
        dataset, case = None, dataset
    answer = _answer_column(table, case, (classifier, dataset, run, fold))
    kinds = kinds_of(table, run, fold)
    if kinds["run"] in REPEATS and case and not (dataset or fold or answer):
        answer, run = _runs_of_cases(table, case, str(run), request)
    cluster = cluster_column(table, request) if case or request.asks_for_cases else None
    keys = Columns(
        classifier=classifier,
        score=scores[0].name,
        dataset=dataset,
        run=run,
        fold=fold,
        case=case,
        cluster=None if cluster in (dataset, case) else cluster,
        answer=answer if case else episode,
        n_train=table.first("n_train"),
        n_test=table.first("n_test"),
    )
    return keys, kinds


def _with_episodes(table: Table, classifier: str | None) -> tuple[Table, str | None]:
    """Return the column that alone tells the episodes of a seed apart: they are no runs of training."""
    named = [c.name for c in table.find("answer", "run") if squeezed(c.name) in _EPISODES][:1]
    seeds = [c.name for c in table.find(*REPEATS) if c.name not in named]
    keys = [*seeds, *(c.name for c in table.find("dataset", *PLACES, "step"))]
    keys += [classifier] if classifier else []
    if not named or not seeds or not table.repeats(*keys) or table.repeats(*keys, *named):
        return table, None
    [episode] = named
    column = replace(table.columns[episode], role="answer")
    return Table(table.sheet, {**table.columns, episode: column}), episode


def _runs_of_cases(
    table: Table, case: str, run: str, request: Request
) -> tuple[str | None, str | None]:
    """Take the runs of cases for answers if the caller says so; of an item, ask what they are."""
    count = table.columns[run].different
    if request.asks_for_cases:
        return run if count > 1 else None, None
    named = is_item(case) or squeezed(case) in _NAMED_CASES
    if request.design is None and named and count > 1:
        domain = "given for cases with several runs"
        choices = (
            Choice("design", "cases", "if every run is another answer to the same cases"),
            Choice("design", f"seeds:count={count}", "if models were trained anew for every run"),
        )
        raise DesignNeededError(domain, f"{case} and {run}", "", count).offering(choices)
    return None, run


def run_column(table: Table) -> str | None:
    """Return the column that numbers runs, or else seeds; names of single rows number nothing."""
    unique = all(c.different == len(table.sheet.frame) for c in table.find("run"))
    first: Role = "seed" if unique and table.find("seed") else "run"
    return table.one("run", first) or table.one("run", "seed")


def kinds_of(table: Table, run: str | None, fold: str | None) -> Kinds:
    """Return by which words runs and folds are called; R's mlr and mlr3 call folds iterations."""
    kinds: Kinds = {
        "run": table.columns[run].role if run else None,
        "fold": table.columns[fold].role if fold else None,
    }
    if fold and kinds["fold"] == "iteration":
        told = table.sheet.frame.get("resampling_id")
        known = {"task.id", "learner.id"} <= set(table.sheet.columns)  # mlr's default is one run
        of_mlr = known and table.columns[fold].different <= _FOLDS_OF_ONE_RUN
        if of_mlr if told is None else set(told.dropna().astype(str)) == {"cv"}:
            kinds["fold"] = "fold"
    return kinds


def _dataset_column(facts: Facts, keys: Collection[str | None]) -> str | None:
    """Return what varies as datasets do: classes of a long table, subjects with a row each of a wide."""
    table = facts.table
    if facts.request.design is not None:
        return None
    if facts.classifier is None:
        named = [c.name for c in table.find("case")]
        return (
            named[0] if len(named) == 1 and is_whole(named[0]) and _is_key(table, named) else None
        )
    named = [name for name in table.columns if squeezed(name) in _SLICES]
    known = [name for name in keys if name]
    told = len(named) == 1 and table.repeats(*known) and _is_key(table, [*known, *named])
    return named[0] if told else None


def _is_key(table: Table, columns: list[str]) -> bool:
    return not table.repeats(*columns)


def _is_sample(column: Column) -> bool:
    """Say whether a column tells the samples of one item apart."""
    return column.role == "case" and words(column.name)[0] == "sample"


def _answer_column(table: Table, case: str | None, used: Collection[str | None]) -> str | None:
    """Return the column that tells the answers to one case apart, if one does that is not used yet."""
    known = [name for name in (case, *used) if name]
    if case is None or not (table.repeats(*known) or table.find("step")):
        return None
    samples = filter(_is_sample, table.find("case")) if is_item(case) else ()
    named = (*table.find("answer", "step"), *samples)
    return next((c.name for c in named if c.name not in (case, *used) and c.different > 1), None)


def _case_column(facts: Facts) -> str | None:
    """Return the column that names cases, if rows are cases and no folds or datasets."""
    table, request = facts.table, facts.request
    named = [one for one in table.find("case") if one.different > 1 or len(table.sheet.frame) < 2]
    if any(is_item(one.name) for one in (*named, *table.find("dataset"))):
        named = [one for one in named if not _is_sample(one)]  # a sample is no case, but of an item
    named = without_wholes(named, table) or named
    if not named or not facts.may_be_cases:
        return None
    column = max(named, key=lambda one: one.different)
    repeated = table.repeats(column.name)
    if request.asks_for_cases or _names_cases(facts, column):
        return column.name
    if facts.classifier is None or facts.placed or not repeated:
        return None
    got = f"{column.name}, which may name datasets or cases"
    remedy = "Say `dataset_column=...` for datasets, or `design=cases` for cases"
    raise table.refusal("a column that says what a row is", got, remedy, "dataset_column")


def _names_cases(facts: Facts, column: Column) -> bool:
    """Say whether a column names cases: as was said, by its name, or by what their scores are."""
    if facts.request.case_column is not None or are_binary(facts.scores):
        return True
    name = squeezed(column.name)
    if facts.classifier is None:
        measured = facts.measure is not None and not facts.measure.of_many
        alone = name in _NAMED_CASES or (is_whole(column.name) and measured)  # else a dataset each
        wholes = [c.name for c in facts.table.find("case") if is_whole(c.name)]
        return _tells_rows_of_folds(facts, column) or (
            alone and not facts.table.repeats(column.name, *wholes)
        )
    own = facts.scores[0].measure  # by its own name: what the caller calls it is no proof
    if own is not None and own.scale == "amount" and not facts.placed:
        return column.different >= _PER_CASE or name not in _PLAIN
    return name not in _PLAIN and not (own is not None and own.of_many)


def _tells_rows_of_folds(facts: Facts, column: Column) -> bool:
    """Say whether a fold has several rows, and a column tells them apart."""
    places = [c.name for c in facts.table.find("dataset", *PLACES, *REPEATS)]
    inside = facts.placed and squeezed(column.name) not in _PLAIN and facts.table.repeats(*places)
    return inside and _is_key(facts.table, [*places, column.name])


def _holds_cases(facts: Facts, dataset: str) -> bool:
    """Say whether a column called like datasets holds cases.

    A task_id may be that of HumanEval or that of OpenML. It is a case unless a dataset stands beside
    it or its scores are means over folds; a task is one where every score is right or wrong.
    """
    table, request = facts.table, facts.request
    told = request.dataset is not None or dataset == request.dataset_column
    placed = table.find(*PLACES, *(REPEATS if facts.classifier is None else ()))
    if told or placed or len(table.find("dataset")) > 1:
        return False
    item = is_item(dataset) and not _has_items(table, dataset)
    either = item or _is_key(table, [dataset, *([facts.classifier] if facts.classifier else [])])
    if request.design is not None:
        return request.asks_for_cases and either
    if are_binary(facts.scores):
        return either
    sampled = facts.classifier is not None or any(map(_is_sample, table.find("case")))
    return item and sampled and not facts.is_mean


def _has_items(table: Table, dataset: str) -> bool:
    """Say whether a task has several questions, as it has one prompt."""
    values = table.sheet.frame.groupby(dataset, observed=True)
    inside = [c for c in table.find("case") if not _is_sample(c) and squeezed(c.name) not in _PLAIN]
    return any((values[c.name].nunique() > 1).any() for c in inside)


def refuse_hidden_key(table: Table, keys: Columns) -> None:
    """Refuse rows of one classifier or dataset that only a column nobody named tells apart."""
    told = [one for one in (keys.classifier, keys.dataset, keys.case, keys.answer) if one]
    cased = keys.case is not None and (keys.answer is not None or not is_item(keys.case))
    if cased or keys.run or keys.fold or not told or not table.repeats(*told):
        return
    free = [c for c in table.columns.values() if c.name not in keys.used]
    hidden = [c.name for c in free if _tells_apart(c, told, table.sheet.frame)]
    if hidden:
        whose = "dataset" if keys.classifier is None else "classifier"
        domain = f"a column that tells the rows of one {whose} apart"
        got = f"{listing(hidden, 4)}, of which nothing says what it is"
        remedy = (
            "Say `dataset_column=...`, `fold_column=...` or `run_column=...`, or keep some rows with "
            "`where=...`"
        )
        raise table.refusal(domain, got, remedy, "dataset_column")


def _tells_apart(column: Column, keys: list[str], frame: pd.DataFrame) -> bool:
    """Say whether a column tells rows of the same keys apart, and has all its values for the first."""
    broken = column.is_number and not column.is_whole
    if column.role in _NO_KEYS or broken or column.different < 2:
        return False
    pairs = len(frame[[keys[0], column.name]].drop_duplicates())
    crossed = pairs == frame[keys[0]].nunique() * frame[column.name].nunique()
    return bool(crossed) and not frame.duplicated([*keys, column.name]).any()


def number_answers(rows: Rows, case: str | None) -> Rows:
    """Return rows whose answers are numbered, where every item has several; copies are no answers."""
    if rows.case is None or case is None or not is_item(case):
        return rows
    told = not rows.codes().duplicated().any()
    keys = rows.codes("classifier", "dataset", "run", "fold", "case")
    answers = pd.Series(rows.scores).groupby([keys[name] for name in keys])
    sizes = answers.size()
    if told and (rows.answer is None or len(rows.answer.names) == sizes.max()):
        return rows
    if not told and (sizes.min() < 2 or (answers.nunique() < 2).all()):
        return rows
    names = tuple(str(at + 1) for at in range(int(sizes.max())))
    return replace(rows, answer=Key(np.asarray(answers.cumcount(), dtype=np.intp), names))
