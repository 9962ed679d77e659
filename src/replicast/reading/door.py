"""One door for all formats: `read_scores` finds out what it was given."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from replicast.design import Design, require_design
from replicast.errors import invalid, require_choice
from replicast.reading.assembly import MISSING, Missing, Request
from replicast.reading.catalogue import FORMATS
from replicast.reading.documents import Document
from replicast.reading.files import load, sheet_of, unpack
from replicast.scores import ScoreTable

PathLike: TypeAlias = str | Path
Source: TypeAlias = PathLike | Sequence[PathLike] | Mapping[str, Any] | pd.DataFrame
_ENDINGS = (".csv", ".tsv", ".arff", ".jsonl", ".parquet")


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
    return _read(_documents(source), request)


def _documents(source: Source) -> list[Document]:
    """Open whatever was given; a folder stands for the files in it."""
    if isinstance(source, pd.DataFrame):
        return [Document(path=Path("data frame"), table=sheet_of(source))]
    if isinstance(source, Mapping):
        values = list(source.values())
        if source and all(isinstance(value, bytes) for value in values):
            named = {Path(name): raw for name, raw in source.items()}
            return [
                Document(path=path, raw=unpack(raw, path.name), beside=named.get)
                for path, raw in named.items()
            ]
        if source and all(isinstance(value, str | Path) for value in values):
            return [_open(Path(path), label=str(name)) for name, path in source.items()]
        return [Document(path=Path("source"), results=source)]
    if isinstance(source, str | Path):
        path = Path(source)
        return [_open(one) for one in (_files_in(path) if path.is_dir() else [path])]
    if not isinstance(source, Sequence) or not all(isinstance(one, str | Path) for one in source):
        domain = "a path, a list of paths, a data frame or a dict"
        raise invalid("source", domain, type(source).__name__)
    if not source:
        raise invalid("source", "at least one file", "an empty list")
    return [_open(Path(one)) for one in source]


def _open(path: Path, label: str | None = None) -> Document:
    return Document(path=path, raw=load(path), label=label, beside=_beside)


def _beside(path: Path) -> bytes | None:
    return load(path) if path.is_file() else None


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


def _read(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Let the first format read that recognises all of the documents."""
    forms = [form for form in FORMATS if form.files == "several" or len(documents) == 1]
    for form in forms:
        if all(form.recognise(document) for document in documents):
            return form.read(documents, request)
    kinds = [_kind(document) for document in documents]
    at = next((i for i, kind in enumerate(kinds) if kind != kinds[0]), len(kinds) - 1)
    raise invalid(
        "source",
        "one table, or several files of one format",
        f"{documents[0].path.name} ({kinds[0]}) and {documents[at].path.name} ({kinds[at]})",
        "Read a table of scores by its own path",
    )


def _kind(document: Document) -> str:
    return next(form.name for form in FORMATS if form.recognise(document))
