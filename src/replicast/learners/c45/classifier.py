"""C4.5 decision trees as Weka's J48 grows and prunes them."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from replicast.arrays import Codes, Floats, Ints
from replicast.errors import invalid, require_probability
from replicast.kernels.compiled import compiled
from replicast.learners.c45.arithmetic import ErrorLimits, error_limits, xlogx_table
from replicast.learners.c45.bits import BitCases, bit_cases, grow_bits
from replicast.learners.c45.growth import collapse, grow
from replicast.learners.c45.pruning import prune
from replicast.learners.c45.tree import (
    LEAF,
    Tree,
    distributions,
    predicted_class,
    predicted_classes,
    without_dead_nodes,
)
from replicast.learners.mixed.cases import Cases, prepared_cases
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.protocol import UNUSED, no_answers

Settings = tuple[int, bool, bool, ErrorLimits, Floats]


class C45Classifier(MixedClassifier):
    """A C4.5 tree: multiway nominal splits, gain ratio, error-based pruning.

    Predictions equal those of Weka's J48 with the same settings.

    Parameters
    ----------
    confidence : float
        Confidence of the error limit used in pruning; smaller prunes more.
    min_cases : int
        Least weight in at least two branches of a split.
    prune : bool
        Whether to prune at all.
    subtree_raising : bool
        Whether pruning may replace a node by its largest branch.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"] * 3})
    >>> print(C45Classifier().fit(frame, ["go", "go", "stay", "stay"] * 3).export_text())
    sky = rain: stay (6.0)
    sky = sun: go (6.0)
    """

    def __init__(
        self,
        *,
        confidence: float = 0.25,
        min_cases: int = 2,
        prune: bool = True,
        subtree_raising: bool = True,
    ) -> None:
        self.confidence = confidence
        self.min_cases = min_cases
        self.prune = prune
        self.subtree_raising = subtree_raising

    @property
    def n_nodes_(self) -> int:
        """Return the number of nodes, leaves included."""
        check_is_fitted(self)
        return len(self.tree_.feature)

    @property
    def n_leaves_(self) -> int:
        """Return the number of leaves, those that no training row reached included."""
        check_is_fitted(self)
        return int((self.tree_.feature == LEAF).sum())

    def export_text(self) -> str:
        """Write the tree, one branch a line, with weight and errors at the leaves."""
        check_is_fitted(self)
        return "\n".join(_lines(self.tree_, self.table_, self.classes_, 0, 0))

    def _settings(self, n_rows: int) -> Settings:
        limits = error_limits(float(self.confidence), n_rows)
        raising = bool(self.subtree_raising)
        return int(self.min_cases), bool(self.prune), raising, limits, xlogx_table(n_rows)

    def _check_parameters(self) -> None:
        require_probability(self.confidence, "confidence")
        least: object = self.min_cases
        if not isinstance(least, int | np.integer) or least < 1:
            raise invalid("min_cases", "an integer of at least 1", least)

    def _learn(self, table: MixedTable, y: Ints, n_classes: int) -> None:
        cases = prepared_cases(table.columns, table.n_categories, table.order, y, n_classes)
        bits = bit_cases(cases, n_classes)
        tree = _grown(cases, bits, np.arange(len(y)), n_classes, self._settings(len(y)))
        self.tree_ = without_dead_nodes(tree)

    def _distributions(self, table: MixedTable) -> Floats:
        return distributions(self.tree_, table.columns, table.n_categories)

    def _chosen(self, distributions: Floats) -> Ints:
        return _chosen(distributions)

    def _predict_folds(self, table: MixedTable, y: Ints, folds: Codes, n_classes: int) -> Codes:
        self._check_parameters()
        result = no_answers(folds)
        _predict_folds(
            table.columns, table.n_categories, table.order, y, folds, n_classes,
            self._settings(len(table)), result,
        )  # fmt: skip
        return result

    def _fit_predict(
        self, table: MixedTable, y: Ints, test_table: MixedTable, n_classes: int
    ) -> Codes:
        self._check_parameters()
        return _fit_predict(
            table.columns, table.n_categories, table.order, y, test_table.columns, n_classes,
            self._settings(len(table)),
        )  # fmt: skip


@compiled
def _grown(
    cases: Cases, bits: BitCases, training: Ints, n_classes: int, settings: Settings
) -> Tree:
    min_cases, pruned, raising, limits, xlog = settings
    if len(bits.of_class) > 0:
        tree, rows = grow_bits(bits, cases.n_categories, training, n_classes, min_cases, xlog)
    else:
        tree = grow(cases, training, n_classes, min_cases, xlog)
        rows = np.empty((0, 0), dtype=np.uint64)
    collapse(tree)
    if pruned:
        prune(tree, cases, bits, rows, training, limits, raising)
    return tree


@compiled
def _chosen(distributions: Floats) -> Ints:
    result = np.empty(len(distributions), dtype=np.int64)
    for i in range(len(distributions)):
        result[i] = predicted_class(distributions[i])
    return result


@compiled
def _fit_predict(
    columns: Floats,
    n_categories: Ints,
    order: Ints,
    y: Ints,
    test_columns: Floats,
    n_classes: int,
    settings: Settings,
) -> Codes:
    cases = prepared_cases(columns, n_categories, order, y, n_classes)
    bits = bit_cases(cases, n_classes)
    tree = _grown(cases, bits, np.arange(len(y)), n_classes, settings)
    n_test = test_columns.shape[1]
    result = np.empty(n_test, dtype=np.int16)
    predicted_classes(tree, test_columns, n_categories, np.arange(n_test), result)
    return result


@compiled
def _predict_folds(
    columns: Floats,
    n_categories: Ints,
    order: Ints,
    y: Ints,
    folds: Codes,
    n_classes: int,
    settings: Settings,
    result: Codes,
) -> None:
    cases = prepared_cases(columns, n_categories, order, y, n_classes)
    bits = bit_cases(cases, n_classes)
    for run in range(len(folds)):
        for fold in range(folds[run].max() + 1):
            tested = np.flatnonzero(folds[run] == fold)
            if len(tested) == 0:
                continue
            training = np.flatnonzero((folds[run] != fold) & (folds[run] != UNUSED))
            tree = _grown(cases, bits, training, n_classes, settings)
            predicted_classes(tree, columns, n_categories, tested, result[run])


def _lines(
    tree: Tree, table: MixedTable, classes: NDArray[np.generic], node: int, depth: int
) -> list[str]:
    if tree.feature[node] == LEAF:
        return [_answer(tree, classes, node).removeprefix(": ")]
    lines = []
    feature = int(tree.feature[node])
    name = feature if table.names is None else table.names[feature]
    declared = table.categories[feature]
    for branch in range(tree.n_branches[node]):
        child = int(tree.first_child[node]) + branch
        if declared is None:
            test = f"{'<=' if branch == 0 else '>'} {tree.cut[node]:.12g}"
        else:
            test = f"= {declared[branch]}"
        line = f"{'|   ' * depth}{name} {test}"
        if tree.feature[child] == LEAF:
            lines.append(line + _answer(tree, classes, child))
        else:
            lines += [line, *_lines(tree, table, classes, child, depth + 1)]
    return lines


def _answer(tree: Tree, classes: NDArray[np.generic], node: int) -> str:
    counts = tree.counts[node]
    label = classes[predicted_class(counts)]
    wrong = counts.sum() - counts.max()
    shown = f"{counts.sum():.1f}" + (f"/{wrong:.1f}" if wrong >= 0.05 else "")
    return f": {label} ({shown})"
