"""Several files that are one table: one for each model, or parts of one long table."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from replicast.errors import invalid
from replicast.reading.cases import stem
from replicast.reading.documents import Document
from replicast.reading.formats.tables.preparing import described, retyped
from replicast.reading.sheets import Sheet, join_sheets, listing

MODEL = "classifier"


def one_sheet(documents: Sequence[Document]) -> Document:
    """Join the tables of several files."""
    sheets = [document.sheet for document in documents]
    named = [bool(described(sheet).find("classifier")) for sheet in sheets]
    if any(named) and not all(named):
        raise _strangers(documents)
    if all(named):
        sheets = _of_one_model(documents, sheets) or sheets
        columns = dict.fromkeys(name for sheet in sheets for name in sheet.columns)
        found = join_sheets(sheets, list(columns))
    else:
        found = _of_models(documents, sheets)
    return Document(path=Path(found.name), table=retyped(found))


def _of_one_model(documents: Sequence[Document], sheets: list[Sheet]) -> list[Sheet] | None:
    """Call the model of all files by its files, where it answered the same cases in each: two prompts.

    Files of one model that share no case are parts of one table.
    """
    models, cases = set(), []
    for sheet in sheets:
        table = described(sheet)
        named, keys = table.find("classifier"), table.find("case")
        if len(named) != 1 or not keys:
            return None
        models.add((named[0].name, *sheet.coded(named[0].name).labels))
        cases.append({*sheet.coded(keys[0].name).labels})
    if len(models) != 1 or not set.intersection(*cases):
        return None
    column, *names = models.pop()
    if len(names) != 1:
        return None
    told = own_names(documents)
    note = f"All files are of {names[0]}: models are called by their files: {listing(told)}."
    return [
        replace(sheet, frame=sheet.frame.assign(**{column: name}), notes=(*sheet.notes, note))
        for sheet, name in zip(sheets, told, strict=True)
    ]


def _of_models(documents: Sequence[Document], sheets: list[Sheet]) -> Sheet:
    """Join the tables of models that go by their files, or by a column of what they predict."""
    names = own_names(documents)
    shared = set.intersection(*({*sheet.columns} for sheet in sheets))
    own = [[name for name in sheet.columns if name not in shared] for sheet in sheets]
    widths = {len(one) for one in own}
    if not shared or widths not in ({0}, {1}) or len({*names}) < len(names):
        raise _strangers(documents)
    if widths == {1}:  # a column of predictions that is called like the model
        frames = [_of_model(sheet, one, one) for sheet, [one] in zip(sheets, own, strict=True)]
        return join_sheets(frames, frames[0].columns)
    frames = [_of_model(sheet, one, "") for sheet, one in zip(sheets, names, strict=True)]
    found = join_sheets(frames, frames[0].columns)
    note = f"Models are called by their files: {listing(names)}."
    return replace(found, notes=(*found.notes, note))


def _of_model(sheet: Sheet, model: str, said: str) -> Sheet:
    """Return the sheet of one model, whose name stands in a column; what it said in another."""
    frame = sheet.frame.rename(columns={said: "y_pred"}) if said else sheet.frame
    return replace(sheet, frame=frame.assign(**{MODEL: model}))


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
    front, back = _shared(stems), _shared([name[::-1] for name in stems])
    short = [name[front : len(name) - back] for name in stems]
    # 18 and 50 are no names of resnet-18 and resnet-50
    fine = all(any(map(str.isalpha, name)) for name in short) and len(set(short)) == len(short)
    told = zip(documents, short if fine else stems, strict=True)
    return [document.label or name for document, name in told]


def _folders(paths: Sequence[Path]) -> list[str]:
    """Return the nearest folders that tell all files apart, none if no level does."""
    for level in range(min(len(path.parents) for path in paths)):
        names = [path.parents[level].name for path in paths]
        if len(set(names)) == len(names) and all(names):
            return names
    return []


def _shared(names: Sequence[str]) -> int:
    """Return how many letters all names begin with, up to a mark between words."""
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False))
    common = "".join(letters[0] for letters in alike)
    return max(common.rfind(mark) for mark in "_-. ") + 1


def _strangers(documents: Sequence[Document]) -> Exception:
    told = [
        f"{document.path.name} with {listing(document.sheet.columns, 4)}"
        for document in (documents[0], documents[-1])
    ]
    remedy = (
        "Give one file for each model with the same columns, or one table with a column classifier"
    )
    return invalid("source", "files that are one table", " and ".join(told), remedy)
