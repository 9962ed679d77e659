"""From a table of scores to what can be said about many classifiers. It contains no statistics."""

import warnings
from collections.abc import Callable, Sequence
from itertools import combinations
from math import fsum
from typing import Any, Literal, NamedTuple

import numpy as np

from replicast.arrays import Floats
from replicast.comparison.cautions import (
    FEWEST_FOR_PLACES,
    cannot_be_adjusted,
    cautions_over_datasets,
    left_out,
    no_replication_model,
    one_dataset,
    scale_cautions,
)
from replicast.comparison.records import ManyComparison, PairCell, Stability
from replicast.comparison.sources import table_given
from replicast.design import Cases, Datasets, Design, DesignLike
from replicast.effects import EFFECTS
from replicast.errors import (
    DegenerateScoresWarning,
    InvalidArgumentError,
    invalid,
    require_choice,
    require_function,
    require_probability,
)
from replicast.formatting import join_words
from replicast.inference.friedman import (
    friedman_of_ranks,
    nemenyi_difference,
    rank_scores,
    score_matrix,
)
from replicast.inference.methods import METHODS, default_method
from replicast.inference.one_model import score_interval
from replicast.inference.posterior import correlated_posterior, signed_rank_posterior
from replicast.kernels.counts import win_loss_tie
from replicast.kernels.multiplicity import CORRECTIONS, adjust
from replicast.kernels.stability import DRAWS, cluster_values, order_chances
from replicast.randomness import RandomSource, generator
from replicast.reading.door import Source
from replicast.replication.cases import normal_model
from replicast.replication.first_result import read_first_result
from replicast.replication.models import Goal, Model, assess
from replicast.replication.priors import RELATIONS, Relation
from replicast.results import (
    Caution,
    Interval,
    PosteriorResult,
    SignificanceResult,
    is_significant,
)
from replicast.scores.pairs import PairedScores
from replicast.scores.tables import ScoreTable, resolve_name

_CONFIDENCE = 0.95
_MANY_DISCORDANT = 1000  # cases from which counts are normal, within a point and much faster
_ONE_PAIR_SAYS = ("zero-differences", "degenerate")  # cautions that are not of the table
Progress = Callable[[int, int], None]
Correction = Literal["holm", "hochberg", "shaffer", "bonferroni"]


