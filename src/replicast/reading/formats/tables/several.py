"""Several files that are one table: one for each model, or parts of one long table."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from replicast.errors import invalid
from replicast.reading.cases import stem
from replicast.reading.columns import describe_columns
from replicast.reading.documents import Document
from replicast.reading.sheets import Sheet, join_sheets, listing
from replicast.reading.vocabulary.roles import is_label

MODEL = "classifier"


def one_sheet(documents: Sequence[Document]) -> Document:
    """Join the tables of several files."""
    sheets = [document.sheet for document in documents]
    names = own_names(documents)
    roles = [{column.role for column in describe_columns(sheet).values()} for sheet in sheets]
    if all("classifier" in found for found in roles):
        columns = list(dict.fromkeys(name for sheet in sheets for name in sheet.columns))
        return _joined(join_sheets(sheets, columns))
    if any("classifier" in found for found in roles) or len(set(names)) < len(names):
        raise _strangers(documents)
    common = [name for name in sheets[0].columns if all(name in sheet.columns for sheet in sheets)]
    own = [[name for name in sheet.columns if name not in common] for sheet in sheets]
    if all(len(one) == 1 for one in own):  # a column of predictions that is called like the model
        joined = [
            replace(
                sheet, frame=sheet.frame.rename(columns={name: "y_pred"}).assign(**{MODEL: name})
            )
            for sheet, [name] in zip(sheets, own, strict=True)
        ]
        return _joined(join_sheets(joined, [MODEL, *common, "y_pred"]))
    if any(own) or not common:
        raise _strangers(documents)
    joined = [
        replace(sheet, frame=sheet.frame.assign(**{MODEL: name}))
        for sheet, name in zip(sheets, names, strict=True)
    ]
    found = join_sheets(joined, [MODEL, *common])
    note = f"Models are called by their files: {listing(names)}."
    return _joined(replace(found, notes=(*found.notes, note)))


def _joined(sheet: Sheet) -> Document:
    frame = sheet.frame.copy()
    for name in frame.columns:
        if is_label(name):
            continue
        numbers = pd.to_numeric(frame[name], errors="coerce")
        if numbers.notna().any() and (numbers.notna() | frame[name].isna()).all():
            frame[name] = numbers
    return Document(path=Path(sheet.name), table=replace(sheet, frame=frame))


def own_names(documents: Sequence[Document]) -> list[str]:
    """Return a name for each file: its label, or what tells its name from the others.

    Examples
    --------
    >>> own_names([Document(path=Path(f"{name}_cross_validate.csv")) for name in ("lr", "nb")])
    ['lr', 'nb']
    >>> own_names([Document(path=Path(f"resnet-{size}.csv")) for size in (18, 50)])
    ['resnet-18', 'resnet-50']
    """
    stems = [stem(document.path) for document in documents]
    if len(set(stems)) < len(stems):
        stems = _folders([document.path for document in documents]) or stems
    front = _shared(stems)
    back = _shared([name[::-1] for name in stems])
    marks = "_-. "
    while front and stems[0][front - 1] not in marks:
        front -= 1
    while back and stems[0][len(stems[0]) - back] not in marks:
        back -= 1
    short = [name[front : len(name) - back if back else None] for name in stems]
    # 18 and 50 are no names of resnet-18 and resnet-50
    fine = all(any(map(str.isalpha, name)) for name in short) and len(set(short)) == len(short)
    return [
        document.label or (name if fine else whole)
        for document, name, whole in zip(documents, short, stems, strict=True)
    ]


def _folders(paths: Sequence[Path]) -> list[str]:
    """Return the nearest folders that tell all files apart, none if no level does."""
    for level in range(min(len(path.parents) for path in paths)):
        names = [path.parents[level].name for path in paths]
        if len(set(names)) == len(names) and all(names):
            return names
    return []


def _shared(names: Sequence[str]) -> int:
    """Return how many letters all names begin with."""
    return next(
        (at for at, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1),
        min(map(len, names)),
    )


def _strangers(documents: Sequence[Document]) -> Exception:
    told = [
        f"{document.path.name} with {listing(document.sheet.columns, 4)}"
        for document in (documents[0], documents[-1])
    ]
    remedy = (
        "Give one file for each model with the same columns, or one table with a column classifier"
    )
    return invalid("source", "files that are one table", " and ".join(told), remedy)
