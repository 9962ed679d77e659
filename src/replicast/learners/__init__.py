"""Learners with exact fast cross-validation, and the classifiers of the papers.

`C45Classifier`, `MixedNaiveBayes` and `NearestNeighbour` are scikit-learn classifiers for tables of
numeric and nominal columns with missing values; their predictions equal Weka's. `CartClassifier` is
scikit-learn's tree with ties broken the same way every time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "C45Classifier": "replicast.learners.c45.classifier",
    "CartClassifier": "replicast.learners.trees.cart",
    "MixedNaiveBayes": "replicast.learners.bayes.mixed",
    "NearestNeighbour": "replicast.learners.neighbours.mixed",
}

__all__ = ["C45Classifier", "CartClassifier", "MixedNaiveBayes", "NearestNeighbour"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'replicast.learners' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


if TYPE_CHECKING:
    from replicast.learners.bayes.mixed import MixedNaiveBayes
    from replicast.learners.c45.classifier import C45Classifier
    from replicast.learners.neighbours.mixed import NearestNeighbour
    from replicast.learners.trees.cart import CartClassifier
