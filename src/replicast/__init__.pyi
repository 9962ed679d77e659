"""The public names: what a type checker sees, and what the package loads on first use."""

from replicast import datasets as datasets
from replicast import learners as learners
from replicast.comparison.crossed import compare_seed_cases as compare_seed_cases
from replicast.comparison.finding import Finding as Finding
from replicast.comparison.many import bayesian_matrix as bayesian_matrix
from replicast.comparison.many import compare_many as compare_many
from replicast.comparison.measures import compare_measure as compare_measure
from replicast.comparison.pair import compare as compare
from replicast.comparison.pair import decide as decide
from replicast.comparison.records import Comparison as Comparison
from replicast.comparison.records import ManyComparison as ManyComparison
from replicast.comparison.records import Verdict as Verdict
from replicast.design import Cases as Cases
from replicast.design import CrossValidatedCases as CrossValidatedCases
from replicast.design import Datasets as Datasets
from replicast.design import Design as Design
from replicast.design import FiveByTwo as FiveByTwo
from replicast.design import Holdout as Holdout
from replicast.design import KFold as KFold
from replicast.design import RandomSplits as RandomSplits
from replicast.design import RepeatedKFold as RepeatedKFold
from replicast.design import Seeds as Seeds
from replicast.design import parse_design as parse_design
from replicast.effects import accuracy_difference as accuracy_difference
from replicast.effects import cliffs_delta as cliffs_delta
from replicast.effects import mean_difference as mean_difference
from replicast.effects import probability_of_superiority as probability_of_superiority
from replicast.effects import rank_biserial as rank_biserial
from replicast.effects import rank_effect as rank_effect
from replicast.effects import standardized_difference as standardized_difference
from replicast.errors import DegenerateScoresWarning as DegenerateScoresWarning
from replicast.errors import DesignMismatchError as DesignMismatchError
from replicast.errors import InvalidArgumentError as InvalidArgumentError
from replicast.errors import ReplicastError as ReplicastError
from replicast.experiment.evaluation import evaluate as evaluate
from replicast.experiment.retraining import TrainTest as TrainTest
from replicast.experiment.retraining import retraining_spread as retraining_spread
from replicast.inference.benchmarks import benchmarks_ttest as benchmarks_ttest
from replicast.inference.cases import case_flip as case_flip
from replicast.inference.cases import case_ttest as case_ttest
from replicast.inference.counts import mcnemar as mcnemar
from replicast.inference.cross_validated_cases import (
    corrected_case_ttest as corrected_case_ttest,
)
from replicast.inference.five_by_two import five_by_two_ftest as five_by_two_ftest
from replicast.inference.five_by_two import five_by_two_ttest as five_by_two_ttest
from replicast.inference.friedman import friedman_test as friedman_test
from replicast.inference.methods import METHODS as METHODS
from replicast.inference.methods import Method as Method
from replicast.inference.normality import NormalityCheck as NormalityCheck
from replicast.inference.normality import check_normality as check_normality
from replicast.inference.one_model import ScoreInterval as ScoreInterval
from replicast.inference.one_model import score_interval as score_interval
from replicast.inference.permutation import sign_flip_test as sign_flip_test
from replicast.inference.posterior import correlated_posterior as correlated_posterior
from replicast.inference.posterior import signed_rank_posterior as signed_rank_posterior
from replicast.inference.ranks import sign_test as sign_test
from replicast.inference.ranks import signed_rank as signed_rank
from replicast.inference.seeds import seeds_ttest as seeds_ttest
from replicast.inference.student import corrected_ttest as corrected_ttest
from replicast.inference.student import paired_ttest as paired_ttest
from replicast.inference.student import trimmed_ttest as trimmed_ttest
from replicast.judging.gate import gate as gate
from replicast.judging.judge import judge as judge
from replicast.judging.judge import judge_estimates as judge_estimates
from replicast.judging.ledger import Ledger as Ledger
from replicast.judging.monitor import Monitor as Monitor
from replicast.judging.records import Calibration as Calibration
from replicast.judging.records import Gate as Gate
from replicast.judging.records import JudgedEstimates as JudgedEstimates
from replicast.judging.records import Judgement as Judgement
from replicast.judging.records import Look as Look
from replicast.judging.records import Progress as Progress
from replicast.power_analysis import detectable_difference as detectable_difference
from replicast.power_analysis import observed_power as observed_power
from replicast.power_analysis import power as power
from replicast.power_analysis import power_curve as power_curve
from replicast.power_analysis import power_mcnemar as power_mcnemar
from replicast.power_analysis import sample_size as sample_size
from replicast.power_analysis import smallest_pvalue as smallest_pvalue
from replicast.presentation.assertion import assert_not_worse as assert_not_worse
from replicast.presentation.pictures.audit import plot_audit as plot_audit
from replicast.presentation.pictures.comparison import plot_differences as plot_differences
from replicast.presentation.pictures.comparison import plot_power as plot_power
from replicast.presentation.pictures.judging import plot_judgement as plot_judgement
from replicast.presentation.pictures.repeats import plot_repeats as plot_repeats
from replicast.presentation.pictures.replication import plot_plan as plot_plan
from replicast.presentation.pictures.replication import (
    plot_replication_curve as plot_replication_curve,
)
from replicast.presentation.pictures.replication import plot_two_experiments as plot_two_experiments
from replicast.presentation.pictures.standings import (
    plot_comparison_matrix as plot_comparison_matrix,
)
from replicast.presentation.pictures.standings import (
    plot_critical_difference as plot_critical_difference,
)
from replicast.presentation.words.audit import narrate_audit as narrate_audit
from replicast.presentation.words.comparison import narrate as narrate
from replicast.presentation.words.gating import narrate_gate as narrate_gate
from replicast.presentation.words.gating import narrate_look as narrate_look
from replicast.presentation.words.judging import narrate_calibration as narrate_calibration
from replicast.presentation.words.judging import narrate_judgement as narrate_judgement
from replicast.presentation.words.means import narrate_means as narrate_means
from replicast.presentation.words.measures import narrate_measure as narrate_measure
from replicast.presentation.words.replication import narrate_plan as narrate_plan
from replicast.presentation.words.replication import narrate_replication as narrate_replication
from replicast.presentation.words.standings import narrate_many as narrate_many
from replicast.reading.door import read_scores as read_scores
from replicast.replicability.measure import Experiment as Experiment
from replicast.replicability.measure import measure_replicability as measure_replicability
from replicast.replicability.procedures import PROCEDURES as PROCEDURES
from replicast.replicability.records import Replicability as Replicability
from replicast.replication.curves import replication_curve as replication_curve
from replicast.replication.curves import required_pvalue as required_pvalue
from replicast.replication.doors import replication_from_discordant as replication_from_discordant
from replicast.replication.doors import replication_from_pvalue as replication_from_pvalue
from replicast.replication.doors import replication_from_t as replication_from_t
from replicast.replication.doors import replication_from_wins as replication_from_wins
from replicast.replication.doors import replication_from_z as replication_from_z
from replicast.replication.means import MeansReplication as MeansReplication
from replicast.replication.means import replication_from_means as replication_from_means
from replicast.replication.planner import plan as plan
from replicast.replication.probability import empirical_replication as empirical_replication
from replicast.replication.probability import replication_probability as replication_probability
from replicast.replication.records import EmpiricalReplication as EmpiricalReplication
from replicast.replication.records import Plan as Plan
from replicast.replication.records import Replication as Replication
from replicast.replication.records import ReplicationCurve as ReplicationCurve
from replicast.replication.records import Spread as Spread
from replicast.results import Caution as Caution
from replicast.results import Effect as Effect
from replicast.results import Interval as Interval
from replicast.results import PosteriorResult as PosteriorResult
from replicast.results import Power as Power
from replicast.results import SignificanceResult as SignificanceResult
from replicast.scores.cases import PairedCases as PairedCases
from replicast.scores.pairs import PairedScores as PairedScores
from replicast.scores.predictions import PairedPredictions as PairedPredictions
from replicast.scores.tables import ScoreTable as ScoreTable
from replicast.studies.scenarios.marking import scenario as scenario

__version__: str