def rank(
    table: ScoreTable | Source,
    *,
    design: DesignLike | None = None,
    control: str | None = None,
    correction: Correction = "holm",
    method: str | None = None,
    significance: float = 0.05,
    relation: Relation | None = None,
    rng: RandomSource = 0,
    progress: Progress | None = None,
    **reading: Any,
) -> ManyComparison:
    """Compare many classifiers: ranks, every pair, and whether first place stays first.

    Over several datasets, classifiers are ranked on each, Friedman's test asks whether any differ,
    and pairs are compared by the signed-rank test on dataset means. On one dataset pairs are
    compared by the test of the design, for cross-validation the corrected t-test on folds, and there
    are no ranks over datasets; on the cases of one test set, whether first place stays first is said
    for as many fresh cases. P-values of pairs are corrected for their number. Where two models disagree
    on a thousand cases and more, the chance that their pair repeats is that of the normal
    approximation, within a point of the exact one.

    Parameters
    ----------
    table : ScoreTable, or anything `read_scores` reads
        Scores of at least two classifiers.
    design : Design, optional
        How the scores arose, where what is read does not tell. `reading` are further options of
        `read_scores`.
    control : str, optional
        Test only the pairs with this classifier, which costs less than testing all.
    correction : {"holm", "hochberg", "shaffer", "bonferroni"}
        How p-values are corrected. Shaffer's uses that equalities of pairs imply each other; it is
        for all pairs, not for a control.
    method : str, optional
        Another test of `METHODS` with a p-value.
    significance : float
        Level of the adjusted p-values.
    relation : {"unknown", "close", "any"}, optional
        How the classifiers are related, for the chance of replication. By default neighbours in the
        ranking count as close rivals, over datasets and on one test set; of others nothing is known.
    rng : int or Generator, optional
        Seed of the simulated repeats; fixed unless given.
    progress : callable, optional
        Called with the number of pairs done and of all pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import Datasets, ScoreTable, rank
    >>> svm = np.array([0.91, 0.85, 0.77, 0.93, 0.66, 0.82, 0.88, 0.79])
    >>> lead = np.array([0.01, 0.02, 0.03, 0.01, 0.04, 0.02, 0.05, 0.06])
    >>> scores = np.array([svm, svm - lead, svm - lead[::-1] / 2])[:, :, None, None]
    >>> table = ScoreTable(classifiers=("svm", "nb", "knn"), datasets=tuple("abcdefgh"),
    ...                    scores=scores, design=Datasets())
    >>> found = rank(table)
    >>> found.classifiers, found.average_ranks
    (('svm', 'knn', 'nb'), (1.0, 2.375, 2.625))
    """
    require_choice(correction, "correction", CORRECTIONS)
    significance = require_probability(significance, "significance")
    require_function(progress, "progress", "progress(done, total)")
    if relation is not None:
        require_choice(relation, "relation", RELATIONS)
    source = generator(rng)
    table = table_given(table, design, **reading).complete()
    matrix, order, ranks = _best_first(table)
    over_datasets = len(table.datasets) > 1
    sampled: Design = Datasets(len(matrix)) if over_datasets else table.design
    key = _choose_method(method, sampled)
    control = _control(control, correction, table.classifiers)
    names = tuple(table.classifiers[i] for i in order)
    tested = [(control, n) for n in names if n != control] if control else combinations(names, 2)
    related = [
        (pair, relation or _relation(names.index(pair[0]) - names.index(pair[1]), sampled))
        for pair in tested
    ]
    cells, cautions = _cells(table, related, key, correction, significance, progress)
    friedman, stability, nemenyi = None, None, None
    if over_datasets:
        friedman = friedman_of_ranks(ranks, names)
        nemenyi = nemenyi_difference(len(names), len(matrix), significance=significance)
        if len(matrix) >= FEWEST_FOR_PLACES:
            stability = _stability(ranks, source, "datasets")
        cautions = cautions_over_datasets(friedman, significance) + cautions
    else:
        if sampled.of_cases and table.scores.shape[3] > 1:
            stability = _stability(_case_scores(table, order), source, "cases")
        cautions = (one_dataset(table.datasets[0], over_cases=stability is not None), *cautions)
    return ManyComparison(
        classifiers=names,
        mean_scores=tuple(_means(matrix)[i] for i in order),
        average_ranks=friedman.average_ranks if friedman else None,
        friedman=friedman,
        critical_difference=nemenyi,
        pairs=cells,
        stability=stability,
        control=control,
        correction=correction,
        method=key,
        significance=significance,
        design=sampled,
        datasets=table.datasets,
        metric=table.metric,
        greater_is_better=table.greater_is_better,
        direction=table.direction,
        cautions=(
            *left_out(table.reservations),
            *cannot_be_adjusted(key, sampled, len(cells), correction, names, significance),
            *scale_cautions(matrix, over_datasets=over_datasets),
            *cautions,
        ),
        mean_intervals=_mean_intervals(table, names),
    )


def _mean_intervals(table: ScoreTable, names: Sequence[str]) -> tuple[Interval, ...]:
    """Return the interval of every mean score; none where a table has one score of each."""
    if table.scores.shape[1:] == (1, 1, 1) and not table.case_scores:
        return ()
    return tuple(score_interval(table, name=name).confidence_interval() for name in names)


def _stability(
    values: Floats, source: np.random.Generator, fresh: Literal["datasets", "cases"]
) -> Stability:
    """Return whether the order of columns, lowest mean first, would stay."""
    first, order = order_chances(values, source)
    kept = tuple(float(chance) for chance in order)
    return Stability(first_stays=first, order_stays=kept, draws=DRAWS, fresh=fresh)


