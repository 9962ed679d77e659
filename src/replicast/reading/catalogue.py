"""One row a format: how it is recognised, read, fuzzed and documented."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from replicast.reading.documents import Document
from replicast.reading.formats.agents import is_evaluations, read_evaluations
from replicast.reading.formats.automl import is_automl, read_automl
from replicast.reading.formats.forecasts import is_forecasts, read_forecasts
from replicast.reading.formats.logs.boards import (
    is_evalplus,
    is_instance,
    is_lighteval,
    is_livecode,
    is_swebench,
    is_tau,
    read_evalplus,
    read_instances,
    read_lighteval,
    read_livecode,
    read_swebench,
    read_tau,
)
from replicast.reading.formats.logs.deepeval import is_deepeval, read_deepeval
from replicast.reading.formats.logs.helm import is_helm, read_helm
from replicast.reading.formats.logs.inspect import (
    is_inspect,
    is_samples_frame,
    read_inspect,
    read_samples_frame,
)
from replicast.reading.formats.logs.lm_eval import is_samples, read_samples
from replicast.reading.formats.logs.openai_evals import is_evals, read_evals
from replicast.reading.formats.logs.promptfoo import is_promptfoo, read_promptfoo
from replicast.reading.formats.logs.segments import (
    is_comet,
    is_nnunet,
    is_trec,
    read_comet,
    read_nnunet,
    read_trec,
)
from replicast.reading.formats.logs.votes import (
    is_alpaca,
    is_arena,
    is_pairs,
    read_alpaca,
    read_arena,
    read_pairs,
)
from replicast.reading.formats.mlflow import is_mlflow, read_mlflow
from replicast.reading.formats.openml import is_openml, read_openml
from replicast.reading.formats.scikit_learn import (
    is_results,
    is_search,
    read_results,
    read_search,
)
from replicast.reading.formats.searches import (
    is_boosting,
    is_curves,
    is_trials,
    read_boosting,
    read_curves,
    read_trials,
)
from replicast.reading.formats.tables.reader import is_table, read_tables
from replicast.reading.formats.tsml import (
    is_evaluation,
    is_reference,
    is_resample,
    read_evaluation,
    read_reference,
    read_resamples,
)
from replicast.reading.formats.weka import is_weka, read_weka
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable


@dataclass(frozen=True)
class Format:
    """A kind of file that is read, or refused for a reason of its own.

    Attributes
    ----------
    name : str
        What the files are called in sentences.
    recognise : callable
        Tells one document by what is in it, never by its name.
    read : callable
        Makes a table of one document, or of as many as `files` allows.
    page : str
        Page below docs/formats.
    golden : tuple of str
        Files below tests/golden/formats; the fuzzer changes the first and leaves the others.
    files : {"one", "several"}
        Whether documents belong together: one may be a classifier, a task or a resample.
    """

    name: str
    recognise: Callable[[Document], bool]
    read: Callable[[Sequence[Document], Request], ScoreTable]
    page: str
    golden: tuple[str, ...]
    files: str = "one"


_COFFEE = "Predictions/Coffee/testResample0.csv"
_SAMPLES = "samples_arc_easy_2026-01-05T10-11-12.131415.jsonl"

# the first that recognises a document reads it: special formats stand before general ones
FORMATS = (
    Format("lm-eval samples", is_samples, read_samples, "lm-eval.md",
           (f"lm-eval/model-a/{_SAMPLES}", f"lm-eval/model-b/{_SAMPLES}"), "several"),
    Format("Inspect logs", is_inspect, read_inspect, "logs.md",
           ("inspect/model-a.json", "inspect/model-b.json"), "several"),
    Format("HELM instances", is_helm, read_helm, "logs.md",
           ("helm/model=a/per_instance_stats.json", "helm/model=b/per_instance_stats.json"),
           "several"),
    Format("OpenAI evals", is_evals, read_evals, "logs.md",
           ("openai-evals/gpt-a.jsonl", "openai-evals/gpt-b.jsonl"), "several"),
    Format("DeepEval runs", is_deepeval, read_deepeval, "logs.md",
           ("deepeval/model-a.json", "deepeval/model-b.json"), "several"),
    Format("promptfoo results", is_promptfoo, read_promptfoo, "logs.md",
           ("promptfoo/results.csv",)),
    Format("SWE-bench reports", is_swebench, read_swebench, "boards.md",
           ("boards/swebench-a.json", "boards/swebench-b.json"), "several"),
    Format("SWE-bench instances", is_instance, read_instances, "boards.md",
           tuple(f"boards/run/{m}/{i}/report.json" for m in ("a", "b") for i in ("x", "y", "z")),
           "several"),
    Format("tau-bench results", is_tau, read_tau, "boards.md",
           ("boards/tau-a.json", "boards/tau-b.json"), "several"),
    Format("LiveCodeBench results", is_livecode, read_livecode, "boards.md",
           ("boards/livecode-a.json", "boards/livecode-b.json"), "several"),
    Format("EvalPlus results", is_evalplus, read_evalplus, "boards.md",
           ("boards/evalplus-a.json", "boards/evalplus-b.json"), "several"),
    Format("AlpacaEval annotations", is_alpaca, read_alpaca, "boards.md",
           ("boards/alpaca.json",)),
    Format("MT-bench judgements", is_pairs, read_pairs, "boards.md", ("boards/pairs.jsonl",)),
    Format("COMET scores", is_comet, read_comet, "boards.md", ("boards/comet.json",)),
    Format("nnU-Net summaries", is_nnunet, read_nnunet, "boards.md",
           ("boards/nnunet/a/summary.json", "boards/nnunet/b/summary.json"), "several"),
    Format("trec_eval output", is_trec, read_trec, "boards.md",
           ("boards/trec-a.eval", "boards/trec-b.eval"), "several"),
    Format("evaluations of Stable-Baselines3", is_evaluations, read_evaluations, "boards.md",
           tuple(f"boards/sb3/{m}/Pole-v1_{i}/evaluations.npz" for m in ("ppo", "a2c")
                 for i in (1, 2, 3)), "several"),
    Format("tsml results", is_resample, read_resamples, "tsml-aeon.md",
           (f"tsml/ROCKET/{_COFFEE}", f"tsml/1NN-DTW/{_COFFEE}"), "several"),
    Format("results of scikit-learn", is_results, read_results, "scikit-learn.md",
           ("sklearn/cross-validate.json",)),
    Format("Weka Experimenter results", is_weka, read_weka, "weka.md",
           ("weka/iris-5x2-j48.csv", "weka/nb.arff.gz"), "several"),
    Format("AutoML benchmark results", is_automl, read_automl, "automl.md",
           ("automl/results.csv", "automl/results.csv"), "several"),
    Format("OpenML evaluations", is_openml, read_openml, "openml.md", ("openml/evaluations.csv",)),
    Format("cv_results_ of scikit-learn", is_search, read_search, "scikit-learn.md",
           ("sklearn/cv-results.csv",)),
    Format("MLflow runs", is_mlflow, read_mlflow, "mlflow.md", ("mlflow/runs.csv",)),
    Format("samples of Inspect", is_samples_frame, read_samples_frame, "logs.md",
           ("inspect/samples.csv",)),
    Format("Optuna trials", is_trials, read_trials, "refused.md", ("refused/optuna.csv",)),
    Format("rounds of boosting", is_boosting, read_boosting, "refused.md", ("refused/xgb-cv.csv",)),
    Format("training curves", is_curves, read_curves, "refused.md", ("refused/wandb-chart.csv",)),
    Format("tsml-eval table", is_evaluation, read_evaluation, "tsml-aeon.md",
           ("tsml-eval/accuracy_mean.csv",)),
    Format("aeon reference results", is_reference, read_reference, "tsml-aeon.md",
           ("aeon/HC2_accuracy.csv", "aeon/TSF_accuracy.csv"), "several"),
    Format("lighteval details", is_lighteval, read_lighteval, "boards.md",
           ("boards/lighteval/a/1/details_x.parquet", "boards/lighteval/b/1/details_x.parquet"),
           "several"),
    Format("votes of an arena", is_arena, read_arena, "boards.md", ("boards/arena.csv",)),
    Format("forecasts", is_forecasts, read_forecasts, "boards.md", ("boards/forecasts.csv",)),
    Format("tables", is_table, read_tables, "tables.md",
           ("tables/long.csv", "tables/long.csv"), "several"),
)  # fmt: skip
