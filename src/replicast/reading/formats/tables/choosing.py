"""Which rows of a table belong together: those of one measure, and those that keys tell apart."""

from collections.abc import Sequence

import numpy as np

from replicast.errors import InvalidContentError
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request, ask_metric
from replicast.reading.sheets import Sheet, called, listing
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.naming import squeezed
from replicast.reading.vocabulary.roles import Role


def rows_of_one_metric(table: Table, request: Request) -> tuple[Table, str | None]:
    """Keep the rows of one measure where a column says which a row is about."""
    names = [c for c in table.find("metric") if not c.is_number]
    if not names:
        return table, None
    sheet = table.sheet
    told = sheet.coded(names[0].name)
    kinds = tuple(dict.fromkeys(told.labels))
    if request.score_column is not None and request.metric not in kinds:
        return table, None
    if _has_one_of_each(table, kinds, request):
        return table, kinds[0] if len(kinds) == 1 else None
    wanted = request.metric if request.metric is not None or len(kinds) > 1 else kinds[0]
    match = next((kind for kind in kinds if wanted and squeezed(kind) == squeezed(wanted)), None)
    if match is None:
        if request.metric is not None and request.metric in sheet.columns:
            return table, None
        raise ask_metric(kinds, wanted)
    if len(kinds) == 1:
        return table, match
    chosen = np.flatnonzero(told.where([label == match for label in told.labels]))
    return Table(sheet.take(chosen), table.columns), match


def _has_one_of_each(table: Table, kinds: tuple[str, ...], request: Request) -> bool:
    """Tell a table with a row for each dataset, in a measure of its own, and classifiers as columns."""
    single = [c for c in table.find("dataset") if c.different == len(table.sheet.frame)]
    if not single or table.find("classifier") or request.metric in kinds:
        return False
    ways = {measure.greater_is_better for one in kinds if (measure := find_measure(one))}
    if len(ways) > 1 and request.greater_is_better is None:
        got = f"{listing(kinds, 4)} in column {called(table.find('metric')[0].name)}"
        remedy = "Choose one with `metric=...`"
        raise InvalidContentError(
            table.sheet.name, "scores that are better in one way", got, remedy, "metric"
        )
    return True


def refuse_hidden_key(table: Table, keys: Sequence[str], used: Sequence[str], what: Role) -> None:
    """Refuse rows of one classifier or dataset, the first key, that an unused column tells apart."""
    frame = table.sheet.frame
    if not frame.duplicated(list(keys)).any():
        return
    told = [
        c.name
        for c in table.columns.values()
        if c.name not in (*used, *keys)
        and c.different > 1
        and c.role not in ("moment", "status", "number", "case")
        and (not c.is_number or c.is_whole)
        and not frame.duplicated([*keys, c.name]).any()
        and _crosses(table.sheet, keys[0], c.name)
    ]
    if told:
        domain = f"a column that tells the rows of one {what} apart"
        got = f"{listing(told, 4)}, of which nothing says what it is"
        remedy = (
            "Say `dataset_column=...`, `fold_column=...` or `run_column=...`, or keep some rows with "
            "`where=...`"
        )
        raise InvalidContentError(table.sheet.name, domain, got, remedy, "dataset_column")


def _crosses(sheet: Sheet, first: str, second: str) -> bool:
    """Say whether every value of a column stands beside every value of another."""
    pairs = len(sheet.frame[[first, second]].drop_duplicates())
    return pairs == sheet.frame[first].nunique() * sheet.frame[second].nunique()
