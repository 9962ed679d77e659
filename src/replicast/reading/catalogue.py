"""One row a format: how it is recognised, read, fuzzed and documented."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from replicast.reading.assembly import Request
from replicast.reading.documents import Document
from replicast.reading.formats.automl import is_automl, read_automl
from replicast.reading.formats.delimited import is_delimited, read_delimited
from replicast.reading.formats.lm_eval import is_samples, read_samples
from replicast.reading.formats.mlflow import is_mlflow, read_mlflow
from replicast.reading.formats.openml import is_openml, read_openml
from replicast.reading.formats.predictions import is_predictions, read_predictions
from replicast.reading.formats.sklearn_results import (
    is_results,
    is_search,
    read_results,
    read_search,
)
from replicast.reading.formats.tsml import is_reference, is_resample, read_reference, read_resamples
from replicast.reading.formats.weka import is_weka, read_weka
from replicast.scores import ScoreTable


@dataclass(frozen=True, kw_only=True)
class Format:
    """A kind of file that is read.

    Attributes
    ----------
    name : str
        What the files are called in sentences.
    recognise : callable
        Tells one document by what is in it, never by its name.
    read : callable
        Makes a table of one document, or of as many as `files` allows.
    files : {"one", "several"}
        Whether documents belong together: one may be a classifier, a task or a resample.
    golden : tuple of str
        Files below tests/golden/formats; the fuzzer changes the first and leaves the others.
    page : str
        Page below docs/formats.
    """

    name: str
    recognise: Callable[[Document], bool]
    read: Callable[[Sequence[Document], Request], ScoreTable]
    golden: tuple[str, ...]
    page: str
    files: str = "one"


_COFFEE = "Predictions/Coffee/testResample0.csv"
_SAMPLES = "samples_arc_easy_2026-01-05T10-11-12.131415.jsonl"

# the first that recognises a document reads it: special formats stand before general ones
FORMATS = (
    Format(
        name="results of scikit-learn",
        recognise=is_results,
        read=read_results,
        golden=("sklearn/cross-validate.json",),
        page="scikit-learn.md",
    ),
    Format(
        name="lm-eval samples",
        recognise=is_samples,
        read=read_samples,
        files="several",
        golden=(f"lm-eval/model-a/{_SAMPLES}", f"lm-eval/model-b/{_SAMPLES}"),
        page="lm-eval.md",
    ),
    Format(
        name="tsml results",
        recognise=is_resample,
        read=read_resamples,
        files="several",
        golden=(f"tsml/ROCKET/{_COFFEE}", f"tsml/1NN-DTW/{_COFFEE}"),
        page="tsml-aeon.md",
    ),
    Format(
        name="Weka Experimenter results",
        recognise=is_weka,
        read=read_weka,
        files="several",
        golden=("weka/iris-5x2-j48.csv", "weka/nb.arff.gz"),
        page="weka.md",
    ),
    Format(
        name="AutoML benchmark results",
        recognise=is_automl,
        read=read_automl,
        golden=("automl/results.csv",),
        page="automl.md",
    ),
    Format(
        name="OpenML evaluations",
        recognise=is_openml,
        read=read_openml,
        golden=("openml/evaluations.csv",),
        page="openml.md",
    ),
    Format(
        name="cv_results_ of scikit-learn",
        recognise=is_search,
        read=read_search,
        golden=("sklearn/cv-results.csv",),
        page="scikit-learn.md",
    ),
    Format(
        name="MLflow runs",
        recognise=is_mlflow,
        read=read_mlflow,
        golden=("mlflow/runs.csv",),
        page="mlflow.md",
    ),
    Format(
        name="predictions",
        recognise=is_predictions,
        read=read_predictions,
        golden=("predictions/test-set.csv",),
        page="predictions.md",
    ),
    Format(
        name="aeon reference results",
        recognise=is_reference,
        read=read_reference,
        files="several",
        golden=("aeon/HC2_accuracy.csv", "aeon/TSF_accuracy.csv"),
        page="tsml-aeon.md",
    ),
    Format(
        name="tables",
        recognise=is_delimited,
        read=read_delimited,
        golden=("tables/wide.csv",),
        page="tables.md",
    ),
)
