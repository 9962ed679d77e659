"""One door for all formats: `read_scores` finds out what it was given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from replicast.design import Design, require_design
from replicast.errors import invalid, require_choice
from replicast.reading.assembly import MISSING, Missing, Request
from replicast.reading.files import Sheet, decode, load, read_sheet, sheet_of, unpack
from replicast.reading.formats.arff import parse_arff
from replicast.reading.formats.automl import is_automl, read_automl
from replicast.reading.formats.delimited import read_delimited
from replicast.reading.formats.lm_eval import is_samples, read_samples
from replicast.reading.formats.mlflow import is_mlflow, read_mlflow
from replicast.reading.formats.openml import is_openml, read_openml
from replicast.reading.formats.predictions import is_predictions, read_predictions
from replicast.reading.formats.sklearn_results import is_search, read_results, read_search
from replicast.reading.formats.tsml import (
    Neighbour,
    is_reference,
    is_resample,
    read_reference,
    read_resamples,
)
from replicast.reading.formats.weka import is_weka, read_weka
from replicast.scores import ScoreTable

PathLike: TypeAlias = str | Path
Source: TypeAlias = PathLike | Sequence[PathLike] | Mapping[str, Any] | pd.DataFrame
_ENDINGS = (".csv", ".tsv", ".arff", ".jsonl", ".parquet")


@dataclass(frozen=True)
class Prose:
    """Text of a format that is no table."""

    text: str
    notes: tuple[str, ...]


def read_scores(
    source: Source,
    *,
    design: Design | None = None,
    metric: str | None = None,
    missing: Missing = "refuse",
    greater_is_better: bool | None = None,
    classifier_column: str | None = None,
    dataset_column: str | None = None,
    run_column: str | None = None,
    fold_column: str | None = None,
    score_column: str | None = None,
) -> ScoreTable:
    r"""Read scores of classifiers from whatever an experiment left behind.

    The format is recognised. What was read, assumed and dropped stands in the table's `account`.

    Parameters
    ----------
    source : path, list of paths, data frame or dict
        Wide tables (a row a dataset or fold, a column a classifier) and long ones (columns
        classifier, dataset, run, fold, score) as CSV, Parquet or data frame; results of the Weka
        Experimenter (ARFF or CSV, also several files); result files of tsml and aeon (a folder or a
        list); results.csv of the AutoML benchmark; evaluations of OpenML by fold; runs of MLflow;
        predictions case by case (a column y_true and one a classifier, or samples of lm-eval);
        a dict from names to results of scikit-learn's `cross_validate`, or a `cv_results_`; a dict
        from file names to the bytes of such files, which then are read from memory.
    design : Design, optional
        How the scores arose, where the format does not tell.
    metric : str, optional
        Which score to read, where there are several.
    missing : {"refuse", "drop-dataset", "drop-classifier"}
        What to do about classifiers without a score on some dataset.
    greater_is_better : bool, optional
        Left out, it follows from the format or the name of the metric, and is else True.
    classifier_column, dataset_column, run_column, fold_column, score_column : str, optional
        Columns of a long table, where they have other names.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("dataset,svm,nb\niris,0.95,0.94\nvote,0.96,0.90\n")
    >>> read_scores(path).classifiers
    ('svm', 'nb')
    >>> found = {"svm": {"test_score": [0.9, 0.8, 0.9]}, "nb": {"test_score": [0.7, 0.8, 0.7]}}
    >>> read_scores(found).design
    KFold(folds=3)
    """
    require_choice(missing, "missing", MISSING)
    columns = {
        "classifier_column": classifier_column,
        "dataset_column": dataset_column,
        "run_column": run_column,
        "fold_column": fold_column,
        "score_column": score_column,
    }
    for argument, name in {"metric": metric, **columns}.items():
        if not isinstance(name, str | None):
            raise invalid(argument, "a name, or None", name)
    request = Request(
        design=None if design is None else require_design(design),
        metric=metric,
        missing=missing,
        greater_is_better=greater_is_better,
        **columns,
    )
    if isinstance(source, pd.DataFrame):
        return _read_one(sheet_of(source), Path("data frame"), request)
    if isinstance(source, Mapping):
        return _read_mapping(source, request)
    if isinstance(source, str | Path):
        path = Path(source)
        paths = _files_in(path) if path.is_dir() else [path]
    elif isinstance(source, Sequence) and all(isinstance(one, str | Path) for one in source):
        paths = [Path(one) for one in source]
    else:
        raise invalid(
            "source", "a path, a list of paths, a data frame or a dict", type(source).__name__
        )
    if not paths:
        raise invalid("source", "at least one file", "an empty list")
    single = isinstance(source, str | Path) and len(paths) == 1
    return _read_files([(path, load(path)) for path in paths], request, _beside_on_disk, single)


def _files_in(folder: Path) -> list[Path]:
    """Return the files of a folder that hold results: test files of tsml first, else those on top."""
    found = sorted(folder.rglob("testResample*.csv"))
    found = found or sorted(folder.rglob("samples_*.jsonl"))
    found = found or sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.name.removesuffix(".gz").endswith(_ENDINGS)
    )
    if not found:
        raise invalid(
            "source",
            "a folder with testResample*.csv, <estimator>_<measure>.csv, .arff or .jsonl files",
            f"{folder.name} without",
        )
    return found


def _beside_on_disk(path: Path) -> bytes | None:
    return load(path) if path.is_file() else None


def _read_mapping(source: Mapping[str, Any], request: Request) -> ScoreTable:
    if source and all(isinstance(value, bytes) for value in source.values()):
        named = {Path(name): raw for name, raw in source.items()}
        files = [(path, unpack(raw, path.name)) for path, raw in named.items()]
        return _read_files(files, request, named.get, single=len(files) == 1)
    if source and all(isinstance(value, str | Path) for value in source.values()):
        paths = [Path(value) for value in source.values()]
        contents = [_content(path, load(path)) for path in paths]
        texts = [content for content in contents if isinstance(content, Prose)]
        if len(texts) == len(paths) and all(is_samples(one.text) for one in texts):
            names = [str(name) for name in source]
            return _with_notes(read_samples(paths, _plain(texts), request, names), texts)
        raise invalid("source", "a dict from names to lm-eval samples (.jsonl)", paths[0].name)
    return read_results(source, request)


def _content(path: Path, raw: bytes) -> Sheet | Prose:
    """Return a sheet, or the text of a format that is no table."""
    head = raw[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if head[:1] in (b"@", b"%") and b"\0" not in head:
        text, notes = decode(raw, path.name)
        frame = parse_arff(text, path.name).frame
        if frame.empty:
            raise invalid(
                "source", "a table with at least one row of scores", f"{path.name} with none"
            )
        return Sheet(name=path.name, frame=frame, first_row=1, notes=notes)
    if head[:1] == b"{" or is_resample(head.decode("latin-1")):
        return Prose(*decode(raw, path.name))
    return read_sheet(raw, path.name)


def _read_files(
    files: Sequence[tuple[Path, bytes]], request: Request, neighbour: Neighbour, single: bool
) -> ScoreTable:
    paths = [path for path, _ in files]
    contents = [_content(path, raw) for path, raw in files]
    texts = [content for content in contents if isinstance(content, Prose)]
    if len(texts) == len(paths):
        if all(is_samples(one.text) for one in texts):
            return _with_notes(read_samples(paths, _plain(texts), request, None), texts)
        if all(is_resample(one.text) for one in texts):
            return _with_notes(read_resamples(paths, _plain(texts), request, neighbour), texts)
    sheets = [content for content in contents if isinstance(content, Sheet)]
    if len(sheets) == len(paths):
        if any(is_weka(sheet) for sheet in sheets):
            return read_weka(sheets, request)
        if len(sheets) == 1 and (single or not is_reference(sheets[0])):
            return _read_one(sheets[0], paths[0], request)
        if all(is_reference(sheet) for sheet in sheets):
            return read_reference(paths, sheets, request)
    raise invalid(
        "source",
        "files of one format: Weka Experimenter, tsml, aeon or lm-eval results",
        " and ".join(path.name for path in (paths[0], paths[-1])),
        "Read a table of scores by its own path",
    )


def _plain(texts: list[Prose]) -> list[str]:
    return [one.text for one in texts]


def _with_notes(table: ScoreTable, texts: list[Prose]) -> ScoreTable:
    notes = tuple(note for one in texts for note in one.notes)
    return replace(table, account=(*table.account, *notes))


def _read_one(sheet: Sheet, path: Path, request: Request) -> ScoreTable:
    """Read a sheet by what its columns are called."""
    if is_weka(sheet):
        return read_weka([sheet], request)
    if is_automl(sheet):
        return read_automl(sheet, request)
    if is_openml(sheet):
        return read_openml(sheet, request)
    if is_search(sheet):
        return read_search(sheet, request)
    if is_mlflow(sheet):
        return read_mlflow(sheet, request)
    if is_predictions(sheet):
        return read_predictions(sheet, path, request)
    return read_delimited(sheet, request)
