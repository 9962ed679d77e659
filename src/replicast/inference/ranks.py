"""Tests that use signs and ranks of the differences."""

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import Design, DesignLike
from replicast.errors import invalid, require_choice
from replicast.inference.evidence import Scores, admit
from replicast.inference.traits import INDEPENDENT, SHARED_TRAINING, Method
from replicast.kernels import counts, power, ranks, walsh
from replicast.kernels.schemes import Scheme
from replicast.results import Alternative, Caution, SignificanceResult

TiesRule = Literal["half", "drop"]
RankMethod = Literal["auto", "exact", "normal"]

_MOST_EXACT = 1000  # beyond, counting sign patterns takes long and leaves the range of floats


def _refuse_long_exact(method: str, nonzero: int) -> None:
    if method == "exact" and nonzero > _MOST_EXACT:
        domain = f"auto or normal for more than {_MOST_EXACT} non-zero differences"
        raise invalid("pvalue_method", domain, f"'exact' for {nonzero}")


def _tie_cautions(zeros: int, n: int, fate: str) -> tuple[Caution, ...]:
    if zeros == 0:
        return ()
    verb = "is" if zeros == 1 else "are"
    return (Caution("zero-differences", f"{zeros} of {n} differences {verb} zero, and {fate}."),)


def signed_rank(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    scheme: Scheme = "all",
    pvalue_method: RankMethod = "auto",
) -> SignificanceResult:
    """Test equal scores with Wilcoxon's signed-rank test.

    The default for one score per dataset: needs no normality and is not ruled by one outlier. Zero
    differences are dropped, ties get mid-ranks. The p-value is exact, ties included, for up to 50
    non-zero differences and normal with tie and continuity correction above; the result says which.
    On folds of one dataset it ignores the overlap of training sets (see its caution); use
    `corrected_ttest` there. The statistic is the standardised Z; the estimate is the pseudomedian.
    Positive values favour the first classifier. Also called: Wilcoxon signed rank test, rank sum test
    (Bouckaert 2004), sum of ranks W.

    Parameters
    ----------
    scores : PairedScores
        Paired scores with their design.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first classifier is better.
    scheme : {"all", "folds", "runs", "sorted", "first-run"}
        Sampling scheme of a repeated design (Bouckaert 2004): use all data, average over folds, average
        over runs, average over sorted runs, or the first run alone (k-fold cv).
    pvalue_method : {"auto", "exact", "normal"}
        How the p-value is made.

    References
    ----------
    .. [1] Wilcoxon (1945), Biometrics 1, 80-83. Demšar (2006), JMLR 7, 1-30.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores, signed_rank
    >>> first = [0.91, 0.85, 0.77, 0.93, 0.66, 0.82]
    >>> second = [0.89, 0.84, 0.70, 0.90, 0.61, 0.78]
    >>> signed_rank(PairedScores(first=first, second=second, design=Datasets())).pvalue
    0.03125
    """
    require_choice(pvalue_method, "pvalue_method", ("auto", "exact", "normal"))
    admitted = admit(SIGNED_RANK, scores, second, design, scheme=scheme, alternative=alternative)
    sample = admitted.sample
    statistics = ranks.signed_rank_statistics(sample[None])
    [w_plus], [used], _ = statistics
    _refuse_long_exact(pvalue_method, int(used))
    [z] = ranks.signed_rank_z(*statistics)
    pvalue, exact = ranks.signed_rank_pvalues(
        sample[None], method=pvalue_method, alternative=alternative, statistics=statistics
    )
    n, kept = len(sample), int(used)
    return admitted.result(
        estimand="pseudomedian difference",
        estimate=walsh.pseudomedian(sample),
        statistic=float(z),
        pvalue=float(pvalue[0]),
        exactness=_exactness(kept, bool(exact[0])),
        cautions=_tie_cautions(n - kept, n, "left out of the ranks"),
        details={
            "w_plus": float(w_plus),
            "w_minus": kept * (kept + 1) / 2 - float(w_plus),
            "nonzero": float(kept),
        },
        interval_rule=partial(walsh.pseudomedian_interval, sample),
        bound_rule=partial(ranks.bound_pvalues, sample),
        lead=2 * float(w_plus) - kept * (kept + 1) / 2,
    )


def _exactness(nonzero: int, exact: bool) -> str:
    if nonzero == 0:
        return "convention"
    return "exact" if exact else "normal"


