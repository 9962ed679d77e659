"""One row a format: how it is recognised, read, fuzzed and documented."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from replicast.reading.documents import Document
from replicast.reading.formats.agents import read_evaluations
from replicast.reading.formats.automl import read_automl
from replicast.reading.formats.forecasts import read_forecasts
from replicast.reading.formats.logs.boards import (
    read_evalplus,
    read_instances,
    read_lighteval,
    read_livecode,
    read_swebench,
    read_tau,
)
from replicast.reading.formats.logs.inspect import is_inspect, read_inspect, read_samples_frame
from replicast.reading.formats.logs.lm_eval import read_samples
from replicast.reading.formats.logs.programs import (
    is_deepeval,
    is_evals,
    is_promptfoo,
    read_deepeval,
    read_evals,
    read_helm,
    read_promptfoo,
)
from replicast.reading.formats.logs.segments import is_trec, read_comet, read_nnunet, read_trec
from replicast.reading.formats.logs.votes import read_alpaca, read_arena, read_pairs
from replicast.reading.formats.mlflow import read_mlflow
from replicast.reading.formats.openml import read_openml
from replicast.reading.formats.scikit_learn import is_results, is_search, read_results, read_search
from replicast.reading.formats.searches import (
    is_boosting,
    is_curves,
    read_boosting,
    read_curves,
    read_trials,
)
from replicast.reading.formats.tables.reader import read_tables
from replicast.reading.formats.tsml import (
    is_reference,
    is_resample,
    read_evaluation,
    read_reference,
    read_resamples,
)
from replicast.reading.formats.weka import read_weka
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable


@dataclass(frozen=True, kw_only=True)
class Format:
    """A kind of file that is read, or refused for a reason of its own.

    A document is of this kind if all that is told here is true of it; nothing goes by its name.

    Attributes
    ----------
    name : str
        What the files are called in sentences.
    read : callable
        Makes a table of one document, or of as many as `files` allows.
    page : str
        Page below docs/formats.
    golden : tuple of str
        Files below tests/golden/formats; the fuzzer changes the first and leaves the others.
    files : {"one", "several"}
        Whether documents belong together: one may be a classifier, a task or a resample.
    keys : tuple of str
        Names in a record of JSON, or in the first of a list of records.
    columns : tuple of str
        Columns of a table.
    prefix : str
        What one of the other columns begins with.
    marks : tuple of bytes
        What stands in a file.
    test : callable or None
        Tells what the others leave open.
    """

    name: str
    read: Callable[[Sequence[Document], Request], ScoreTable]
    page: str
    golden: tuple[str, ...]
    files: str = "one"
    keys: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    prefix: str = ""
    marks: tuple[bytes, ...] = ()
    test: Callable[[Document], bool] | None = None

    def recognises(self, document: Document) -> bool:
        """Say whether a document is of this kind."""
        if not self._is_marked(document) or (self.keys and not _has_keys(document, self.keys)):
            return False
        names = document.columns if self.columns or self.prefix else ()
        if not {*self.columns} <= {*names}:
            return False
        if self.prefix and not any(name.startswith(self.prefix) for name in names):
            return False
        return self.test is None or self.test(document)

    def _is_marked(self, document: Document) -> bool:
        """Say whether names of JSON stand in the bytes, and other marks in their beginning."""
        if document.raw and not document.is_arrays:
            named = [f'"{key}"'.encode() for key in self.keys]
            named += [mark for mark in self.marks if mark.startswith(b'"')]
            if named and document.head[:1] not in (b"{", b"["):
                return False  # no JSON, so that the whole of a large table need not be searched
            heads = [mark for mark in self.marks if mark not in named]
            return all(mark in document.raw for mark in named) and all(
                mark in document.head for mark in heads
            )
        return not self.marks or document.value is not None


def _has_keys(document: Document, keys: tuple[str, ...]) -> bool:
    tree = document.tree
    first = tree[0] if isinstance(tree, list) and tree else tree
    return isinstance(first, Mapping) and {*keys} <= {*first}


def _is_list(document: Document, key: str) -> bool:
    return isinstance(document.tree[key], list)


def _is_instance(document: Document) -> bool:
    """Tell the report of one instance: its name, and whether it was resolved."""
    told = document.tree
    one = next(iter(told.values()), None) if isinstance(told, Mapping) and len(told) == 1 else None
    return isinstance(one, Mapping) and {"resolved", "patch_exists"} <= {*one}


def _is_comet(document: Document) -> bool:
    """Tell by the lists of segments, each with its translation and its COMET."""
    told = document.tree
    lists = list(told.values()) if isinstance(told, Mapping) else []
    return bool(lists) and all(
        isinstance(one, list) and one and isinstance(one[0], Mapping) and "COMET" in one[0]
        for one in lists
    )


def _is_lighteval(document: Document) -> bool:
    """Tell details by their columns of records."""
    return isinstance(document.sheet.frame["metric"].iloc[0], Mapping)


def _is_arena(document: Document) -> bool:
    """Tell votes by both models, or by the questions that one of two won."""
    return {"model_a", "model_b"} <= {*document.columns} or "question_id" in document.columns


_COFFEE = "Predictions/Coffee/testResample0.csv"
_SAMPLES = "samples_arc_easy_2026-01-05T10-11-12.131415.jsonl"


def _pair(pattern: str, *names: str) -> tuple[str, ...]:
    return tuple(pattern.format(name) for name in names or ("a", "b"))


# the first that recognises a document reads it: special formats stand before general ones
FORMATS = (
    Format(name="lm-eval samples", read=read_samples, page="lm-eval.md", files="several",
           golden=_pair(f"lm-eval/model-{{}}/{_SAMPLES}"), keys=("doc_id",)),
    Format(name="Inspect logs", read=read_inspect, page="logs.md", files="several",
           golden=_pair("inspect/model-{}.json"), test=is_inspect),
    Format(name="HELM instances", read=read_helm, page="logs.md", files="several",
           golden=_pair("helm/model={}/per_instance_stats.json"), keys=("instance_id", "stats")),
    Format(name="OpenAI evals", read=read_evals, page="logs.md", files="several",
           golden=_pair("openai-evals/gpt-{}.jsonl"), marks=(b'"event_id"',), test=is_evals),
    Format(name="DeepEval runs", read=read_deepeval, page="logs.md", files="several",
           golden=_pair("deepeval/model-{}.json"), marks=(b'"metrics',), test=is_deepeval),
    Format(name="promptfoo results", read=read_promptfoo, page="logs.md",
           golden=("promptfoo/results.csv",), test=is_promptfoo),
    Format(name="SWE-bench reports", read=read_swebench, page="boards.md", files="several",
           golden=_pair("boards/swebench-{}.json"), keys=("resolved_ids",),
           test=lambda document: _is_list(document, "resolved_ids")),
    Format(name="SWE-bench instances", read=read_instances, page="boards.md", files="several",
           golden=tuple(f"boards/run/{m}/{i}/report.json" for m in "ab" for i in "xyz"),
           marks=(b'"resolved"', b'"patch_exists"'), test=_is_instance),
    Format(name="tau-bench results", read=read_tau, page="boards.md", files="several",
           golden=_pair("boards/tau-{}.json"), keys=("task_id", "reward", "trial", "traj")),
    Format(name="LiveCodeBench results", read=read_livecode, page="boards.md", files="several",
           golden=_pair("boards/livecode-{}.json"), keys=("question_id", "graded_list")),
    Format(name="EvalPlus results", read=read_evalplus, page="boards.md", files="several",
           golden=_pair("boards/evalplus-{}.json"), keys=("eval",), marks=(b'"plus_status"',),
           test=lambda document: isinstance(document.tree["eval"], Mapping)),
    Format(name="AlpacaEval annotations", read=read_alpaca, page="boards.md",
           golden=("boards/alpaca.json",), keys=("generator_1", "generator_2", "preference")),
    Format(name="MT-bench judgements", read=read_pairs, page="boards.md",
           golden=("boards/pairs.jsonl",), keys=("model_1", "model_2", "g1_winner", "g2_winner")),
    Format(name="COMET scores", read=read_comet, page="boards.md", golden=("boards/comet.json",),
           marks=(b'"COMET"', b'"mt"'), test=_is_comet),
    Format(name="nnU-Net summaries", read=read_nnunet, page="boards.md", files="several",
           golden=_pair("boards/nnunet/{}/summary.json"), keys=("metric_per_case",),
           test=lambda document: _is_list(document, "metric_per_case")),
    Format(name="trec_eval output", read=read_trec, page="boards.md", files="several",
           golden=_pair("boards/trec-{}.eval"), test=is_trec),
    Format(name="evaluations of Stable-Baselines3", read=read_evaluations, page="boards.md",
           golden=tuple(f"boards/sb3/{m}/Pole-v1_{i}/evaluations.npz" for m in ("ppo", "a2c")
                        for i in (1, 2, 3)), files="several", keys=("timesteps", "results")),
    Format(name="tsml results", read=read_resamples, page="tsml-aeon.md", files="several",
           golden=_pair(f"tsml/{{}}/{_COFFEE}", "ROCKET", "1NN-DTW"), test=is_resample),
    Format(name="results of scikit-learn", read=read_results, page="scikit-learn.md",
           golden=("sklearn/cross-validate.json",), test=is_results),
    Format(name="Weka Experimenter results", read=read_weka, page="weka.md", files="several",
           golden=("weka/iris-5x2-j48.csv", "weka/nb.arff.gz"),
           columns=("Key_Dataset", "Key_Scheme")),
    Format(name="AutoML benchmark results", read=read_automl, page="automl.md", files="several",
           golden=("automl/results.csv", "automl/results.csv"),
           columns=("task", "framework", "fold")),
    Format(name="OpenML evaluations", read=read_openml, page="openml.md",
           golden=("openml/evaluations.csv",), columns=("flow_name", "data_name"), prefix="value"),
    Format(name="cv_results_ of scikit-learn", read=read_search, page="scikit-learn.md",
           golden=("sklearn/cv-results.csv",), columns=("params",), prefix="split", test=is_search),
    Format(name="MLflow runs", read=read_mlflow, page="mlflow.md", golden=("mlflow/runs.csv",),
           columns=("run_id",), prefix="metrics."),
    Format(name="samples of Inspect", read=read_samples_frame, page="logs.md",
           golden=("inspect/samples.csv",), prefix="score_",
           columns=("sample_id", "eval_id", "model", "id", "epoch")),
    Format(name="Optuna trials", read=read_trials, page="refused.md",
           golden=("refused/optuna.csv",), columns=("number", "state"), prefix="params_"),
    Format(name="rounds of boosting", read=read_boosting, page="refused.md",
           golden=("refused/xgb-cv.csv",), prefix="t", test=is_boosting),
    Format(name="training curves", read=read_curves, page="refused.md",
           golden=("refused/wandb-chart.csv",), marks=(b"__M",), test=is_curves),
    Format(name="tsml-eval table", read=read_evaluation, page="tsml-aeon.md",
           golden=("tsml-eval/accuracy_mean.csv",), columns=("Estimators:",)),
    Format(name="aeon reference results", read=read_reference, page="tsml-aeon.md",
           golden=_pair("aeon/{}_accuracy.csv", "HC2", "TSF"), columns=("0",),
           test=is_reference, files="several"),
    Format(name="lighteval details", read=read_lighteval, page="boards.md",
           golden=_pair("boards/lighteval/{}/1/details_x.parquet"), marks=(b"PAR1",),
           columns=("doc", "metric"), test=_is_lighteval, files="several"),
    Format(name="votes of an arena", read=read_arena, page="boards.md",
           golden=("boards/arena.csv",), columns=("winner",), test=_is_arena),
    Format(name="forecasts", read=read_forecasts, page="boards.md",
           golden=("boards/forecasts.csv",), columns=("unique_id", "ds", "cutoff", "y")),
    Format(name="tables", read=read_tables, page="tables.md", files="several",
           golden=("tables/long.csv", "tables/long.csv"), test=lambda document: document.is_table),
)  # fmt: skip
