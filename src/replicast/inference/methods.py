"""The table of all tests; what is known about each stands in the module of its family."""

from collections.abc import Mapping
from types import MappingProxyType

from replicast.design import Design
from replicast.errors import require_choice
from replicast.inference import (
    cases,
    counts,
    cross_validated_cases,
    five_by_two,
    permutation,
    posterior,
    ranks,
    seeds,
    student,
)
from replicast.inference.traits import Method
from replicast.results import PosteriorResult, SignificanceResult

__all__ = ["METHODS", "Evidence", "Method", "choose_method", "default_method"]

Evidence = SignificanceResult | PosteriorResult

METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for family in (
            student,
            five_by_two,
            ranks,
            permutation,
            counts,
            cases,
            cross_validated_cases,
            posterior,
            seeds,
        )
        for method in family.TESTS
    }
)


def choose_method(design: Design, method: str | None = None) -> Method:
    """Return the test that was named, or the one recommended for a design."""
    name = default_method(design) if method is None else method
    return METHODS[require_choice(name, "method", tuple(METHODS))]


def default_method(design: Design) -> str:
    """Return the test recommended for a design; the scores themselves have no say in it."""
    return next(name for name, one in METHODS.items() if one.is_default_for(design))
