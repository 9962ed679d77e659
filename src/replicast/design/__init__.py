"""How the scores of an experiment arose: kinds of design, how they grow and are spelt."""

from replicast.design.axes import AXES as AXES
from replicast.design.axes import Axis as Axis
from replicast.design.axes import Growth as Growth
from replicast.design.base import Design as Design
from replicast.design.base import require_count as require_count
from replicast.design.kinds import Cases as Cases
from replicast.design.kinds import CrossValidatedCases as CrossValidatedCases
from replicast.design.kinds import CrossValidation as CrossValidation
from replicast.design.kinds import Datasets as Datasets
from replicast.design.kinds import FiveByTwo as FiveByTwo
from replicast.design.kinds import Holdout as Holdout
from replicast.design.kinds import KFold as KFold
from replicast.design.kinds import RandomSplits as RandomSplits
from replicast.design.kinds import RepeatedKFold as RepeatedKFold
from replicast.design.seeded import Seeds as Seeds
from replicast.design.spelling import DESIGNS as DESIGNS
from replicast.design.spelling import DesignLike as DesignLike
from replicast.design.spelling import Splitter as Splitter
from replicast.design.spelling import cross_validation as cross_validation
from replicast.design.spelling import format_design as format_design
from replicast.design.spelling import parse_design as parse_design
from replicast.design.spelling import require_design as require_design
from replicast.design.spelling import require_paired_design as require_paired_design
from replicast.design.spelling import run_shape as run_shape
