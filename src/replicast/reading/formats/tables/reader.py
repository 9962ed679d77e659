"""The reader of tables: every column gets its role, and the layout that makes a whole table is read."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicast.design import Cases
from replicast.errors import Choice, invalid
from replicast.reading.assembly import tabulate
from replicast.reading.cases import stem, tabulate_cases
from replicast.reading.columns import Column
from replicast.reading.designs import can_only_be_cases
from replicast.reading.directions import name_measure
from replicast.reading.documents import Document
from replicast.reading.formats.tables.candidates import Candidate, find_candidates, of_one_metric
from replicast.reading.formats.tables.grouping import settle_groups, within_wholes
from replicast.reading.formats.tables.keys import find_keys, number_answers, refuse_hidden_key
from replicast.reading.formats.tables.predictions import (
    Predictions,
    find_predictions,
    judged,
    named_model,
)
from replicast.reading.formats.tables.preparing import Table, of_finished_runs, prepare
from replicast.reading.formats.tables.scoring import (
    is_nameless,
    refuse_measures,
    rows_of_one_metric,
    score_column,
)
from replicast.reading.formats.tables.several import one_sheet
from replicast.reading.formats.tables.turning import (
    CLASSIFIER,
    SCORE,
    ask_rows,
    by_answers,
    have_answers,
    only_count,
    rows_are_classifiers,
    turned,
    unfolded,
)
from replicast.reading.formats.tables.ways import way_of_datasets, way_of_rows
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import UNTITLED, Columns, Kinds, Rows, mean_of_episodes, rows_of
from replicast.reading.sheets import Key, in_order, label_of, left_out, listing
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import PLACES, REPEATS, is_setting
from replicast.scores.tables import ScoreTable

_COMPARED, _CONFUSED = word_lists()["compared"], word_lists()["confusions"]
_LABELS = word_lists()["labels"]
_CLASSES = frozenset(("class", "classes"))  # of one test set: no datasets, unless the user says so
_KEYED = ("dataset", *PLACES, *REPEATS)


def read_tables(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a table, or several files that are one table: a file for each model, or for each dataset."""
    document = documents[0] if len(documents) == 1 else one_sheet(documents)
    title = stem(document.path)
    table = prepare(of_finished_runs(document.sheet, request), request)
    predictions = find_predictions(table, request)
    if predictions is not None:
        return _read_predictions(table, predictions, request, title)
    classifier = table.one("classifier", "classifier") or next(
        (name for name in _texts(table) if squeezed(name) in _COMPARED), None
    )
    if request.rows == "classifiers":
        return _read_board(table, classifier, request, title)
    if classifier is None:
        _ask_settings(table, request)
        return _read_wide(table, request, title)
    table, named = rows_of_one_metric(unfolded(table, classifier), request)
    score = score_column(table, classifier, request, named)
    if score is None and rows_are_classifiers(table, classifier):
        return _read_board(table, classifier, request, title)
    return _read_long(table, classifier, score or "", named, request, title)


def _ask_settings(table: Table, request: Request) -> None:
    """Ask whether rows are classifiers, where the first column is a setting of one that goes up."""
    first, *others = table.columns.values()
    numbers = [c.name for c in others if c.is_number]
    if request.rows is not None or request.asks_for_datasets or not first.is_number:
        return
    values = table.sheet.parsed(first.name).values
    rising = len(values) > 1 and bool((values[1:] > values[:-1]).all())
    if rising and is_setting(first.name) and len(numbers) > 1:
        raise ask_rows(table, first, numbers, turned_first=True)


def _texts(table: Table) -> list[str]:
    return [c.name for c in table.columns.values() if not c.is_number and not c.is_empty]


def _read_long(
    table: Table, classifier: str, score: str, named: str | None, request: Request, title: str
) -> ScoreTable:
    """Read a table with a row for each score."""
    _refuse_curve(table, classifier)
    metric = score
    notes: tuple[str, ...] = ()
    if named is not None:
        metric, notes = name_measure(score, named, request, table.sheet.name)
    elif request.metric and is_nameless(score):
        metric = request.metric
    manner = Manner(kind="long table", metric=metric, by_order=True, notes=notes)
    return _read_scores(table, classifier, score, manner, request, title)


