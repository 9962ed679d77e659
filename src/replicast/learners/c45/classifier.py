"""C4.5 decision trees as Weka's J48 grows and prunes them."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from replicast.arrays import Codes, Floats, Ints
from replicast.errors import invalid, require_probability
from replicast.learners.c45.arithmetic import error_limits, xlogx_table
from replicast.learners.c45.growth import NO_ROOM, collapse, empty_ground, grow
from replicast.learners.c45.pruning import empty_stack, prune
from replicast.learners.c45.tree import (
    LEAF,
    Tree,
    distributions,
    empty_trees,
    most_probable,
    without_dead_nodes,
)
from replicast.learners.mixed.cases import prepared_cases
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.protocol import TRAIN_ONLY, no_answers


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

    def _check_parameters(self) -> None:
        require_probability(self.confidence, "confidence")
        least: object = self.min_cases
        if not isinstance(least, int | np.integer) or least < 1:
            raise invalid("min_cases", "an integer of at least 1", least)

    def _learn(self, table: MixedTable, y: Ints, n_classes: int) -> None:
        grown = _Growing(self, table, y, n_classes)
        grown.grow(np.full(len(y), TRAIN_ONLY, np.int16))  # of which nothing is left out
        self.tree_ = without_dead_nodes(grown.trees, 0)

    def _distributions(self, table: MixedTable) -> Floats:
        n_nodes = len(self.tree_.feature)
        roots, tested = np.zeros(1, np.int64), np.zeros(len(table), np.int16)
        return distributions(self.tree_, n_nodes, roots, table.columns, table.n_categories, tested)

    def _chosen(self, distributions: Floats) -> Ints:
        return most_probable(distributions)

    def predict_folds(self, X: MixedTable, y_codes: Ints, folds: Codes, n_classes: int) -> Codes:
        """Predict each row without its fold, as `protocol.FoldLearner` says; nothing is fitted."""
        self._check_parameters()
        result = no_answers(folds)
        growing = _Growing(self, X, y_codes, n_classes)
        for codes, answers in zip(folds, result, strict=True):
            growing.grow(codes)
            found = most_probable(
                distributions(
                    growing.trees, growing.n_nodes, growing.roots, X.columns, X.n_categories, codes
                )
            )
            answers[codes >= 0] = found[codes >= 0]
        return result


class _Growing:
    """Tree for the folds of one run after the other, on ground that is enlarged when needed."""

    def __init__(self, learner: C45Classifier, table: MixedTable, y: Ints, n_classes: int) -> None:
        self.learner, self.n_classes = learner, n_classes
        self.cases = prepared_cases(table, y, n_classes)
        self.limits = error_limits(float(learner.confidence), len(y))
        self.xlog = xlogx_table(len(y))
        self.n_nodes = 0
        self._lay_out(1 << 14, 64 * len(y))

    def _lay_out(self, capacity: int, room: int) -> None:
        self.trees = empty_trees(capacity, self.n_classes)
        self.ground, self.division = empty_ground(self.cases, self.n_classes, capacity, room)
        self.stack = empty_stack(len(self.cases.y), room, capacity)

    def grow(self, codes: Codes) -> None:
        """Grow and prune a tree for each fold."""
        self.roots = np.empty(max(1, int(codes.max()) + 1), np.int64)
        while not self._try(codes):
            self._lay_out(2 * len(self.trees.feature), 2 * len(self.stack.rows))

    def _try(self, codes: Codes) -> bool:
        learner = self.learner
        self.n_nodes = grow(
            self.cases, codes, int(learner.min_cases), self.xlog, self.trees, self.roots,
            self.ground, self.division,
        )  # fmt: skip
        if self.n_nodes == NO_ROOM:
            return False
        collapse(self.trees, self.n_nodes)
        return not learner.prune or prune(
            self.trees, self.roots, self.cases, codes, self.limits,
            bool(learner.subtree_raising), self.stack, self.division,
        )  # fmt: skip


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
    label = classes[most_probable(counts[None])[0]]
    wrong = counts.sum() - counts.max()
    shown = f"{counts.sum():.1f}" + (f"/{wrong:.1f}" if wrong >= 0.05 else "")
    return f": {label} ({shown})"
