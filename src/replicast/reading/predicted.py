"""Predictions as they are: true classes, and what models said of every case of one test set."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.errors import DesignMismatchError, InvalidContentError, invalid, nearest
from replicast.reading.columns import Column
from replicast.reading.door import Source, open_documents
from replicast.reading.formats.tables.grouping import (
    choose_group,
    cluster_column,
    find_groups,
    without_wholes,
)
from replicast.reading.formats.tables.predictions import columns_of_models, named_model
from replicast.reading.formats.tables.preparing import Table, prepare
from replicast.reading.formats.tables.several import one_sheet
from replicast.reading.requests import Request
from replicast.reading.sheets import Key, listing
from replicast.reading.vocabulary.naming import word_lists
from replicast.scores.parsing import cluster_codes

Kind = Literal["scores", "classes", "chances", "counts", "survival"]
# by what a measure needs: names, without marks, of the columns that stand for the truth
_KNOWN_BY: dict[str, tuple[frozenset[str], ...]] = {
    "counts": (word_lists()["denominators"],),
    "survival": (
        frozenset(("time", "times", "duration", "survivaltime", "followup", "months", "days")),
        frozenset(("event", "events", "status", "death", "dead", "died", "censored")),
    ),
}
_COUNTED = ("n_", "num_", "ref_", "reference_")


@dataclass(frozen=True)
class Predicted:
    """The truth, what every model said, clusters and folds: an entry for each case."""

    truth: NDArray[Any]
    said: dict[str, NDArray[Any]]
    clusters: NDArray[Any] | None
    account: tuple[str, ...]
    folds: NDArray[Any] | None = None


def read_predicted(source: Source, kind: Kind, request: Request) -> Predicted:
    """Read the truth, and of each model scores, chances, errors, risks, or classes."""
    documents = open_documents(source, request.sheet)
    document = documents[0] if len(documents) == 1 else one_sheet(documents)
    table = _one_test_set(prepare(document.sheet, request), request)
    known = _truth(table, kind)
    classifier = table.one("classifier", "classifier")
    fold = request.fold_column or table.first("fold")
    used = [*(column.name for column in known), *(one for one in (classifier, fold) if one)]
    cluster, notes = _related(table, used, request)
    keys = {"cluster": cluster, "fold": fold}
    frame = _frame(table, known, kind, {key: name for key, name in keys.items() if name})
    plain: Kind = "classes" if kind == "classes" else "scores"
    if classifier is None:
        said = _by_column(table, known[0], plain, (*used, cluster), request)
        said = _by_class(said, frame["truth"]) if kind == "chances" else said
    else:
        frame, said = _by_row(table, frame, known[0], plain, classifier, request)
    clusters = _varying(frame, "cluster")
    groups = None
    if clusters is not None and len(np.unique(clusters)) < len(frame):
        groups = cluster_codes(clusters.tolist(), len(frame))[0]
    told = "" if groups is None else f" in {int(groups.max()) + 1:,} clusters"
    what = "true classes are" if kind not in _KNOWN_BY else "the truth is"
    account = (
        f"{table.sheet.name}: {kind} of {len(said)} models ({listing(list(said))}) for {len(frame):,} "
        f"cases{told}; {what} in column {known[0].name}.",
        *table.sheet.notes,
        *notes,
    )
    truths = frame[["truth", "event"]] if "event" in frame else frame["truth"]
    return Predicted(truths.to_numpy(), said, groups, account, _varying(frame, "fold"))


def _frame(table: Table, known: list[Column], kind: Kind, keys: dict[str, str]) -> pd.DataFrame:
    """Return the truth of every row, its event if there is one, and codes of its keys."""
    sheet, truth = table.sheet, known[0]
    cells = _cells(table, truth, truth, "scores" if kind in _KNOWN_BY else "classes")
    frame = pd.DataFrame({"truth": cells})
    if len(known) > 1:
        frame["event"] = sheet.read(known[1].name).values
    return frame.assign(**{key: sheet.labels(name).codes for key, name in keys.items()})


def _varying(frame: pd.DataFrame, name: str) -> NDArray[Any] | None:
    """Return a column of keys, if there is one with several values."""
    return frame[name].to_numpy() if name in frame and frame[name].nunique() > 1 else None


def _truth(table: Table, kind: Kind) -> list[Column]:
    """Return the column of the truth: classes or numbers; what to divide by; a time and its event."""
    columns = list(table.columns.values())
    wanted = _KNOWN_BY.get(kind)
    if wanted is None:
        found = [next((c for c in table.find("truth") if not c.is_empty), None)]
        domain = "a column of true classes such as y_true"
    else:
        found = [next((c for c in columns if _plain(c.name) in names), None) for names in wanted]
        domain = " and ".join(f"a column such as {min(names)}" for names in wanted)
    if None in found:
        raise table.refusal(domain, f"columns {listing(table.sheet.columns)}")
    return [column for column in found if column is not None]


def _plain(name: str) -> str:
    for start in _COUNTED:
        name = name.lower().removeprefix(start)
    return "".join(letter for letter in name if letter.isalnum())


def _one_test_set(table: Table, request: Request) -> Table:
    """Keep the dataset asked for; refuse several, and folds: one fitted model is compared with one."""
    dataset = table.one("dataset", "dataset")
    key = Key.constant("", 1) if dataset is None else table.sheet.labels(dataset)
    if dataset is not None and (request.dataset is not None or not key.is_single):
        if request.dataset not in key.names:
            got = "none" if request.dataset is None else repr(request.dataset)
            hint = nearest(request.dataset or "", key.names)
            raise invalid("dataset", f"one of {listing(key.names)}", got, hint)
        rows = np.flatnonzero(key.codes == key.names.index(request.dataset))
        table = Table(table.sheet.take(rows), table.columns)
    for column in table.find("resample", "split", "iteration", "run", "seed"):
        if table.sheet.frame[column.name].nunique() > 1:
            remedy = f"Choose one with `where={column.name}=...`"
            got = f"several in column {column.name}"
            raise DesignMismatchError("measure", "asked about one test set", got, remedy)
    return table


def _related(table: Table, used: list[str], request: Request) -> tuple[str | None, tuple[str, ...]]:
    """Return the column of related cases, and what to say about it and others; or ask."""
    cluster = cluster_column(table, request)
    if cluster is not None or request.unrelated:
        return cluster, ()
    named = without_wholes(table.find("case"), table)
    n = len(table.sheet.frame)
    case = Key(np.arange(n, dtype=np.intp), tuple(map(str, range(n))))
    if named:
        case = table.sheet.labels(max(named, key=lambda one: one.different).name)
    groups = find_groups(table, case, (*used, *(one.name for one in named)))
    return choose_group(table.sheet.name, case, groups, None)


def _by_column(
    table: Table, truth: Column, kind: Kind, used: tuple[str | None, ...], request: Request
) -> dict[str, NDArray[Any]]:
    """Return what models said, in a table with a column for each; those asked for, if all are there."""

    def fits(column: Column) -> bool:
        right = column.is_number if kind == "scores" else column.is_number == truth.is_number
        return right and column.name not in used and column.role != "truth"

    found = {named_model(c.name): c for c in columns_of_models(table, truth, fits)}
    if len(found) < 2:
        domain = f"the {kind} of at least two models beside {truth.name}"
        raise table.refusal(domain, f"columns {listing(table.sheet.columns)}")
    wanted = request.classifiers or ()
    if wanted and found.keys() >= set(wanted):
        found = {name: found[name] for name in wanted}
    return {name: _cells(table, column, truth, kind) for name, column in found.items()}


def _by_class(said: dict[str, NDArray[Any]], truth: "pd.Series[Any]") -> dict[str, NDArray[Any]]:
    """Put the columns of a model together, one for each class: svm_0, svm_1, svm_2."""
    classes = [f"{one:g}" if isinstance(one, float) else str(one) for one in sorted(set(truth))]
    models = [
        name.removesuffix(f"_{classes[0]}") for name in said if name.endswith(f"_{classes[0]}")
    ]
    names = {model: [f"{model}_{one}" for one in classes] for model in models}
    if len(models) < 2 or not all(name in said for columns in names.values() for name in columns):
        return said
    return {model: np.stack([said[name] for name in names[model]], axis=1) for model in models}


def _by_row(
    table: Table, frame: pd.DataFrame, truth: Column, kind: Kind, classifier: str, request: Request
) -> tuple[pd.DataFrame, dict[str, NDArray[Any]]]:
    """Arrange a table with a row for each model and case."""
    value = table.columns[_value_column(table, kind, request, classifier)]
    models = table.sheet.labels(classifier)
    frame = frame.assign(said=_cells(table, value, truth, kind), model=models.codes)
    case = table.first("case")
    order = frame.groupby("model").cumcount()
    frame["case"] = order if case is None else table.sheet.labels(case).codes
    twice = frame.duplicated(["model", "case"])
    if twice.any():
        got, place = (
            "another row for the same model and case",
            table.sheet.place(int(twice.argmax())),
        )
        raise InvalidContentError(place, "one row for each model and case", got)
    parts = {
        name: frame[frame["model"] == code].set_index("case").sort_index()
        for code, name in enumerate(models.names)
    }
    first = next(iter(parts.values()))
    for name, part in parts.items():
        if not part["truth"].equals(first["truth"]):
            raise table.refusal("the same cases and truth for all", f"others for {name}")
    return first, {name: part["said"].to_numpy() for name, part in parts.items()}


def _value_column(table: Table, kind: Kind, request: Request, classifier: str) -> str:
    """Return the column of what was said, or ask which."""
    if request.score_column is not None:
        return request.score_column
    free = [c for c in table.columns.values() if not c.is_empty and c.name != classifier]
    found: list[str] = []
    for role in ("prediction",) if kind == "classes" else ("score", None, "prediction"):
        told = [c.name for c in free if c.role == role and (kind == "classes" or c.is_number)]
        found = found or told
    if len(found) == 1:
        return found[0]
    got = listing(found) if found else f"columns {listing(table.sheet.columns)}"
    raise table.refusal(f"one column of {kind}", got, "Say which with `score_column=...`")


def _cells(table: Table, column: Column, truth: Column, kind: Kind) -> NDArray[Any]:
    """Return the cells of a column: numbers, or words where true classes are words; none is empty."""
    sheet = table.sheet
    numbers = kind == "scores" or truth.is_number
    values = sheet.read(column.name).values if numbers else sheet.frame[column.name].to_numpy()
    empty = np.asarray(pd.isna(values))
    if empty.any():
        place = f"{sheet.place(int(np.flatnonzero(empty)[0]))}, column {column.name}"
        raise InvalidContentError(place, f"one of its {kind}", "an empty cell")
    if not numbers:
        values = np.array([str(cell).strip() for cell in values], dtype=object)
    if kind == "classes" and column is not truth:
        known = set(_cells(table, truth, truth, "classes").tolist())
        strange = [cell for cell in values.tolist() if cell not in known]
        if len(strange) > len(values) / 2:
            remedy = "Scores and probabilities have `measure=auc` or brier, numbers mse or mae"
            domain = f"classes like those in {truth.name}"
            place = f"{sheet.name}, column {column.name}"
            raise InvalidContentError(place, domain, str(strange[0]), remedy)
    return values
