"""Learners with exact fast cross-validation, and the classifiers of the papers.

`C45Classifier`, `MixedNaiveBayes` and `NearestNeighbour` are scikit-learn classifiers for tables of
numeric and nominal columns with missing values; their predictions equal Weka's. `CartClassifier` is
scikit-learn's tree with ties broken the same way every time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "C45Classifier": "replicast.learners.c45",
    "CartClassifier": "replicast.learners.cart",
    "MixedNaiveBayes": "replicast.learners.mixed_bayes",
    "NearestNeighbour": "replicast.learners.nearest",
}

__all__ = ["C45Classifier", "CartClassifier", "MixedNaiveBayes", "NearestNeighbour"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'replicast.learners' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


if TYPE_CHECKING:
    from replicast.learners.c45 import C45Classifier
    from replicast.learners.cart import CartClassifier
    from replicast.learners.mixed_bayes import MixedNaiveBayes
    from replicast.learners.nearest import NearestNeighbour
