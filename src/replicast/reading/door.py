"""One door for all formats: `read_scores` finds out what it was given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias, cast

import numpy as np
import pandas as pd

from replicast.design import DesignLike, require_design, require_paired_design
from replicast.errors import (
    Choice,
    DesignNeededError,
    InvalidArgumentError,
    SeveralQuestionsError,
    invalid,
    names_extras,
    require_path,
    shorten,
)
from replicast.reading.catalogue import FORMATS, Format
from replicast.reading.documents import Document
from replicast.reading.formats.tables.preparing import rows_asked_for
from replicast.reading.formats.tables.reader import read_tables
from replicast.reading.limits import HERE, Limits
from replicast.reading.packing import EXPORT_RUNS, load, unpack
from replicast.reading.requests import (
    Missing,
    Request,
    RowKind,
    answered,
    require_request,
)
from replicast.reading.sheets import listing, sheet_of
from replicast.reading.syntaxes.spreadsheets import spreadsheet_kind
from replicast.scores.tables import ScoreTable

PathLike: TypeAlias = str | Path
Source: TypeAlias = PathLike | Sequence[PathLike] | Mapping[str, Any] | pd.DataFrame
Guess: TypeAlias = tuple[ScoreTable | None, list[InvalidArgumentError]]
_ENDINGS = (
    ".csv", ".tsv", ".txt", ".arff", ".json", ".jsonl", ".npz", ".parquet", ".xlsx", ".ods", ".eval",
    ".md", ".tex", ".html",
)  # fmt: skip
_MOST_QUESTIONS = 5
_LOOKED_AT = 10_000  # bytes of a file of an unknown kind
_PACKED = (".gz", ".bz2", ".xz")
_ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_NO_RESULTS = ("model_meta.json",)  # of MTEB, beside the tasks
_FOLDERS = (  # what a program leaves in a folder; the first that is there is read
    "testResample*.csv", "samples_*.jsonl", "per_instance_stats.json", "*.eval", "evaluations.npz",
    "report.json", "summary.json", "results_*.json", "details_*.parquet", "*_eval_all.json",
    "annotations.json",
)  # fmt: skip


def read_scores(
    source: Source,
    *,
    design: DesignLike | None = None,
    metric: str | None = None,
    greater_is_better: bool | None = None,
    missing: Missing = "share",
    classifiers: Sequence[str] | None = None,
    dataset: str | None = None,
    rows: RowKind | None = None,
    where: Mapping[str, str] | None = None,
    sheet: str | None = None,
    classifier_column: str | None = None,
    dataset_column: str | None = None,
    run_column: str | None = None,
    fold_column: str | None = None,
    score_column: str | None = None,
    cluster_column: str | None = None,
    case_column: str | None = None,
    answer_column: str | None = None,
    note_column: str | None = None,
    assume: bool = True,
) -> ScoreTable:
    r"""Read scores of classifiers from whatever an experiment left behind.

    The format is recognised. What was read, assumed and dropped stands in the table's `account`. What
    nobody doubts is assumed and said: scores from 0 to 1 or 100 that have no name, most of them in the
    upper half, are better high. What changes numbers and is open is asked for, all at once: the error
    has `questions`.

    Parameters
    ----------
    source : path, list of paths, data frame, dict or fitted search
        Tables (wide, long, transposed; CSV, Parquet, Excel, LaTeX, Markdown, HTML, JSON, data frames
        of pandas, Polars and others); results of scikit-learn, the Weka Experimenter, caret, mlr,
        tidymodels, tsml and aeon, the AutoML benchmark, OpenML, MLflow; predictions case by case;
        logs of lm-eval, Inspect, HELM, OpenAI evals and promptfoo. A folder or a zip archive stands
        for the files in it. A dict goes from names to scores, to results of `cross_validate`, to
        paths, or from file names to the bytes of files, which then are read from memory.
    design : Design, optional
        How the scores arose, where the file does not tell.
    metric : str, optional
        Which measure to read, where there are several; what is measured, where nothing says so.
    greater_is_better : bool, optional
        Left out, it follows from the measure's name or the format; else it is asked for.
    missing : {"share", "refuse", "drop-dataset", "drop-classifier", "drop-case"}
        What to do about missing scores. "share" compares two classifiers on the datasets or cases that
        both have, and many on what is left when what costs least is left out. "refuse" refuses
        comparisons of classifiers that have a gap, and so does "share" where nothing may be assumed.
    classifiers : sequence of str, optional
        Read these alone; gaps of others then do not matter.
    dataset : str, optional
        Read this dataset or task alone.
    rows : {"datasets", "classifiers"}, optional
        What a row is, where names do not tell.
    where : dict, optional
        Keep the rows whose columns have these values; with `!` behind the column, other values.
    sheet : str, optional
        Which sheet of a workbook.
    classifier_column, dataset_column, run_column, fold_column, score_column : str, optional
        Columns, where their names do not tell what they are for.
    cluster_column : str, optional
        Column that says which cases hang together, such as those of one patient; "none" if all stand
        by themselves, whatever their columns are called.
    case_column, answer_column : str, optional
        Columns that name the cases of one test set, and the several answers to each. The answers may be
        "numbers" behind the names of models, as in old_1 and old_2; "none" if those are all models.
    note_column : str, optional
        Columns that hold no scores, with a plus between them; "none" if all of them do.
    assume : bool
        False if which way is better has to be known: a gate must not assume it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("dataset,svm,nb\niris,0.95,0.94\nvote,0.96,0.90\n")
    >>> read_scores(path, metric="accuracy").classifiers
    ('svm', 'nb')
    >>> found = {"svm": [0.9, 0.8, 0.9], "nb": [0.7, 0.8, 0.7]}
    >>> from replicast import KFold
    >>> read_scores(found, design=KFold(3)).pair("svm", "nb").differences.tolist()
    [0.2, 0.0, 0.2]
    """
    said = dict(locals())
    source, design = _of_search(said.pop("source"), design)
    said["design"] = None if design is None else require_paired_design(design)
    said["where"] = {} if where is None else where
    return read_requested(source, Request(**said))


def read_requested(source: Source, request: Request) -> ScoreTable:
    """Read whatever was given as was asked, or raise all that it leaves open at once."""
    table, asked = read_guessing(source, request)
    if asked:
        raise asked[0] if len(asked) == 1 else SeveralQuestionsError(asked)
    return cast(ScoreTable, table)  # there is one where nothing is open


def read_guessing(source: Source, request: Request) -> Guess:
    """Read whatever was given, as far as guesses go, with all that it leaves open."""
    request = require_request(request)
    try:
        return guess(open_documents(source, request.sheet), request)
    except MemoryError:
        domain, got = "a table that fits into the memory of this machine", "one that does not"
        raise invalid("source", domain, got, "Leave columns out, or give fewer files") from None


def guess(
    documents: Sequence[Document],
    request: Request,
    known: Callable[[InvalidArgumentError], Choice | None] = lambda _: None,
) -> Guess:
    """Read documents; answer a question as `known`, and others, which are returned, by a guess.

    Behind the first question there may be another: to find it, the likeliest answer is tried; an
    answer behind which nothing can be read is put last.
    """
    asked: list[InvalidArgumentError] = []
    before, dead = request, 0  # the request without the last answer, and answers that led nowhere
    while len(asked) < _MOST_QUESTIONS:
        try:
            return read_documents(documents, request), asked
        except InvalidArgumentError as error:
            answer = known(error)
            if answer is None and error.choices:
                asked.append(error)
                before, dead = request, 0
                answer = _likeliest(error)
            elif answer is None and asked and dead < len(asked[-1].choices):
                first, *others = asked[-1].choices
                asked[-1].choices, request, dead = (*others, first), before, dead + 1
                asked[-1].leads_on = dead < len(asked[-1].choices)
                answer = _likeliest(asked[-1]) if asked[-1].leads_on else None
            if answer is None and not asked:
                raise
            if answer is None:
                break
            request = answered(request, answer.argument, answer.value)
    return None, asked


def _likeliest(error: InvalidArgumentError) -> Choice | None:
    """Return the likeliest answer that leaves no number open; of a design, so many folds."""
    first = error.choices[0]
    if first.is_open and isinstance(error, DesignNeededError):
        return replace(first, value=f"kfold:folds={error.scores}")
    return None if first.is_open else first


def _of_search(source: Any, design: DesignLike | None) -> tuple[Any, DesignLike | None]:
    """Return the results of a fitted search of scikit-learn, and the design that its `cv` tells."""
    results = getattr(source, "cv_results_", None)
    if not isinstance(results, Mapping):
        return source, design
    splitter = getattr(source, "cv", None)
    if design is None and hasattr(splitter, "get_n_splits"):
        design = require_design(splitter)  # a search splits once, for all candidates
    elif design is None and isinstance(splitter, int | None):
        design = getattr(source, "n_splits_", None)
    return results, design


def open_documents(source: Source, sheet: str | None, limits: Limits = HERE) -> list[Document]:
    """Open whatever was given; a folder or an archive stands for the files in it.

    None of it holds more than `limits` say.
    """
    return [part for one in _documents(source, sheet, limits) for part in _members(one)]


def _documents(source: Any, sheet: str | None, limits: Limits) -> list[Document]:
    if isinstance(source, str | Path):
        path = require_path(source, "source")
        return [_open(one, sheet) for one in _paths_in(path)]
    if isinstance(source, Mapping):
        return _of_mapping(source, sheet, limits)
    frame = _as_frame(source)
    if frame is not None:
        name = str(frame.attrs.get("name", "data frame"))  # a part of a file goes by its name
        return [Document(path=Path(name), table=sheet_of(frame, name))]
    is_array = isinstance(source, np.ndarray) and source.ndim > 0
    if is_array or (isinstance(source, Sequence) and not isinstance(source, bytes)):
        return _of_list(source, sheet)
    domain = "a path, a list of paths, a data frame or a dict"
    raise invalid("source", domain, type(source).__name__)


def _of_list(source: Any, sheet: str | None) -> list[Document]:
    """Open a list of paths, or take records for a table; numbers alone name nobody."""
    if not len(source):
        raise invalid("source", "at least one file", "an empty list")
    if all(isinstance(one, str | Path) for one in source):
        paths = map(Path, source)
        return [_open(one, sheet) for path in paths for one in _paths_in(path)]
    if all(isinstance(one, Mapping) for one in source):
        return [Document(path=Path("source"), value=list(source))]
    lengths = {np.size(one) for one in source}
    shape = (len(source), *lengths) if len(lengths) == 1 else (len(source),)
    got = f"an array of {' x '.join(map(str, shape))} numbers"
    remedy = "Give a dict from names to lists of scores, for instance {'svm': [0.9, 0.8]}"
    raise invalid("source", "scores with names", got, remedy)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long; whoever opens it says so
        return False


def _of_mapping(source: Mapping[str, Any], sheet: str | None, limits: Limits) -> list[Document]:
    values = list(source.values())
    if source and all(isinstance(value, bytes) for value in values):
        named = {Path(name): raw for name, raw in source.items()}
        return [
            Document(
                path=path,
                raw=unpack(raw, path.name, limits),
                sheet_name=sheet,
                limits=limits,
                beside=named.get,
            )
            for path, raw in named.items()
        ]
    if source and all(isinstance(value, str | Path) for value in values):
        return [_open(Path(path), sheet, label=str(name)) for name, path in source.items()]
    if source and all(isinstance(value, pd.Series) for value in values):
        return _documents(pd.DataFrame(source), sheet, limits)
    plain = {name: _listed(value) for name, value in source.items()}
    return [Document(path=Path("source"), value=plain)]


def _listed(value: Any) -> Any:
    """Return an array, a series or a tuple as a list, and anything else as it is."""
    if isinstance(value, np.ndarray | pd.Series):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def _as_frame(source: Any) -> pd.DataFrame | None:
    """Return a data frame of any library as one of pandas, None if it is none."""
    if isinstance(source, pd.DataFrame):
        return source
    if isinstance(source, pd.Series | str | bytes | list | tuple | np.ndarray):
        return None
    if not hasattr(type(source), "columns"):
        return None
    with names_extras():
        import narwhals as nw

    found = nw.from_native(source, pass_through=True)
    if isinstance(found, nw.LazyFrame):
        found = found.collect()
    return found.to_pandas() if isinstance(found, nw.DataFrame) else None


def _open(path: Path, sheet: str | None, label: str | None = None) -> Document:
    def beside(path: Path) -> bytes | None:
        return load(path) if path.is_file() else None

    return Document(path=path, raw=load(path), label=label, sheet_name=sheet, beside=beside)


def _paths_in(path: Path) -> list[Path]:
    """Return the files of a folder, or the file that it is."""
    return _files_in(path) if _is_folder(path) else [path]


def _files_in(folder: Path) -> list[Path]:
    """Return the files of a folder: what a program is known to leave there, else those on top."""
    for pattern in _FOLDERS:
        found = sorted(folder.rglob(pattern))
        if found:
            return found
    found = [path for path in folder.iterdir() if path.is_file() and _is_wanted(path.name)]
    found = sorted(found or (path for path in folder.rglob("*.json") if _is_wanted(path.name)))
    if not found:
        got, remedy = f"{folder.name} without", ""
        if next(folder.rglob("*/metrics/*"), None) is not None:
            got = f"{folder.name}, the store of MLflow: a file per metric and run, no table"
            remedy = EXPORT_RUNS
        raise invalid("source", "a folder with results", got, remedy)
    return found


def _is_wanted(name: str) -> bool:
    plain = name.casefold()
    for ending in _PACKED:
        plain = plain.removesuffix(ending)
    return plain.endswith(_ENDINGS) and not plain.startswith(".") and plain not in _NO_RESULTS


def _members(document: Document) -> list[Document]:
    """Return the files in an archive; a workbook, a log and arrays are documents themselves."""
    archive = document.archive
    if archive is None or archive.is_log or document.is_arrays:
        return [document]
    if spreadsheet_kind(archive) is not None:
        return [document]
    names = [name for name in archive.names if _is_wanted(PurePosixPath(name).name)]
    if not names:
        got = f"{document.path.name} with {listing(archive.names, 3) or 'nothing'}"
        raise invalid("source", "an archive with results", got)
    inner = next((one for one in archive.names if one.casefold().endswith(_ARCHIVES)), None)
    if inner is not None:  # what is in it would be left out
        got = f"{document.path.name} with {shorten(inner)} in it"
        raise invalid("source", "an archive of files", got, "Unpack it")
    inside: dict[Path, str] = {Path(*PurePosixPath(name).parts[-4:]): name for name in names}

    def beside(path: Path) -> bytes | None:
        return archive.read(inside[path]) if path in inside else None

    left, found = document.limits.archive, []
    for path, name in inside.items():
        raw = unpack(archive.read(name), path.name, document.limits, left)
        left -= len(raw)
        found.append(replace(document, path=path, raw=raw, label=None, beside=beside))
    return found


def read_documents(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Let the format read that recognises the documents; all must be of one."""
    kinds = [_kind(document) for document in documents]
    at = next((i for i, kind in enumerate(kinds) if kind is not kinds[0]), None)
    if at is None and (len(documents) == 1 or kinds[0].files == "several"):
        return kinds[0].read(*_of_what_was_asked(documents, kinds[0], request))
    told = [f"{documents[i].path.name} ({kinds[i].name})" for i in (0, at or len(kinds) - 1)]
    remedy = "Read a table of scores by its own path"
    domain = "one table, or several files of one format"
    raise invalid("source", domain, " and ".join(told), remedy)