def _rank_row_pvalues(sample: Floats, _: Design, *, pvalue_method: RankMethod = "auto") -> Floats:
    if sample.shape[-1] > _MOST_EXACT:
        _refuse_long_exact(pvalue_method, int(np.count_nonzero(sample, axis=-1).max(initial=0)))
    return ranks.signed_rank_pvalues(sample, method=pvalue_method, alternative="two-sided")[0]


def _rank_lead(rows: Floats) -> Floats:
    """Return W+ - W-, which leaves zeros out: it may see a winner where the estimate is 0."""
    w_plus, used, _ = ranks.signed_rank_statistics(rows)
    return 2 * w_plus - used * (used + 1) / 2


def drawn_pvalues(rows: Floats) -> Floats:
    """Return p-values of rows drawn at random, where round-off makes and breaks no ties."""
    return ranks.signed_rank_pvalues(rows, method="auto", alternative="two-sided")[0]


SIGNED_RANK = Method(
    name="signed-rank",
    title="Wilcoxon signed-rank test",
    reference="Wilcoxon (1945), Biometrics 1",
    test=signed_rank,
    row_pvalues=_rank_row_pvalues,
    designs=INDEPENDENT,
    tolerated=SHARED_TRAINING,
    default_for=INDEPENDENT,
    symbol="Z",
    effect="rank-effect",
    assumes="symmetric differences",
    lead=_rank_lead,
    smallest_pvalue=ranks.smallest_pvalue,
    quick_pvalues=drawn_pvalues,
    power={"large-sample": lambda effect, n, _, level: power.signed_rank_power(effect, n, level)},
    replication=("wilcoxon",),
)


def sign_test(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    scheme: Scheme = "all",
    ties: TiesRule = "half",
) -> SignificanceResult:
    """Test equal scores by counting wins and losses.

    The p-value is exact. Use it when only the direction of each difference can be trusted; it sees
    less than `signed_rank`. The statistic is wins minus losses; the estimate is the median
    difference. Positive values favour the first classifier.

    Parameters
    ----------
    scores : PairedScores
        Paired scores with their design.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first classifier is better.
    scheme : {"all", "folds", "runs", "sorted", "first-run"}
        Sampling scheme of a repeated design (Bouckaert 2004): use all data, average over folds, average
        over runs, average over sorted runs, or the first run alone (k-fold cv).
    ties : {"half", "drop"}
        Give half of the ties to each side (an odd one helps neither), or forget them.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores, sign_test
    >>> pair = PairedScores(first=[5, 6, 7, 8, 9, 3], second=[1, 2, 3, 4, 5, 4], design=Datasets())
    >>> sign_test(pair).pvalue
    0.21875
    """
    require_choice(ties, "ties", ("half", "drop"))
    admitted = admit(SIGN_TEST, scores, second, design, scheme=scheme, alternative=alternative)
    sample = admitted.sample
    wins, losses, equal = counts.win_loss_tie(sample)
    pvalue = counts.binomial_pvalue(wins, losses, equal, ties_rule=ties, alternative=alternative)
    return admitted.result(
        estimand="median difference",
        estimate=float(np.median(sample)),
        statistic=float(wins - losses),
        pvalue=float(pvalue),
        exactness="exact",
        cautions=_tie_cautions(
            int(equal), len(sample), "left out" if ties == "drop" else "half a win for each side"
        ),
        details={
            "wins": float(wins),
            "losses": float(losses),
            "ties": float(equal),
            "trials": float(len(sample) if ties == "half" else wins + losses),
        },
        interval_rule=partial(counts.order_statistic_interval, sample),
    )


def _sign_row_pvalues(sample: Floats, _: Design, *, ties: TiesRule = "half") -> Floats:
    wins, losses, equal = counts.win_loss_tie(sample)
    return counts.binomial_pvalue(wins, losses, equal, ties_rule=ties, alternative="two-sided")


SIGN_TEST = Method(
    name="sign-test",
    title="sign test",
    reference="Arbuthnott (1710); Demšar (2006), JMLR 7",
    test=sign_test,
    row_pvalues=_sign_row_pvalues,
    designs=INDEPENDENT,
    tolerated=SHARED_TRAINING,
    counts="{wins} : {losses}, {ties} tied",
    effect="rank-effect",
    assumes="independent outcomes",
    lead=lambda rows: np.sign(rows).sum(axis=-1),
    smallest_pvalue=counts.smallest_pvalue,
    power={"exact": lambda effect, n, _, level: power.sign_power(effect, n, level)},
    tied_power=power.discordance_power,
    replication=("sign", "bayesian"),
)
TESTS = (SIGN_TEST, SIGNED_RANK)