def _read_board(table: Table, label: str | None, request: Request, title: str) -> ScoreTable:
    """Read a table with a row for each classifier."""
    table, classifier, better = turned(table, label, request)
    manner = _marked(
        Manner(kind="wide table", metric=request.metric or SCORE, by_order=True), better
    )
    return _read_scores(table, classifier, SCORE, manner, request, title)


def _read_scores(
    table: Table, classifier: str, score: str, manner: Manner, request: Request, title: str
) -> ScoreTable:
    """Read a table with a column of classifiers and one of scores."""
    measure = find_measure(manner.metric)
    keys, kinds = find_keys(table, classifier, [table.columns[score]], measure, request)
    if not manner.of_cases:
        refuse_hidden_key(table, keys)
    rows = rows_of(table.sheet, keys, kinds)
    return _arranged(rows, keys, keys.used, manner, table, request, title)


def _marked(manner: Manner, better: bool | None) -> Manner:
    """Return what is known of scores whose datasets are marked by arrows."""
    if better is None:
        return manner
    convention = "the arrows of the datasets say so"
    return replace(manner, greater_is_better=better, convention=convention)


def _read_wide(table: Table, request: Request, title: str) -> ScoreTable:
    """Read a table with a column for each classifier."""
    clustered = request.cluster_column is not None and not table.find(*_KEYED)
    if clustered and request.design is None:
        request = replace(request, design=Cases())
    table, named = rows_of_one_metric(table, request)
    if not _texts(table):
        _refuse_curve(table, None)
    candidates, aside = find_candidates(table, request)
    metric, chosen = of_one_metric(candidates, request, table)
    scores = [table.columns[one.column] for one in chosen]
    _refuse_others(table, chosen, request)
    if request.classifiers is None and have_answers(scores, request, table):
        long = by_answers(table, chosen, metric or SCORE)
        return _read_long(long, CLASSIFIER, metric or SCORE, named, request, title)
    table = _with_named_rows(table, chosen, request)
    told = named or request.metric or metric
    keys, kinds = find_keys(table, None, scores, find_measure(told), request)
    manner = _manner_of_models(table, keys, (metric, told), request)
    aside |= _unread(table, scores)
    return _read_models(table, chosen, (keys, kinds), aside, manner, request, title)


def _read_models(
    table: Table,
    chosen: list[Candidate],
    found: tuple[Columns, Kinds],
    aside: dict[str, str],
    manner: Manner,
    request: Request,
    title: str,
) -> ScoreTable:
    """Read columns of models, each row of which has the same keys for all."""
    keys, kinds = found
    manner = replace(manner, notes=(*manner.notes, *left_out(aside)))
    numbers = [table.sheet.read(one.column) for one in chosen]
    rows = rows_of(table.sheet, keys, kinds, numbers, [one.classifier for one in chosen])
    if rows.case is not None and not manner.of_cases:
        rows = replace(rows, case=in_order(rows.case))
    used = (*keys.used, *aside, *(one.column for one in chosen))
    return _arranged(rows, keys, used, manner, table, request, title)


def _read_predictions(table: Table, found: Predictions, request: Request, title: str) -> ScoreTable:
    """Read predicted classes; the score of a case is 1 if it was predicted right, else 0."""
    table = judged(table, found, request)
    manner = Manner(
        kind="predictions",
        metric="correct",
        convention="1 is a case predicted right",
        greater_is_better=True,
        of_cases=True,
    )
    if found.classifier is not None:
        return _read_scores(table, found.classifier, found.predicted[0], manner, request, title)
    scores = [table.columns[name] for name in found.predicted]
    keys = find_keys(table, None, scores, find_measure(manner.metric), request)
    models = [Candidate(name, named_model(name, found.predicted)) for name in found.predicted]
    aside = {c.name: "no model is called so" for c in table.find("score") if c not in scores}
    return _read_models(table, models, keys, aside, manner, request, title)


def _manner_of_models(
    table: Table, keys: Columns, measures: tuple[str, str], request: Request
) -> Manner:
    """Say what scores measure, by their columns and by what was told; refuse rows that are no scores."""
    metric, told = measures
    if keys.case is None and keys.dataset is None:
        _refuse_curve(table, None)
    if request.design is None or request.asks_for_cases:
        refuse_hidden_key(table, keys)
    labels = [] if keys.dataset is None else table.sheet.coded(keys.dataset).outer
    refuse_measures(table, labels, request)
    better = None if way_of_rows(table)[1] else way_of_datasets(table, labels, told, request)
    notes: tuple[str, ...] = ()
    if told and metric:
        told, notes = name_measure(metric, told, request, table.sheet.name)
    return _marked(
        Manner(kind="wide table", metric=told or SCORE, by_order=True, notes=notes), better
    )


