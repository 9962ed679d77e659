"""One row a format: how it is recognised, read and documented."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replicast.reading.documents import Document
from replicast.reading.formats import (
    agents,
    automl,
    forecasts,
    mlflow,
    openml,
    scikit_learn,
    searches,
    totals,
    tsml,
    weka,
)
from replicast.reading.formats.logs import boards, inspect, lm_eval, programs, segments, votes
from replicast.reading.formats.logs.samples import Parse, Read, log_reader
from replicast.reading.formats.tables.reader import read_tables
from replicast.reading.requests import Manner


@dataclass(frozen=True)
class Format:
    """A kind of file that is read, or refused for a reason of its own.

    A document is of this kind if all that is told here is true of it; nothing goes by its name.
    """

    name: str  # what the files are called in sentences
    page: str  # below docs/formats
    read: Read  # makes a table of one document, or of several that belong together
    files: str = "one"  # or "several": one may be a classifier, a task or a resample
    keys: tuple[str, ...] = ()  # names in a record of JSON, or in the first of a list of records
    columns: tuple[str, ...] = ()  # of a table
    prefix: str = ""  # what one of the other columns begins with
    test: Callable[[Document], bool] | None = None  # tells what the others leave open

    def recognises(self, document: Document) -> bool:
        """Say whether a document is of this kind."""
        if self.keys and not {*self.keys} <= {*_first_record(document)}:
            return False
        names = document.columns if self.columns or self.prefix else ()
        if not {*self.columns} <= {*names}:
            return False
        if self.prefix and not any(name.startswith(self.prefix) for name in names):
            return False
        return self.test is None or self.test(document)


def _first_record(document: Document) -> Mapping[str, Any]:
    tree = document.tree
    first = tree[0] if isinstance(tree, list) and tree else tree
    return first if isinstance(first, Mapping) else {}


def _log(
    name: str,
    page: str,
    parse: Parse,
    usual: Sequence[str] = (),
    convention: str = "",
    notes: tuple[str, ...] = (),
    **told: Any,
) -> Format:
    """Return the row of a log: of its scores the first of `usual` is read if none is asked for."""
    manner = Manner(kind=name, convention=convention, notes=notes)
    return Format(name, page, log_reader(parse, manner, usual), **told)


_SOLVED = "1 is a task that was solved"
_WON = "1 is a vote won, 0.5 a draw"
_PLUS = "A solution counts if it passes the base and the further tests (`metric=base`)."

# the first that recognises a document reads it: special formats stand before general ones
FORMATS = (
    _log("lm-eval samples", "lm-eval.md", lm_eval.lm_eval, ("acc", "exact_match"),
         files="several", keys=("doc_id",)),
    _log("Inspect logs", "logs.md", inspect.inspect_log, files="several", test=inspect.is_inspect),
    _log("HELM instances", "logs.md", programs.helm, files="several",
         keys=("instance_id", "stats")),
    _log("OpenAI evals", "logs.md", programs.evals, ("correct",), files="several",
         test=programs.is_evals),
    Format("DeepEval runs", "logs.md", programs.read_deepeval, "several",
           test=programs.is_deepeval),
    _log("promptfoo results", "logs.md", programs.promptfoo, ("success", "score"),
         "promptfoo's scores: 1 is a pass", test=programs.is_promptfoo),
    _log("SWE-bench reports", "boards.md", boards.swebench, convention=_SOLVED, files="several",
         keys=("resolved_ids",)),
    _log("SWE-bench instances", "boards.md", boards.instance, convention=_SOLVED,
         files="several", test=boards.is_instance),
    _log("tau-bench results", "boards.md", boards.tau, convention=_SOLVED, files="several",
         keys=("task_id", "reward", "trial", "traj")),
    _log("LiveCodeBench results", "boards.md", boards.livecode, convention=_SOLVED,
         files="several", keys=("question_id", "graded_list")),
    _log("EvalPlus results", "boards.md", boards.evalplus, ("plus",), _SOLVED, (_PLUS,),
         files="several", keys=("eval",), test=boards.is_evalplus),
    _log("AlpacaEval annotations", "boards.md", votes.alpaca, convention=_WON,
         keys=("generator_1", "generator_2", "preference")),
    _log("MT-bench judgements", "boards.md", votes.pairs, convention=_WON,
         keys=("model_1", "model_2", "g1_winner", "g2_winner")),
    _log("COMET scores", "boards.md", segments.comet, test=segments.is_comet),
    Format("nnU-Net summaries", "boards.md", segments.read_nnunet, "several",
           keys=("metric_per_case",)),
    _log("trec_eval output", "boards.md", segments.trec, files="several", test=segments.is_trec),
    Format("lm-eval results", "lm-eval.md", totals.read_lm_eval, "several",
           keys=("results", "configs", "versions")),
    Format("lighteval results", "boards.md", totals.read_lm_eval, "several",
           keys=("results", "config_general")),
    Format("MTEB results", "boards.md", totals.read_mteb, "several",
           keys=("task_name", "scores", "mteb_version")),
    Format("evaluations of Stable-Baselines3", "boards.md", agents.read_evaluations, "several",
           keys=("timesteps", "results")),
    Format("tsml results", "tsml-aeon.md", tsml.read_resamples, "several", test=tsml.is_resample),
    Format("results of scikit-learn", "scikit-learn.md", scikit_learn.read_results,
           test=scikit_learn.is_results),
    Format("Weka Experimenter results", "weka.md", weka.read_weka, "several",
           columns=("Key_Dataset", "Key_Scheme")),
    Format("AutoML benchmark results", "automl.md", automl.read_automl, "several",
           columns=("task", "framework", "fold")),
    Format("OpenML evaluations", "openml.md", openml.read_openml, prefix="value",
           columns=("flow_name", "data_name")),
    Format("cv_results_ of scikit-learn", "scikit-learn.md", scikit_learn.read_search,
           columns=("params",), prefix="split", test=scikit_learn.is_search),
    Format("MLflow runs", "mlflow.md", mlflow.read_mlflow, columns=("run_id",), prefix="metrics."),
    _log("samples of Inspect", "logs.md", inspect.samples_frame, prefix="score_",
         columns=("sample_id", "eval_id", "model", "id", "epoch")),
    Format("Optuna trials", "refused.md", searches.read_trials, prefix="params_",
           columns=("number", "state")),
    Format("rounds of boosting", "refused.md", searches.read_boosting,
           prefix="t", test=searches.is_boosting),
    Format("training curves", "refused.md", searches.read_curves, test=searches.is_curves),
    Format("tsml-eval table", "tsml-aeon.md", tsml.read_evaluation, columns=("Estimators:",)),
    Format("aeon reference results", "tsml-aeon.md", tsml.read_reference, "several",
           columns=("0",), test=tsml.is_reference),
    _log("lighteval details", "boards.md", boards.lighteval, files="several",
         columns=("doc", "metric"), test=boards.is_lighteval),
    _log("votes of an arena", "boards.md", votes.arena, convention=_WON, columns=("winner",),
         test=votes.is_arena),
    Format("forecasts", "boards.md", forecasts.read_forecasts,
           columns=("unique_id", "ds", "cutoff", "y")),
    Format("tables", "tables.md", read_tables, "several", test=lambda document: document.is_table),
)  # fmt: skip
