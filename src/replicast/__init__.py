"""Compare classifiers: is A better, by how much, could the test have seen it, will it happen again?

Names are imported on first use, so that `import replicast` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "replicast.agreement": ("Replicability",),
    "replicast.comparison": ("Comparison", "Verdict", "compare", "decide"),
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
    "replicast.inference.student": (
        "corrected_ttest", "five_by_two_ftest", "five_by_two_ttest", "paired_ttest",
    ),
    "replicast.many": ("bayesian_matrix", "compare_many"),
    "replicast.normality": ("NormalityCheck", "check_normality"),
    "replicast.planning": (
        "observed_power", "power", "power_curve", "power_mcnemar",
    ),
    "replicast.presentation.audits": ("narrate_audit", "plot_audit"),
    "replicast.presentation.plots": ("plot_differences", "plot_power"),
    "replicast.presentation.rank_plots": ("plot_comparison_matrix", "plot_critical_difference"),
    "replicast.presentation.rank_wording": ("narrate_many",),
    "replicast.presentation.replication_plots": (
        "plot_plan", "plot_replication_curve", "plot_two_experiments",
    ),
    "replicast.presentation.wording": ("narrate", "narrate_plan", "narrate_replication"),
    "replicast.procedures": ("PROCEDURES",),
    "replicast.prospects": (
        "EmpiricalReplication", "Plan", "Replication", "ReplicationCurve", "Spread",
    ),
    "replicast.ranking": ("friedman_test",),
    "replicast.reading.recognition": ("read_scores",),
    "replicast.replicability": ("Experiment", "measure_replicability"),
    "replicast.replication.curves": ("replication_curve",),
    "replicast.replication.estimates": ("empirical_replication", "replication_probability"),
    "replicast.replication.outlook": ("plan",),
    "replicast.replication.summaries": (
        "replication_from_discordant", "replication_from_pvalue", "replication_from_t",
        "replication_from_wins", "replication_from_z", "required_pvalue",
    ),
    "replicast.results": (
        "Caution", "Effect", "Interval", "PosteriorResult", "Power", "SignificanceResult",
    ),
    "replicast.scores": ("PairedPredictions", "PairedScores", "ScoreTable"),
    "replicast.sizing": ("detectable_difference", "sample_size", "smallest_pvalue"),
    "replicast.standings": ("ManyComparison",),
}  # fmt: skip
_MODULES = ("datasets", "learners")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "METHODS",
    "PROCEDURES",
    "Caution",
    "Comparison",
    "Datasets",
    "DegenerateScoresWarning",
    "DesignMismatchError",
    "Effect",
    "EmpiricalReplication",
    "Experiment",
    "FiveByTwo",
    "Holdout",
    "Interval",
    "InvalidArgumentError",
    "KFold",
    "ManyComparison",
    "Method",
    "NormalityCheck",
    "PairedPredictions",
    "PairedScores",
    "Plan",
    "PosteriorResult",
    "Power",
    "RandomSplits",
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
    "mcnemar",
    "mean_difference",
    "measure_replicability",
    "narrate",
    "narrate_audit",
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
    return list(__all__)


if TYPE_CHECKING:
    from replicast.agreement import Replicability
    from replicast.comparison import Comparison, Verdict, compare, decide
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
    from replicast.inference.methods import METHODS, Method
    from replicast.inference.permutation import sign_flip_test
    from replicast.inference.posterior import correlated_posterior, signed_rank_posterior
    from replicast.inference.ranks import sign_test, signed_rank
    from replicast.inference.student import (
        corrected_ttest,
        five_by_two_ftest,
        five_by_two_ttest,
        paired_ttest,
    )
    from replicast.many import bayesian_matrix, compare_many
    from replicast.normality import NormalityCheck, check_normality
    from replicast.planning import observed_power, power, power_curve, power_mcnemar
    from replicast.presentation.audits import narrate_audit, plot_audit
    from replicast.presentation.plots import plot_differences, plot_power
    from replicast.presentation.rank_plots import plot_comparison_matrix, plot_critical_difference
    from replicast.presentation.rank_wording import narrate_many
    from replicast.presentation.replication_plots import (
        plot_plan,
        plot_replication_curve,
        plot_two_experiments,
    )
    from replicast.presentation.wording import narrate, narrate_plan, narrate_replication
    from replicast.procedures import PROCEDURES
    from replicast.prospects import (
        EmpiricalReplication,
        Plan,
        Replication,
        ReplicationCurve,
        Spread,
    )
    from replicast.ranking import friedman_test
    from replicast.reading.recognition import read_scores
    from replicast.replicability import Experiment, measure_replicability
    from replicast.replication.curves import replication_curve
    from replicast.replication.estimates import empirical_replication, replication_probability
    from replicast.replication.outlook import plan
    from replicast.replication.summaries import (
        replication_from_discordant,
        replication_from_pvalue,
        replication_from_t,
        replication_from_wins,
        replication_from_z,
        required_pvalue,
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
    from replicast.sizing import detectable_difference, sample_size, smallest_pvalue
    from replicast.standings import ManyComparison
