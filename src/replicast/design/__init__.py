"""How the scores of an experiment arose: kinds of design, how they grow and are spelt."""

from replicast.design.axes import AXES, Axis, Growth
from replicast.design.base import Design, require_count
from replicast.design.kinds import (
    Cases,
    CrossValidatedCases,
    CrossValidation,
    Datasets,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
)
from replicast.design.seeded import Seeds
from replicast.design.spelling import (
    DESIGNS,
    DesignLike,
    Splitter,
    cross_validation,
    describe_design,
    describe_repeat,
    format_design,
    parse_design,
    require_design,
    run_shape,
    with_count,
)

__all__ = [
    "AXES",
    "DESIGNS",
    "Axis",
    "Cases",
    "CrossValidatedCases",
    "CrossValidation",
    "Datasets",
    "Design",
    "DesignLike",
    "FiveByTwo",
    "Growth",
    "Holdout",
    "KFold",
    "RandomSplits",
    "RepeatedKFold",
    "Seeds",
    "Splitter",
    "cross_validation",
    "describe_design",
    "describe_repeat",
    "format_design",
    "parse_design",
    "require_count",
    "require_design",
    "run_shape",
    "with_count",
]
