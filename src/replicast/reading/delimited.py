"""Wide and long tables of scores in delimited text files."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from replicast.design import (
    Datasets,
    Design,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
    describe_design,
    run_shape,
)
from replicast.errors import DesignMismatchError, InvalidArgumentError, invalid, sentence
from replicast.scores import ScoreTable

if TYPE_CHECKING:
    import pandas as pd

_CLASSIFIER = ("classifier", "classifier_name", "model", "algorithm", "method", "estimator")
_DATASET = ("dataset", "dataset_name", "data", "task", "problem")
_RUN = ("run", "r", "repeat", "repetition", "seed")
_FOLD = ("fold", "k", "split", "resample")
_SCORE = ("score", "accuracy", "value", "values", "result", "metric_value")
_TRAIN, _TEST = ("n_train", "train_size"), ("n_test", "test_size")
_KEYS = (*_DATASET, *_RUN, *_FOLD, *_TRAIN, *_TEST)
_UNTITLED = "all"

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Sizes = dict[str, Floats | None]


def read_scores(
    source: str | Path,
    *,
    design: Design | None = None,
    greater_is_better: bool = True,
) -> ScoreTable:
    r"""Read a wide or long table of scores from a delimited text file.

    Wide: one row a dataset or a fold, one column a classifier, optional columns `dataset`, `run`,
    `fold`. Long: columns for classifier, dataset, run, fold and score, of which classifier and score
    are required. Comma, semicolon and tab are recognised. Columns `run` and `fold` tell the design;
    without them give `design`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("dataset,svm,nb\niris,0.95,0.94\nvote,0.96,0.90\n")
    >>> read_scores(path).classifiers
    ('svm', 'nb')
    """
    path = Path(source)
    frame = _read_frame(path)
    names = {str(column).strip().lower(): column for column in frame.columns}
    classifier, score = _find(names, _CLASSIFIER), _find(names, _SCORE)
    if classifier is not None and score is not None:
        long, layout = frame, "long"
    else:
        long, layout = _melt(frame, names, path), "wide"
        names = {str(column): column for column in long.columns}
        classifier, score = "classifier", "score"
    return _tabulate(
        path, long, names, str(classifier), str(score), layout, design, greater_is_better
    )


def _read_frame(path: Path) -> "pd.DataFrame":
    import pandas as pd

    try:
        with path.open("rb") as file:
            head = file.read(65536)
    except OSError as error:
        raise invalid("source", "a readable file", f"{path.name}: {error.strerror}") from None
    if not head.strip():
        raise invalid("source", "a table of scores", f"{path.name}, an empty file")
    if b"\0" in head:
        raise invalid(
            "source",
            "a text file",
            f"{path.name}, which holds binary data",
            "Export the table as CSV",
        )
    header = head.splitlines()[0]
    separator = max((",", ";", "\t"), key=lambda mark: header.count(mark.encode()))
    try:
        frame = pd.read_csv(
            path,
            sep=separator,
            keep_default_na=False,
            na_values=[""],
            skipinitialspace=True,
            encoding="utf-8-sig",
        )
    except UnicodeDecodeError:
        raise invalid(
            "source", "a UTF-8 text file", f"{path.name} in another encoding", "Save it as UTF-8"
        ) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        detail = str(error).replace("Error tokenizing data. C error: ", "").strip().rstrip(".")
        raise invalid(
            "source", "a table with as many cells in every row", f"{path.name}: {detail}"
        ) from None
    if frame.empty:
        raise invalid(
            "source", "a table with at least one row of scores", f"{path.name} with a header only"
        )
    return frame


def _find(names: dict[str, str], wanted: tuple[str, ...]) -> str | None:
    return next((names[name] for name in wanted if name in names), None)


def _numbers(column: "pd.Series[float]", path: Path, label: str) -> Floats:
    """Return a column as floats, or name the first cell that is not a number."""
    import pandas as pd

    values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        cell = column.iloc[int(bad[0])]
        shown = "an empty cell" if cell != cell else repr(getattr(cell, "item", lambda: cell)())
        raise InvalidArgumentError(
            f"{path.name}, row {bad[0] + 2}, column {label}: expected a number, got {shown}. "
            f"Remove the row or complete it."
        )
    return values


def _melt(frame: "pd.DataFrame", names: dict[str, str], path: Path) -> "pd.DataFrame":
    import pandas as pd

    keys = {key: column for key, column in names.items() if key in _KEYS}
    first = frame.columns[0]
    looks_like_name = not pd.api.types.is_numeric_dtype(frame[first])
    if not any(key in _DATASET for key in keys) and looks_like_name and _mostly_text(frame[first]):
        keys["dataset"] = first
    classifiers = [column for column in frame.columns if column not in keys.values()]
    if len(classifiers) < 2:
        found = ", ".join(map(str, frame.columns))
        raise invalid(
            "source",
            "a table with a column for each of at least two classifiers",
            f"{path.name} with columns {found}",
            "For one row per score name the columns classifier, dataset, run, fold, score",
        )
    blocks = []
    for column in classifiers:
        block = pd.DataFrame({key: frame[name] for key, name in keys.items()}, index=frame.index)
        block["classifier"] = str(column).strip()
        block["score"] = _numbers(frame[column], path, str(column))
        block["row"] = np.arange(len(frame))
        blocks.append(block)
    return pd.concat(blocks, ignore_index=True)


def _mostly_text(column: "pd.Series[str]") -> bool:
    import pandas as pd

    return bool(pd.to_numeric(column, errors="coerce").isna().mean() > 0.5)


def _tabulate(
    path: Path,
    long: "pd.DataFrame",
    names: dict[str, str],
    classifier: str,
    score: str,
    layout: str,
    design: Design | None,
    greater_is_better: bool,
) -> ScoreTable:
    """Arrange long rows as classifier x dataset x run x fold."""
    import pandas as pd

    scores = _numbers(long[score], path, score)
    dataset, run, fold = (_find(names, wanted) for wanted in (_DATASET, _RUN, _FOLD))
    c, classifiers = pd.factorize(long[classifier].astype(str))
    d, datasets = (
        pd.factorize(long[dataset].astype(str))
        if dataset
        else (np.zeros(len(long), int), [_UNTITLED])
    )
    if run is None and fold is None:
        r, f, shape = _positions_within(c, np.asarray(d), design, path)
    else:
        r = pd.factorize(long[run], sort=True)[0] if run else np.zeros(len(long), int)
        f = pd.factorize(long[fold], sort=True)[0] if fold else np.zeros(len(long), int)
        shape = (int(np.max(r)) + 1, int(np.max(f)) + 1)
    cell = np.ravel_multi_index((c, d, r, f), (len(classifiers), len(datasets), *shape))
    repeated = pd.Series(cell).duplicated()
    if repeated.any():
        where = int(np.flatnonzero(repeated)[0])
        place = f"{classifiers[c[where]]} on {datasets[d[where]]}"
        raise InvalidArgumentError(
            f"{path.name}: more than one score for {place}, run {r[where] + 1}, fold {f[where] + 1}. "
            f"Keep one row for each, or add a run or fold column."
        )
    table = np.full((len(classifiers), len(datasets), *shape), np.nan)
    table.reshape(-1)[cell] = scores
    sizes: Sizes = {
        key: _sizes(long, _find(names, columns), cell, table.shape, path)
        for key, columns in (("n_train", _TRAIN), ("n_test", _TEST))
    }
    found = design if design is not None else _infer_design(shape, sizes, len(datasets), path)
    account = (
        f"{path.name}: {layout} table, {len(scores):,} scores of {len(classifiers)} classifiers "
        f"on {len(datasets)} dataset{'s' if len(datasets) != 1 else ''}.",
        f"Design: {describe_design(found)}{'' if design is not None else ' (from the columns)'}.",
    )
    return ScoreTable(
        classifiers=tuple(map(str, classifiers)),
        datasets=tuple(map(str, datasets)),
        scores=table,
        design=found,
        greater_is_better=greater_is_better,
        account=account,
        n_train=sizes["n_train"],
        n_test=sizes["n_test"],
    )


def _positions_within(
    c: Codes,
    d: Codes,
    design: Design | None,
    path: Path,
) -> tuple[
    Codes,
    Codes,
    tuple[int, int],
]:
    """Give numbers to the scores of each classifier on each dataset in file order: runs, then folds."""
    import pandas as pd

    count = pd.Series(np.zeros(len(c))).groupby([c, d]).cumcount().to_numpy()
    most = int(count.max()) + 1
    if most == 1:
        return np.zeros(len(c), int), np.zeros(len(c), int), (1, 1)
    if design is None:
        raise invalid(
            "design",
            "given when a file has several rows and no dataset, run or fold column",
            "none",
            f"Add for instance --design kfold:folds={most} or a dataset column",
        )
    if isinstance(design, Datasets):
        raise DesignMismatchError(
            sentence(
                "design",
                "a cross-validation design for several scores per dataset",
                "datasets",
                f"{path.name} has {most} rows for one dataset; name the datasets "
                "in a column called dataset",
            )
        )
    runs, folds = run_shape(design, most)
    if design.n_scores not in (None, most):
        raise DesignMismatchError(
            sentence(
                "design",
                f"a design with {most} scores, as {path.name} has rows",
                f"{describe_design(design)} with {design.n_scores}",
                "Check runs and folds, or whether rows are missing",
            )
        )
    positions = np.asarray(count, dtype=np.intp)
    return positions // folds, positions % folds, (runs, folds)


def _sizes(
    long: "pd.DataFrame",
    column: str | None,
    cell: Codes,
    shape: tuple[int, ...],
    path: Path,
) -> Floats | None:
    if column is None:
        return None
    sizes = np.full(shape, np.nan)
    sizes.reshape(-1)[cell] = _numbers(long[column], path, column)
    return np.asarray(np.fmax.reduce(sizes, axis=0))


def _infer_design(shape: tuple[int, int], sizes: Sizes, n_datasets: int, path: Path) -> Design:
    runs, folds = shape
    if shape == (1, 1):
        return Datasets(n_datasets) if n_datasets > 1 else Holdout()
    if folds == 1:
        train, test = sizes["n_train"], sizes["n_test"]
        if isinstance(train, np.ndarray) and isinstance(test, np.ndarray):
            return RandomSplits(runs, int(np.nanmedian(train)), int(np.nanmedian(test)))
        raise invalid(
            "design",
            "given when a file has runs but no folds",
            path.name,
            f"Add --design random-splits:splits={runs},n_train=...,n_test=...",
        )
    if shape == (5, 2):
        return FiveByTwo()
    return KFold(folds) if runs == 1 else RepeatedKFold(runs, folds)