def _case_scores(table: ScoreTable, order: Sequence[int]) -> Floats:
    """Return a row for each case or cluster, with the better scores the lower ones."""
    scores = np.asarray(table.scores[list(order), 0, 0].T)
    sign = -1.0 if table.greater_is_better else 1.0
    return (
        sign * scores if table.clusters is None else sign * cluster_values(scores, table.clusters)
    )


def bayesian_matrix(
    table: ScoreTable, *, rope: float = 0.0, draws: int = 20_000, rng: RandomSource = 0
) -> tuple[PosteriorResult, ...]:
    """Return for every pair how probably the first is better, practically equal, or worse.

    Over datasets by the Bayesian signed-rank test, on one dataset by the correlated t model; `rope`
    is the largest difference that does not matter. The better ranked classifier stands first.
    Posterior probabilities are not corrected for the number of pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import Datasets, ScoreTable
    >>> from replicast.comparison.many import bayesian_matrix
    >>> scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6]])[:, :, None, None]
    >>> table = ScoreTable(
    ...     classifiers=("a", "b"), datasets=("x", "y", "z"), scores=scores, design=Datasets()
    ... )
    >>> [cell.first_better > 0.9 for cell in bayesian_matrix(table, rope=0.01)]
    [True]
    """
    matrix, order, _ = _best_first(table)
    pairs = combinations([table.classifiers[i] for i in order], 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateScoresWarning)  # the result keeps the caution
        if len(matrix) > 1:
            return tuple(
                signed_rank_posterior(table.pair(*names), rope=rope, draws=draws, rng=rng)
                for names in pairs
            )
        return tuple(correlated_posterior(table.pair(*names), rope=rope) for names in pairs)


def _choose_method(method: str | None, design: Design) -> str:
    if method is None:
        return default_method(design)
    allowed = tuple(name for name, test in METHODS.items() if test.gives == "p-value")
    if isinstance(method, str) and method in METHODS and method not in allowed:
        remedy = "Posterior probabilities of all pairs come from bayesian_matrix"
        raise invalid("method", f"one of {', '.join(allowed)}", repr(method), remedy)
    return require_choice(method, "method", allowed)


def _control(control: str | None, correction: str, classifiers: tuple[str, ...]) -> str | None:
    """Return the classifier that is meant by the name of a control."""
    if control is None:
        return None
    control = require_choice(resolve_name(control, classifiers), "control", classifiers)
    if correction == "shaffer":
        remedy = "Shaffer's correction is for all pairs; against a control use holm"
        raise invalid(
            "correction", "holm, hochberg or bonferroni with a control", "'shaffer'", remedy
        )
    return control


def _means(matrix: Floats) -> list[float]:
    return [fsum(column) / len(column) for column in matrix.T]


def _best_first(table: ScoreTable) -> tuple[Floats, list[int], Floats]:
    """Return mean scores, the order of the classifiers, and their ranks in this order.

    The order is by mean rank, then mean score, then name; on one dataset by mean score.
    """
    matrix = score_matrix(table)
    ranks = rank_scores(matrix, greater_is_better=table.greater_is_better)
    places = ranks.mean(axis=0) * (len(matrix) > 1)
    sign = -1 if table.greater_is_better else 1
    keys = zip(places, sign * np.array(_means(matrix)), table.classifiers, strict=True)
    order = [i for _, i in sorted((key, i) for i, key in enumerate(keys))]
    return matrix, order, ranks[:, order]