def _unread(table: Table, scores: list[Column]) -> dict[str, str]:
    """Return the columns of a wide table that no model is called, or that are empty; and why they go."""
    nobody = [c.name for c in table.find("score") if c not in scores]
    empty = [c.name for c in table.columns.values() if c.is_empty and c.role is None]
    return dict.fromkeys(nobody, "no model is called so") | dict.fromkeys(
        empty, "nothing stands in them"
    )


def _numbers_of_rows(rows: Rows) -> Key:
    """Count the rows of every model."""
    order = rows.codes("classifier").groupby("classifier").cumcount()
    names = tuple(str(at + 1) for at in range(int(order.max()) + 1))
    return Key(np.asarray(order, dtype=np.intp), names)


def _with_numbered_rows(rows: Rows, keys: Columns, request: Request) -> Rows:
    """Give rows without a name numbers: as the caller says, or as cases, if nothing else fits."""
    if rows.dataset.names != (UNTITLED,) or (rows.case or rows.run or rows.fold) is not None:
        return rows
    numbers = _numbers_of_rows(rows)
    if request.asks_for_cases:
        return replace(rows, case=numbers)
    if request.asks_for_datasets and keys.classifier is None:
        names = tuple(f"row {number}" for number in numbers.names)
        return replace(rows, dataset=replace(numbers, names=names))
    said = request.design is not None or request.rows is not None
    beside = keys.classifier is None  # scores of one row are of one case, whatever the order
    if beside and not said and can_only_be_cases(len(numbers.names), rows.scores):
        note = "Rows of right and wrong without a name were taken as the cases of one test set."
        return replace(rows, case=numbers, notes=(*rows.notes, note))
    return rows


def _as_cases(rows: Rows, keys: Columns, request: Request, title: str) -> tuple[Rows, Request]:
    """Give numbers to cases without a name, where every row of one run is a case of its own."""
    if rows.dataset.names == (UNTITLED,):
        rows = replace(rows, dataset=Key.constant(title, len(rows.scores)))
    if keys.case is not None:
        return rows, request
    one_run = keys.run is None and keys.classifier is None and rows.fold_kind == "fold"
    if one_run or (keys.run or keys.fold) is None:
        rows = replace(rows, case=_numbers_of_rows(rows))
    # what has no name cannot be told from cases of other datasets
    return rows, replace(request, by_dataset=True)


def _arranged(
    rows: Rows,
    keys: Columns,
    used: Sequence[str],
    manner: Manner,
    table: Table,
    request: Request,
    title: str,
) -> ScoreTable:
    """Arrange the rows of a table; columns of no use are named."""
    if manner.of_cases:
        rows, request = _as_cases(rows, keys, request, title)
    elif keys.answer is not None and rows.case is None:
        rows = mean_of_episodes(rows, keys.answer)
    else:
        rows = _with_numbered_rows(rows, keys, request)
    rows = number_answers(within_wholes(rows, table), keys.case)
    if request.cluster_column is not None and rows.case is None:
        domain = "left out, where rows are no cases of a test set"
        remedy = "Say `design=cases` if they are, or name them with `case_column=...`"
        raise invalid("cluster_column", domain, repr(request.cluster_column), remedy)
    rows, grouped = settle_groups(rows, table, used, request)
    better, said_by = way_of_rows(table)
    if better is not None:
        said = f"column {said_by} says so"
        manner = replace(manner, greater_is_better=better, convention=said)
    unused = [
        column.name
        for column in table.columns.values()
        if column.name not in (*used, *grouped, said_by)
        and not column.is_empty
        and column.different > 1
    ]
    notes = manner.notes
    if unused:
        told = "" if keys.classifier is None else f"Scores are those in {keys.score}; n"
        notes = (*notes, f"{told or 'N'}ot used: {listing(unused, 5)}.")
    numbers = tuple(name for name in unused if table.columns[name].is_number)
    manner = replace(manner, notes=notes, titles=(table.sheet.caption, title), unused=numbers)
    arrange = tabulate if rows.case is None and not manner.of_cases else tabulate_cases
    return arrange(rows, manner, request)


