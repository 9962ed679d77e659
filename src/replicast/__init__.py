"""Compare classifiers: is A better, by how much, could the test have seen it, will it happen again?

Names are imported on first use, so that `import replicast` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "replicast.replicability.records": ("Replicability",),
    "replicast.comparison.pair": ("compare", "decide"),
    "replicast.comparison.records": ("Comparison", "ManyComparison", "Verdict"),
    "replicast.design": (
        "Datasets", "FiveByTwo", "Holdout", "KFold", "RandomSplits", "RepeatedKFold",
        "parse_design",
    ),
    "replicast.effects": (
        "accuracy_difference", "cliffs_delta", "mean_difference", "probability_of_superiority",
        "rank_biserial", "rank_effect", "standardized_difference",
    ),
    "replicast.errors": (
        "DegenerateScoresWarning", "DesignMismatchError", "InvalidArgumentError", "ReplicastError",
    ),
    "replicast.experiment.evaluation": ("evaluate",),
    "replicast.experiment.retraining": ("TrainTest", "retraining_spread"),
    "replicast.inference.counts": ("mcnemar",),
    "replicast.inference.methods": ("METHODS", "Method"),
    "replicast.inference.permutation": ("sign_flip_test",),
    "replicast.inference.posterior": ("correlated_posterior", "signed_rank_posterior"),
    "replicast.inference.ranks": ("sign_test", "signed_rank"),
    "replicast.inference.five_by_two": ("five_by_two_ftest", "five_by_two_ttest"),
    "replicast.inference.student": ("corrected_ttest", "paired_ttest", "trimmed_ttest"),
    "replicast.comparison.many": ("bayesian_matrix", "compare_many"),
    "replicast.inference.normality": ("NormalityCheck", "check_normality"),
    "replicast.judging.gate": ("gate",),
    "replicast.judging.judge": ("judge", "judge_estimates",),
    "replicast.judging.ledger": ("Calibration", "Ledger",),
    "replicast.judging.monitor": ("Monitor",),
    "replicast.judging.records": ("Gate", "JudgedEstimates", "Judgement", "Look", "Progress",),
    "replicast.judging.registered": ("RegisteredPlan",),
    "replicast.presentation.words.gating": ("narrate_gate", "narrate_look"),
    "replicast.presentation.words.judging": ("narrate_calibration", "narrate_judgement"),
    "replicast.presentation.assertion": ("assert_not_worse",),
    "replicast.presentation.pictures.judging": ("plot_judgement",),
    "replicast.power_analysis": (
        "detectable_difference", "observed_power", "power", "power_curve", "power_mcnemar",
        "sample_size", "smallest_pvalue",
    ),
    "replicast.presentation.words.audit": ("narrate_audit",),
    "replicast.presentation.pictures.audit": ("plot_audit",),
    "replicast.presentation.pictures.comparison": ("plot_differences", "plot_power"),
    "replicast.presentation.pictures.standings": ("plot_comparison_matrix", "plot_critical_difference"),
    "replicast.presentation.words.standings": ("narrate_many",),
    "replicast.presentation.pictures.replication": (
        "plot_plan", "plot_replication_curve", "plot_two_experiments",
    ),
    "replicast.presentation.words.comparison": ("narrate", "narrate_plan", "narrate_replication"),
    "replicast.replicability.procedures": ("PROCEDURES",),
    "replicast.replication.records": (
        "EmpiricalReplication", "Plan", "Replication", "ReplicationCurve", "Spread",
    ),
    "replicast.inference.friedman": ("friedman_test",),
    "replicast.reading.door": ("read_scores",),
    "replicast.replicability.measure": ("Experiment", "measure_replicability"),
    "replicast.replication.curves": ("replication_curve", "required_pvalue"),
    "replicast.replication.probability": ("empirical_replication", "replication_probability"),
    "replicast.replication.planner": ("plan",),
    "replicast.replication.reported": (
        "replication_from_discordant", "replication_from_pvalue", "replication_from_t",
        "replication_from_wins", "replication_from_z",
    ),
    "replicast.results": (
        "Caution", "Effect", "Interval", "PosteriorResult", "Power", "SignificanceResult",
    ),
    "replicast.scores": ("PairedPredictions", "PairedScores", "ScoreTable"),
}  # fmt: skip
_MODULES = ("datasets", "learners")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "METHODS",
    "PROCEDURES",
    "Calibration",
    "Caution",
    "Comparison",
    "Datasets",
    "DegenerateScoresWarning",
    "DesignMismatchError",
    "Effect",
    "EmpiricalReplication",
    "Experiment",
    "FiveByTwo",
    "Gate",
    "Holdout",
    "Interval",
    "InvalidArgumentError",
    "JudgedEstimates",
    "Judgement",
    "KFold",
    "Ledger",
    "Look",
    "ManyComparison",
    "Method",
    "Monitor",
    "NormalityCheck",
    "PairedPredictions",
    "PairedScores",
    "Plan",
    "PosteriorResult",
    "Power",
    "Progress",
    "RandomSplits",
    "RegisteredPlan",
    "RepeatedKFold",
    "Replicability",
    "ReplicastError",
    "Replication",
    "ReplicationCurve",
    "ScoreTable",
    "SignificanceResult",
    "Spread",
    "TrainTest",
    "Verdict",
    "__version__",
    "accuracy_difference",
    "assert_not_worse",
    "bayesian_matrix",
    "check_normality",
    "cliffs_delta",
    "compare",
    "compare_many",
    "corrected_ttest",
    "correlated_posterior",
    "decide",
    "detectable_difference",
    "empirical_replication",
    "evaluate",
    "five_by_two_ftest",
    "five_by_two_ttest",
    "friedman_test",
    "gate",
    "judge",
    "judge_estimates",
    "mcnemar",
    "mean_difference",
    "measure_replicability",
    "narrate",
    "narrate_audit",
    "narrate_calibration",
    "narrate_gate",
    "narrate_judgement",
    "narrate_look",
    "narrate_many",
    "narrate_plan",
    "narrate_replication",
    "observed_power",
    "paired_ttest",
    "parse_design",
    "plan",
    "plot_audit",
    "plot_comparison_matrix",
    "plot_critical_difference",
    "plot_differences",
    "plot_judgement",
    "plot_plan",
    "plot_power",
    "plot_replication_curve",
    "plot_two_experiments",
    "power",
    "power_curve",
    "power_mcnemar",
    "probability_of_superiority",
    "rank_biserial",
    "rank_effect",
    "read_scores",
    "replication_curve",
    "replication_from_discordant",
    "replication_from_pvalue",
    "replication_from_t",
    "replication_from_wins",
    "replication_from_z",
    "replication_probability",
    "required_pvalue",
    "retraining_spread",
    "sample_size",
    "sign_flip_test",
    "sign_test",
    "signed_rank",
    "signed_rank_posterior",
    "smallest_pvalue",
    "standardized_difference",
    "trimmed_ttest",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"replicast.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'replicast' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, *_MODULES]


if TYPE_CHECKING:
    from replicast import datasets as datasets
    from replicast import learners as learners
    from replicast.comparison.many import bayesian_matrix, compare_many
    from replicast.comparison.pair import compare, decide
    from replicast.comparison.records import Comparison, ManyComparison, Verdict
    from replicast.design import (
        Datasets,
        FiveByTwo,
        Holdout,
        KFold,
        RandomSplits,
        RepeatedKFold,
        parse_design,
    )
    from replicast.effects import (
        accuracy_difference,
        cliffs_delta,
        mean_difference,
        probability_of_superiority,
        rank_biserial,
        rank_effect,
        standardized_difference,
    )
    from replicast.errors import (
        DegenerateScoresWarning,
        DesignMismatchError,
        InvalidArgumentError,
        ReplicastError,
    )
    from replicast.experiment.evaluation import evaluate
    from replicast.experiment.retraining import TrainTest, retraining_spread
    from replicast.inference.counts import mcnemar
    from replicast.inference.five_by_two import five_by_two_ftest, five_by_two_ttest
    from replicast.inference.friedman import friedman_test
    from replicast.inference.methods import METHODS, Method
    from replicast.inference.normality import NormalityCheck, check_normality
    from replicast.inference.permutation import sign_flip_test
    from replicast.inference.posterior import correlated_posterior, signed_rank_posterior
    from replicast.inference.ranks import sign_test, signed_rank
    from replicast.inference.student import corrected_ttest, paired_ttest, trimmed_ttest
    from replicast.judging.gate import gate
    from replicast.judging.judge import judge, judge_estimates
    from replicast.judging.ledger import Calibration, Ledger
    from replicast.judging.monitor import Monitor
    from replicast.judging.records import Gate, JudgedEstimates, Judgement, Look, Progress
    from replicast.judging.registered import RegisteredPlan
    from replicast.power_analysis import (
        detectable_difference,
        observed_power,
        power,
        power_curve,
        power_mcnemar,
        sample_size,
        smallest_pvalue,
    )
    from replicast.presentation.assertion import assert_not_worse
    from replicast.presentation.pictures.audit import plot_audit
    from replicast.presentation.pictures.comparison import plot_differences, plot_power
    from replicast.presentation.pictures.judging import plot_judgement
    from replicast.presentation.pictures.replication import (
        plot_plan,
        plot_replication_curve,
        plot_two_experiments,
    )
    from replicast.presentation.pictures.standings import (
        plot_comparison_matrix,
        plot_critical_difference,
    )
    from replicast.presentation.words.audit import narrate_audit
    from replicast.presentation.words.comparison import narrate, narrate_plan, narrate_replication
    from replicast.presentation.words.gating import narrate_gate, narrate_look
    from replicast.presentation.words.judging import narrate_calibration, narrate_judgement
    from replicast.presentation.words.standings import narrate_many
    from replicast.reading.door import read_scores
    from replicast.replicability.measure import Experiment, measure_replicability
    from replicast.replicability.procedures import PROCEDURES
    from replicast.replicability.records import Replicability
    from replicast.replication.curves import replication_curve, required_pvalue
    from replicast.replication.planner import plan
    from replicast.replication.probability import empirical_replication, replication_probability
    from replicast.replication.records import (
        EmpiricalReplication,
        Plan,
        Replication,
        ReplicationCurve,
        Spread,
    )
    from replicast.replication.reported import (
        replication_from_discordant,
        replication_from_pvalue,
        replication_from_t,
        replication_from_wins,
        replication_from_z,
    )
    from replicast.results import (
        Caution,
        Effect,
        Interval,
        PosteriorResult,
        Power,
        SignificanceResult,
    )
    from replicast.scores import PairedPredictions, PairedScores, ScoreTable