def _cells(
    table: ScoreTable,
    tested: Sequence[tuple[tuple[str, str], Relation]],
    method: str,
    correction: str,
    significance: float,
    progress: Progress | None,
) -> tuple[tuple[PairCell, ...], tuple[Caution, ...]]:
    """Test every pair, correct the p-values, and gather what to be careful about."""
    pairs = [table.pair(*names) for names, _ in tested]
    test = METHODS[method]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateScoresWarning)  # one caution for all below
        evidence: list[SignificanceResult] = [test.test(pair) for pair in pairs]
    raw = np.array([result.pvalue for result in evidence])
    adjusted = np.maximum(raw, adjust(raw, correction, len(table.classifiers)))
    cells, chances = [], _Chances(significance)
    for at, (pair, result) in enumerate(zip(pairs, evidence, strict=True)):
        chance = chances.of(pair, result, tested[at][1])
        cells.append(_cell(pair, result, float(adjusted[at]), significance, chance))
        if progress is not None:
            progress(len(cells), len(pairs))
    cautions = {c.code: c for result in evidence for c in result.cautions}
    cautions |= {code: c for code, c in chances.cautions.items() if code not in cautions}
    kept = (caution for code, caution in cautions.items() if code not in _ONE_PAIR_SAYS)
    return tuple(cells), (*kept, *_identical(pairs))


def _cell(
    pair: PairedScores,
    result: SignificanceResult,
    adjusted: float,
    significance: float,
    chance: "_Chance",
) -> PairCell:
    """Return what is known of one pair."""
    test = METHODS[result.method]
    wins, losses, ties = (int(count) for count in win_loss_tie(pair.differences))
    effect, difference = (EFFECTS[word](pair, result) for word in (test.effect, test.difference))
    decidable = is_significant(test.smallest_pvalue(len(pair.differences)), significance)
    significant = is_significant(adjusted, significance) and result.leans(significance)
    return PairCell(
        first=pair.names[0],
        second=pair.names[1],
        difference=difference.estimate,
        wins=wins,
        ties=ties,
        losses=losses,
        pvalue=result.pvalue,
        adjusted=adjusted,
        effect=effect.estimate,
        effect_symbol=effect.symbol,
        effect_label=effect.label if decidable else None,
        better=None if result.lead == 0 else result.names[result.lead < 0],
        replication=chance.probability,
        replication_interval=chance.interval,
        relation=chance.relation,
        significant=significant,
    )


def _identical(pairs: Sequence[PairedScores]) -> tuple[Caution, ...]:
    """Say which pairs have the same score everywhere."""
    equal = [join_words(list(map(repr, one.names))) for one in pairs if not one.differences.any()]
    if not equal:
        return ()
    more = f", and {len(equal) - 3} more pairs" if equal[3:] else ""
    text = f"The same score everywhere: {'; '.join(equal[:3])}{more}. Their p is 1 by convention."
    return (Caution("identical", text),)


def _relation(places: int, design: Design) -> Relation:
    """Say how two classifiers so many places apart are related, as far as their places tell."""
    return "close" if abs(places) == 1 and design.independent else "unknown"


class _Chance(NamedTuple):
    """The chance that a pair alone repeats, and its limits; None where there is no model."""

    relation: Relation
    probability: float | None = None
    interval: Interval | None = None


class _Chances:
    """Calibrated chances of replication, and what to be careful about."""

    def __init__(self, significance: float) -> None:
        self.significance = significance
        self.cautions: dict[str, Caution] = {}
        self._known: dict[object, _Chance] = {}  # many pairs have one rank sum

    def of(self, pair: PairedScores, result: SignificanceResult, relation: Relation) -> _Chance:
        """Return the chance of a pair, or note that there is none."""
        if not pair.differences.any():
            return _Chance(relation)
        try:
            first = read_first_result(result, scores=pair, spread=1.0)
        except InvalidArgumentError:
            self._note(no_replication_model(result.method))
            return _Chance(relation)
        self._note(*first.cautions)
        design = first.design
        model: Model = first.model
        if design.binary and np.count_nonzero(pair.differences) >= _MANY_DISCORDANT:
            design = Cases(design.count)
            model = normal_model(pair.differences, design)
        key = model, relation
        if key not in self._known:
            goal = Goal(design, 1.0, self.significance, _CONFIDENCE)
            found = assess(model, "calibrated", goal, relation=relation)
            self._known[key] = _Chance(relation, found.probability, Interval(found.low, found.high))
        return self._known[key]

    def _note(self, *cautions: Caution) -> None:
        for caution in cautions:
            self.cautions.setdefault(caution.code, caution)