def _of_what_was_asked(
    documents: Sequence[Document], kind: Format, request: Request
) -> tuple[Sequence[Document], Request]:
    """Keep the rows asked for, whatever the format; refuse options of tables for what is none."""
    if kind.read is read_tables:  # which looks at the columns first
        return documents, request
    if kind.columns or kind.prefix:
        kept = [
            replace(one, table=rows_asked_for(one.sheet, request)) if request.where else one
            for one in documents
        ]
        return kept, replace(request, where={})
    named = {role: f"{role}_column" for role in request.columns if role != "cluster"}
    options = [*(["where"] if request.where else []), *(["rows"] if request.rows else [])]
    for option in (*options, *named.values()):
        domain = f"left out for {kind.name}, which are no table"
        raise invalid(option, domain, repr(getattr(request, option)))
    return documents, request


def _kind(document: Document) -> Format:
    """Return the first format that recognises a document."""
    for form in FORMATS:
        if form.recognises(document):
            return form
    domain = "a table, results or logs of a kind that is known"
    kind = "JSON of another kind"
    remedy = "Give a table with a row for each score: classifier, dataset, run, fold, score"
    if b'"bbox"' in document.raw[:_LOOKED_AT]:
        kind = "detections, of which mAP is a measure of all images and not of one"
        remedy = "Score every image (its AP, or boxes found), and compare the images as cases"
    raise invalid("source", domain, f"{document.path.name}, {kind}", remedy)