def _with_named_rows(table: Table, chosen: list[Candidate], request: Request) -> Table:
    """Give the first column of text the role of datasets, where nothing else names rows; or ask."""
    texts = [table.columns[name] for name in _texts(table) if name != request.cluster_column]
    label = next((c for c in texts if c.role is None), None)
    if label is None or table.find(*_KEYED, "case", "step"):
        return table
    if request.rows != "datasets" and not request.asks_for_datasets:
        if only_count(table.sheet.coded(label.name).labels):
            return table  # folds or seeds as well as datasets
        if not _names_datasets(table, label, chosen):
            if request.asks_for_cases:
                return table
            raise ask_rows(table, label, [one.column for one in chosen])
    return Table(table.sheet, {**table.columns, label.name: replace(label, role="dataset")})


def _names_datasets(table: Table, label: Column, chosen: list[Candidate]) -> bool:
    """Say whether rows are datasets by the name of their column, or as everybody knows them."""
    labels = table.sheet.coded(label.name).outer
    known = tell_apart(labels, [one.classifier for one in chosen])
    named = known == "datasets" or (not known and squeezed(label.name) in _LABELS)
    return named and _CLASSES.isdisjoint(words(label.name))


def _refuse_curve(table: Table, classifier: str | None) -> None:
    """Refuse several steps of one run; a table of runs may have the last step of each beside it."""
    steps = [c for c in table.find("step") if c.different > 1]
    if not steps or table.find("case", "answer"):
        return
    keys = [c.name for c in table.find("dataset", *REPEATS, *PLACES)]
    keys += [] if classifier is None else [classifier]
    if not table.repeats(*keys):
        return
    domain = "a row for each dataset, fold or case"
    got = f"a row for each {steps[0].name}: steps of training are no repeats of an experiment"
    remedy = "Give the last value of each run, with a column that says which fold or seed it is"
    last = _last_step(table, steps[0], keys)
    if last is None:
        raise table.refusal(domain, got, remedy)
    remedy = f"Give the last value of each run, by {last.marked}"
    raise table.refusal(domain, got, remedy, "where").offering([last])


def _last_step(table: Table, step: Column, keys: list[str]) -> Choice | None:
    """Return the choice of the last step, if every run has it, and several runs tell scores apart."""
    frame = table.sheet.frame
    last = step.sheet.parsed(step.name).values == step.high
    runs = frame[keys].drop_duplicates() if len(keys) > 1 else frame[:0]
    if len(runs) < 1 or int(last.sum()) != len(runs) or frame[last].duplicated(keys).any():
        return None
    return Choice("where", f"{step.name}={label_of(step.high)}", "to compare the last values")


def _refuse_others(table: Table, chosen: list[Candidate], request: Request) -> None:
    """Refuse matrices of pairs, and probabilities beside true classes: no scores to compare."""
    domain = "a row for each dataset or fold"
    numbers = [c.name for c in table.columns.values() if c.is_number]
    if _is_square(table, numbers):
        got = f"rows and columns of the same names ({listing(sorted(map(_bare, numbers)), 3)})"
        remedy = "A confusion matrix or a matrix of p-values holds no scores to compare"
        raise table.refusal(domain, got, remedy)
    truth = next((c for c in table.find("truth") if c.different == 2), None)
    others = [table.columns[one.column] for one in chosen if truth and one.column != truth.name]
    measure = find_measure(request.metric or "accuracy")
    of_many = measure is not None and measure.of_many
    if of_many and others and all(0 <= c.low <= c.high <= 1 and not c.is_whole for c in others):
        got = (
            f"numbers from 0 to 1 beside {truth.name if truth else ''}, which may be probabilities"
        )
        remedy = "Compare them by `measure=auc`, or give the predicted classes"
        raise table.refusal(domain, got, remedy)


def _is_square(table: Table, names: list[str]) -> bool:
    """Tell a table whose rows are called like its columns."""
    text = next(iter(_texts(table)), None)
    if text is None or len(table.sheet.frame) != len(names):
        return False
    labels = table.sheet.frame[text].map(str)
    if table.columns[text].role == "dataset" and {*labels} != {*names}:
        return False
    return {*map(_bare, labels)} == {*map(_bare, names)}


def _bare(name: str) -> str:
    text = re.sub(r"^(true|pred|predicted|actual|class)(?=\d)", "", name.strip().casefold())
    return "".join(word for word in words(text) if word not in _CONFUSED)
