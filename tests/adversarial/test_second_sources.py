"""Every number against a source of its own: R, SciPy, mpmath at 50 digits, enumeration, formulas."""

import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from mpmath.ctx_mp import MPContext
from scipy import special, stats

import independent as check
import replicast as rc
from goldens import golden
from replicast.comparison.many import bayesian_matrix
from replicast.kernels import counts, noncentral, ranks, student
from replicast.replication.priors import prior_for

mp: Any = MPContext()
mp.dps = 50


def close(expected: object, rtol: float = 1e-12, atol: float = 0.0) -> Any:
    """Compare relatively, so that a tail of 1e-300 must be right too."""
    return pytest.approx(expected, rel=rtol, abs=atol)


def pair(first: Sequence[float], second: object = None, design: Any = None) -> rc.PairedScores:
    other = np.zeros(len(first)) if second is None else second
    return rc.PairedScores(first=first, second=other, design=design or rc.Datasets())


def rows(seed: int = 0, sizes: Sequence[int] = (2, 3, 6, 10, 25, 60)) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(0.4, 1, n).round(3) for n in sizes]


# --------------------------------------------------------------------------- tails
def t_two_sided(t: float, df: float) -> float:
    """P(|T| > t) by mpmath's incomplete beta function."""
    x = mp.mpf(df) / (df + mp.mpf(t) ** 2)
    return float(mp.betainc(mp.mpf(df) / 2, mp.mpf(1) / 2, 0, x, regularized=True))


def test_extreme_tails_as_in_r() -> None:
    """R 4.2.2: pt, pf, pbinom, pnorm, psignrank and pchisq down to 1e-300."""
    cases, rtol = golden("extreme_tails")
    for case in cases:
        match case["family"]:
            case "t":
                value = np.asarray(case["statistic"])
                found = float(student.t_pvalue(value, case["df"], "two-sided"))
                many = student.t_pvalue(np.full(9, case["statistic"]), case["df"], "two-sided")
                assert many == close(case["tail"], rtol), case
            case "binomial":
                wins, n = (np.asarray(int(case[key])) for key in ("wins", "n"))
                tied = np.zeros((), dtype=np.int64)
                found = float(
                    counts.binomial_pvalue(
                        wins, n - wins, tied, ties_rule="drop", alternative="two-sided"
                    )
                )
            case "signed rank":
                n = int(case["n"])
                sizes = np.arange(1.0, n + 1)
                left = case["statistic"]
                signs = np.ones(n)
                for rank in range(n, 0, -1):  # a sign pattern with this sum of negative ranks
                    if rank <= left:
                        signs[rank - 1], left = -1.0, left - rank
                found = rc.signed_rank(pair(sizes * signs), pvalue_method="exact").pvalue
            case "normal":
                value = np.asarray(case["statistic"])
                found = float(ranks.normal_pvalue(value, "two-sided"))
            case "f":
                found = float(special.fdtrc(*case["df"], case["statistic"]))
            case _:
                found = float(special.chdtrc(case["df"], case["statistic"]))
        assert found == close(case["tail"], rtol), case


@pytest.mark.parametrize("df", [1, 2, 5, 9, 99, 999])
def test_student_tails_by_mpmath(df: int) -> None:
    """mpmath at 50 digits: tails from 1 down to 1e-300, alone and in a batch."""
    for exponent in (-9, -8, -5, -2, 0, 0.5, 1, 1.5, 2, 4, 8, 16, 33, 60, 100, 149):
        t = 10.0**exponent
        expected = t_two_sided(t, df)
        if expected < 1e-300:
            continue
        assert float(student.t_pvalue(np.asarray(t), df, "two-sided")) == close(expected)
        assert student.t_pvalue(np.full(9, t), df, "two-sided")[4] == close(expected, 1e-11)


@pytest.mark.parametrize("df", [1, 2, 3, 5, 9, 50, 99, 999])
@pytest.mark.parametrize("tail", [0.3, 1e-5, 1e-17, 1e-60, 1e-180, 5e-301])
def test_critical_values_by_mpmath(df: int, tail: float) -> None:
    """mpmath at 50 digits: the tail beyond a critical value is the one asked for."""
    assert t_two_sided(student.t_critical(df, tail), df) == close(2 * tail, 1e-10)


def test_f_and_chi_squared_tails_by_mpmath_and_r() -> None:
    """R's pf and mpmath for the 5x2cv F, mpmath for Friedman's chi-square, on public results."""
    known = {c["statistic"]: c["tail"] for c in golden("extreme_tails")[0] if c["family"] == "f"}
    assert len(known) == 8
    for gap in (1.0, 1e-3, 1e-6):
        row = np.ones(10)
        row[::2] += gap
        found = rc.five_by_two_ftest(pair(row, design=rc.FiveByTwo()))
        squares = sum(Fraction(x) ** 2 for x in row.tolist())
        spread = sum((Fraction(a) - Fraction(b)) ** 2 / 2 for a, b in row.reshape(5, 2).tolist())
        f = float(squares / (2 * spread))
        assert found.statistic == close(f, 1e-9)
        assert found.pvalue == close(check.f_upper(found.statistic, 10, 5), 1e-11)
    for f, tail in known.items():
        assert float(special.fdtrc(10, 5, f)) == close(tail, 1e-11)
    scores = np.arange(4.0)[:, None] + np.zeros(400)
    scores[:2, 0] = scores[1::-1, 0]
    table = many(scores)
    found = rc.friedman_test(table)
    assert 1e-270 < found.pvalue < 1e-250
    assert found.pvalue == close(check.chi2_upper(found.statistic, 3), 1e-11)


def nct_truth(c: float, df: int, ncp: float) -> float:
    """P(T > c) over x = log(chi / sqrt(df)), where the trapezoidal rule converges fastest."""

    def logarithm(x: float) -> float:
        return df * x - df / 2 * math.exp(2 * x) + stats.norm.logcdf(ncp - c * math.exp(x))

    grid = np.linspace(-60 / math.sqrt(df) - 200 / df, 4 / math.sqrt(df), 4000)
    logs = np.array([logarithm(x) for x in grid])
    near = grid[logs > logs.max() - 60]
    low, high = mp.mpf(near[0]), mp.mpf(near[-1])
    constant = mp.log(2) + mp.mpf(df) / 2 * mp.log(mp.mpf(df) / 2) - mp.loggamma(mp.mpf(df) / 2)
    step, total = (high - low) / 600, mp.mpf(0)
    for i in range(601):
        x = low + i * step
        total += mp.exp(constant + df * x - df * mp.exp(2 * x) / 2) * mp.ncdf(ncp - c * mp.exp(x))
    return float(total * step)


@pytest.mark.parametrize(
    ("c", "df", "ncp"),
    [(2.262, 9, -3.0), (12.7, 1, -12.7), (4.3, 2, -20.0), (63.0, 9, 0.5), (2.0, 99, -10.0),
     (40.0, 19, 2.0), (2.262, 9, 2.0), (6.0, 4, 12.0)],
)  # fmt: skip
def test_noncentral_tails_by_mpmath(c: float, df: int, ncp: float) -> None:
    """mpmath: noncentral t tails from 0.9 down to 1e-90, relative to their own size."""
    assert float(noncentral.nct_upper(c, df, ncp)) == close(nct_truth(c, df, ncp), 1e-9)


def test_noncentral_quantiles_of_huge_statistics() -> None:
    """For huge noncentrality T is its ratio to chi / sqrt(df): SciPy's chi-square quantiles."""
    for df in (1, 9, 99):
        for probability in (0.025, 0.5, 0.975):
            ratio = math.sqrt(df / stats.chi2.isf(probability, df))
            for ncp in (1e7, 1e12, 1e200):
                found = noncentral.nct_quantile(probability, df, ncp)
                assert found == close(ncp * ratio, 1e-9)


# --------------------------------------------------------------------------- tests
def test_t_tests_by_scipy() -> None:
    """SciPy's ttest_rel, statistic, p-values of all alternatives and interval."""
    for row in rows():
        for side in ("two-sided", "greater", "less"):
            theirs = stats.ttest_rel(row, np.zeros(len(row)), alternative=side)
            ours = rc.paired_ttest(pair(row), alternative=side)
            assert (ours.statistic, ours.pvalue) == close((theirs.statistic, theirs.pvalue), 1e-11)
        theirs = stats.ttest_rel(row, np.zeros(len(row)))
        limits = theirs.confidence_interval(0.9)
        ours = rc.paired_ttest(pair(row)).confidence_interval(0.9)
        assert ours == close((limits.low, limits.high), 1e-10)
        assert rc.effects.mean_difference(pair(row)).confidence_interval(0.9) == ours


def test_corrected_t_by_scipy_on_widened_errors() -> None:
    """SciPy's ttest_rel statistic, shrunk by the ratio of the standard errors, in Student's t."""
    for row in rows(1):
        n = len(row)
        for design in (rc.KFold(n), rc.RandomSplits(splits=n, n_train=900, n_test=100)):
            shrink = math.sqrt(1 + n * design.test_train_ratio)
            t = float(stats.ttest_1samp(row, 0).statistic) / shrink
            ours = rc.corrected_ttest(pair(row, design=design))
            assert (ours.statistic, ours.pvalue) == close((t, 2 * stats.t.sf(abs(t), n - 1)), 1e-10)
            posterior = rc.correlated_posterior(pair(row, design=design), rope=0.1)
            t_dist = stats.t(n - 1, loc=row.mean(), scale=row.std(ddof=1) / math.sqrt(n) * shrink)
            expected = t_dist.sf(0.1), t_dist.cdf(0.1) - t_dist.cdf(-0.1), t_dist.cdf(-0.1)
            found = posterior.first_better, posterior.equivalent, posterior.second_better
            assert found == close(expected, 1e-9)


def test_posterior_is_the_twin_of_the_corrected_t_in_every_tail() -> None:
    """Twice the smaller mass is the p-value, down to 1e-280, where 1 - mass would be 0."""
    rng = np.random.default_rng(3)
    for n, spread in ((5, 1.0), (10, 0.05), (100, 1.0), (100, 1e-3)):
        scores = pair(1 + spread * rng.normal(size=n), design=rc.KFold(n))
        posterior, test = rc.correlated_posterior(scores), rc.corrected_ttest(scores)
        assert posterior.pvalue == close(test.pvalue)
        batch = rc.METHODS["correlated-posterior"].batch_pvalues(
            scores.differences[None], scores.design
        )
        assert batch[0] == close(test.pvalue, 1e-9)
        ours, theirs = (rc.replicate(each) for each in (posterior, test))
        assert ours.as_published == close(theirs.as_published, 1e-9)
        assert ours.probability == close(theirs.probability, 1e-9)


def test_signed_rank_by_scipy_and_enumeration() -> None:
    """SciPy's wilcoxon (exact, and normal with correction); all 2^n patterns with ties."""
    for row in rows(2, (5, 8, 12, 30, 48)):
        untied = row + np.arange(len(row)) * 1e-7
        theirs = stats.wilcoxon(untied, method="exact")
        assert rc.signed_rank(pair(untied), pvalue_method="exact").pvalue == close(theirs.pvalue)
        theirs = stats.wilcoxon(row, method="approx", correction=True)
        ours = rc.signed_rank(pair(row), pvalue_method="normal")
        assert (abs(ours.statistic), ours.pvalue) == close(
            (abs(theirs.zstatistic), theirs.pvalue), 1e-10
        )
        r = rc.effects.rank_effect(pair(row)).estimate
        assert abs(r) == close(abs(theirs.zstatistic) / math.sqrt(2 * len(row)), 1e-10)
    for digits in (0, 1):
        for n in (3, 7, 12, 16):
            row = np.random.default_rng(n).normal(0.6, 1, n).round(digits)
            _, pvalue = check.signed_rank_exact(row.tolist())
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", rc.errors.DegenerateScoresWarning
                )  # equal differences are meant here
                assert rc.signed_rank(pair(row)).pvalue == close(pvalue)


def test_smallest_signed_rank_tails_by_enumeration() -> None:
    """The three smallest tails of 20 differences: 1, 2 and 3 of 2^20 patterns."""
    for n in (10, 20, 50):
        for flipped, patterns in ((0, 1), (1, 2), (2, 3)):
            row = np.arange(1.0, n + 1)
            if flipped:
                row[flipped - 1] *= -1
            assert rc.signed_rank(pair(row)).pvalue == close(patterns * 2.0 ** (1 - n), 1e-15)
            assert rc.signed_rank(pair(row), alternative="greater").pvalue == close(
                patterns * 2.0**-n, 1e-15
            )
        assert rc.smallest_pvalue("signed-rank", rc.Datasets(n)) == 2.0 ** (1 - n)


def test_long_rows_rank_as_in_scipy() -> None:
    """SciPy's wilcoxon on rows that are sorted rather than counted, ties and zeros among them."""
    rng = np.random.default_rng(8)
    for n, digits in ((65, 1), (200, 1), (1000, 2), (5000, 9)):
        row = rng.normal(0.1, 1, n).round(digits)
        theirs = stats.wilcoxon(row, method="approx", correction=True)
        ours = rc.signed_rank(pair(row), pvalue_method="normal")
        assert (abs(ours.statistic), ours.pvalue) == close(
            (abs(theirs.zstatistic), theirs.pvalue), 1e-9
        )


def test_sign_test_and_mcnemar_by_scipy() -> None:
    """SciPy's binomtest; the mid-p from its probabilities."""
    for wins, losses in ((0, 1), (3, 3), (9, 1), (20, 5), (300, 240), (1000, 0)):
        row = np.r_[np.ones(wins), -np.ones(losses)]
        exact = stats.binomtest(wins, wins + losses).pvalue
        holdout = rc.PairedScores(
            first=np.r_[row > 0, True], second=np.r_[row < 0, True],
            design=rc.Holdout(len(row) + 1),
        )  # fmt: skip
        for found in (rc.mcnemar(holdout), rc.sign_test(pair(np.r_[row, 0]), ties="drop")):
            assert found.pvalue == close(exact, 1e-12)
        point = stats.binom.pmf(max(wins, losses), wins + losses, 0.5)
        midp = exact - point if wins != losses else 1 - point / 1
        if wins != losses:
            assert rc.mcnemar(holdout, pvalue_method="mid-p").pvalue == close(midp, 1e-11)
        else:
            assert rc.mcnemar(holdout, pvalue_method="mid-p").pvalue == close(1.0)


def test_sign_flip_by_scipy_and_enumeration() -> None:
    """SciPy's permutation_test with permutation_type samples; all patterns in fractions."""
    for n in (3, 6, 10):
        row = np.random.default_rng(n).normal(0.5, 1, n).round(2)
        found = rc.sign_flip_test(pair(row)).pvalue
        assert found == close(check.sign_flip(row.tolist()))
        theirs = stats.permutation_test(
            (row, np.zeros(n)), lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples", vectorized=True, n_resamples=np.inf,
        )  # fmt: skip
        assert found == close(theirs.pvalue)


@pytest.mark.parametrize("n", [12, 40])
def test_sign_flip_interval_holds_what_is_not_rejected(n: int) -> None:
    """Inversion of the test: just inside its limits it does not reject, just outside it does."""
    row = np.random.default_rng(n).normal(0.3, 1, n)
    low, high = rc.sign_flip_test(pair(row), resamples=4999).confidence_interval(0.907)
    step = 1e-6
    for inside, outside, side in (
        (low + step, low - step, "greater"), (high - step, high + step, "less"),
    ):  # fmt: skip
        p = [
            rc.sign_flip_test(pair(row - shift), alternative=side, resamples=4999).pvalue
            for shift in (inside, outside)
        ]
        assert p[0] > 0.0465 > p[1]


def test_five_by_two_by_written_sums() -> None:
    """Fractions for the statistics, mpmath for the tails."""
    for row in rows(4, (10,) * 6):
        x = [(Fraction(str(a)), Fraction(str(b))) for a, b in row.reshape(5, 2).tolist()]
        spread = sum((a - b) ** 2 / 2 for a, b in x)
        t = float(x[0][0]) / math.sqrt(spread / 5)
        f = float(sum(a * a + b * b for a, b in x) / (2 * spread))
        scores = pair(row, design=rc.FiveByTwo())
        found = rc.five_by_two_ttest(scores)
        assert (found.statistic, found.pvalue) == close((t, t_two_sided(abs(t), 5)), 1e-10)
        found = rc.five_by_two_ftest(scores)
        assert (found.statistic, found.pvalue) == close((f, check.f_upper(f, 10, 5)), 1e-10)


def test_signed_rank_posterior_by_scipy() -> None:
    """SciPy's Dirichlet draws and a sum over all pairs of observations."""
    weights = stats.dirichlet.rvs([0.5, 1, 1, 1], size=40_000, random_state=5)
    z = np.array([0.0, 3.0, -1.0, 2.0])
    sums = z[:, None] + z
    masses = [
        np.einsum("bi,ij,bj->b", weights, inside, weights)
        for inside in (sums < -1, np.abs(sums) <= 1, sums > 1)
    ]
    share = np.bincount(np.argmax(masses, axis=0), minlength=3) / len(weights)
    found = rc.signed_rank_posterior(pair(z[1:]), rope=0.5)
    # both are Monte Carlo: four standard errors
    assert (found.second_better, found.equivalent, found.first_better) == close(share, 0, 0.014)


# --------------------------------------------------------------------------- effects
def test_effects_by_scipy() -> None:
    """SciPy's mannwhitneyu for A12 and Cliff's delta, rankdata for the biserial, sums for d'."""
    rng = np.random.default_rng(6)
    for n in (3, 10, 60):
        first, second = rng.normal(1, 1, n).round(1), rng.normal(0.5, 1, n).round(1)
        scores = pair(first, second)
        a12 = stats.mannwhitneyu(first, second).statistic / n**2
        assert rc.effects.probability_of_superiority(scores).estimate == close(a12)
        assert rc.effects.cliffs_delta(scores).estimate == close(2 * a12 - 1, 1e-12, 1e-15)
        d = (first - second).round(1)
        kept = d[d != 0]
        ranks = stats.rankdata(np.abs(kept))
        biserial = (np.sign(kept) * ranks).sum() / ranks.sum()
        assert rc.effects.rank_biserial(scores).estimate == close(biserial)
        assert rc.effects.standardized_difference(scores).estimate == close(
            d.mean() / d.std(ddof=1), 1e-11
        )
        assert rc.effects.mean_difference(scores).estimate == close(d.mean(), 1e-11)
        cases = rc.PairedScores(first=d > 0, second=d < 0, design=rc.Holdout())
        assert rc.effects.accuracy_difference(cases).estimate == (sum(d > 0) - sum(d < 0)) / n


def test_standardized_interval_inverts_the_noncentral_t() -> None:
    """SciPy's nct: at the limits the observed statistic has the tails 2.5%."""
    for row in rows(9, (4, 10, 40)):
        n = len(row)
        effect = rc.effects.standardized_difference(pair(row))
        low, high = effect.confidence_interval()
        t = effect.estimate * math.sqrt(n)
        assert stats.nct.sf(t, n - 1, low * math.sqrt(n)) == close(0.025, 1e-8)
        assert stats.nct.cdf(t, n - 1, high * math.sqrt(n)) == close(0.025, 1e-8)


# --------------------------------------------------------------------------- power
def test_planning_as_in_r() -> None:
    """R 4.2.2: power.t.test solved for n and delta, McNemar's power, paired proportions."""
    cases, _ = golden("planning")
    seen = set()
    for case in cases:
        seen.add(case["what"])
        match case["what"]:
            case "sample size":
                found = rc.sample_size(
                    case["effect"], probability=case["power"], method="paired-ttest"
                )
                assert found == case["n"] or (case["n"] < 2 and found == 2)
            case "difference":
                found = rc.detectable_difference(
                    rc.Datasets(int(case["n"])), probability=case["power"]
                )
                # R's uniroot stops at about 1e-8
                assert found == close(case["effect"], 1e-7)
            case "mcnemar":
                found = rc.power_mcnemar(
                    case["first"], case["second"], cases=int(case["cases"])
                ).power
                assert found == close(case["power"], 1e-10)
            case _:
                b, c, n = (int(case[key]) for key in ("first", "second", "cases"))
                first = np.r_[np.ones(b), np.zeros(n - b)]
                second = np.r_[np.zeros(b), np.ones(c), np.zeros(n - b - c)]
                scores = pair(first, second, rc.Holdout(n))
                limits = rc.effects.accuracy_difference(scores).confidence_interval()
                assert limits == close((case["low"], case["high"]), 1e-10)
    assert len(seen) == 4


def test_power_by_scipy_and_mpmath() -> None:
    """SciPy's nct; mpmath's integral for levels down to 1e-20, where 1 - level is 1."""
    for n, effect in ((5, 0.4), (10, 0.71), (60, 0.3), (10**6, 0.002)):
        critical = stats.t.isf(0.025, n - 1)
        ncp = effect * math.sqrt(n)
        expected = stats.nct.sf(critical, n - 1, ncp) + stats.nct.cdf(-critical, n - 1, ncp)
        # SciPy's nct is right to about nine digits there
        assert rc.power(effect, rc.Datasets(n)).power == close(expected, 1e-8)
        curve = rc.power_curve([effect], [rc.Datasets(n)])
        assert curve[0][0].power == rc.power(effect, rc.Datasets(n)).power
    critical = student.t_critical(9, 5e-21)
    expected = nct_truth(critical, 9, 0.5 * math.sqrt(10)) + nct_truth(
        critical, 9, -0.5 * math.sqrt(10)
    )
    found = rc.power(0.5, rc.Datasets(10), significance=1e-20).power
    assert found == close(expected, 1e-8)
    row = np.random.default_rng(1).normal(0.5, 1, 12)
    d = row.mean() / row.std(ddof=1)
    observed = rc.observed_power(pair(row), method="paired-ttest").power
    assert observed == close(rc.power(d, rc.Datasets(12)).power, 1e-9)
    critical, ncp = stats.t.isf(0.025, 11), d * math.sqrt(12)
    expected = stats.nct.sf(critical, 11, ncp) + stats.nct.cdf(-critical, 11, ncp)
    assert observed == close(expected, 1e-8)


def test_sign_power_is_binomial() -> None:
    """SciPy's binomial tails beyond 1000 scores; simulation below agrees within its error."""
    for n, effect in ((1001, 0.1), (20_000, 0.02)):
        s = check.critical_wins(n, 0.05) if n < 2000 else int(stats.binom.isf(0.025, n, 0.5)) + 1
        rate = stats.norm.cdf(effect)
        expected = stats.binom.sf(s - 1, n, rate) + stats.binom.sf(s - 1, n, 1 - rate)
        found = rc.power(effect, rc.Datasets(n), method="sign-test")
        assert found.power == close(expected, 1e-9)


def test_simulated_powers_by_another_simulation() -> None:
    """Python's own random numbers and list code (tests/independent.py), within four errors."""
    for n, effect in ((8, 1.0), (15, 0.6)):
        ours = rc.power(effect, rc.Datasets(n), method="signed-rank").power
        theirs = check.power_wilcoxon_simulated(effect, 1, n, 0.05, 4000, 3)
        assert ours == pytest.approx(theirs, abs=4 * math.sqrt(0.25 / 4000))
    flips = rc.power(0.6, rc.Datasets(40), method="sign-flip", simulations=3000).power
    assert flips == pytest.approx(rc.power(0.6, rc.Datasets(40)).power, abs=0.03)


def test_published_replication_of_discordant_by_binomial_tails() -> None:
    for b, c, n in ((40, 20, 500), (9, 1, 100), (30, 10, 60), (3, 0, 20), (12, 3, 100)):
        published = rc.replicate(discordant=(b, c), cases=n).as_published
        needed = check.critical_wins(b + c, 0.05)
        assert published == close(stats.binom.sf(needed - 1, b + c, b / (b + c)), 1e-9)


def test_corrected_t_replication_by_integration() -> None:
    """SciPy's nct density and adaptive quadrature over the prior."""
    from scipy.integrate import quad

    for t, k in ((1.0, 10), (2.4, 10), (4.0, 10), (2.0, 30)):
        ratio, df = 1 / (k - 1), k - 1
        kappa = math.sqrt((1 + 0.2 * k * ratio) / (1 + k * ratio))
        bar = stats.t.isf(0.025, df) / kappa

        learned = prior_for("cases", "unknown", 300)
        noise = math.sqrt(1 + 0.2 * k * ratio)

        def prior(x: float, learned: Any = learned, noise: float = noise) -> float:
            parts = zip(learned.weights, learned.spreads, strict=True)
            return sum(w * stats.norm.pdf(x, scale=s / noise) for w, s in parts)

        def weight(x: float, t: float = t, df: int = df, kappa: float = kappa) -> float:
            return float(prior(x) * stats.nct.pdf(t / kappa, df, x))

        whole = quad(weight, -12, 25, limit=200, points=[0])[0]
        part = quad(
            lambda x, df=df, bar=bar: weight(x) * stats.nct.sf(bar, df, x),
            -12,
            25,
            limit=200,
            points=[0],
        )[0]
        found = rc.replicate(t=t, folds=k)
        assert found.probability == pytest.approx(part / whole, abs=1e-5)
        same = rc.replicate(pvalue=2 * stats.t.sf(t, df), design=rc.KFold(k))
        assert same.probability == close(found.probability, 1e-9)


def test_required_pvalue_by_mpmath() -> None:
    """Eq 13 of Berrar (2024) inverted by bisection on mpmath's tails (tests/independent.py)."""
    for df, wanted in ((4, 0.5), (9, 0.95), (19, 0.8)):
        _, pvalue = check.required_t(df, wanted)
        found = rc.required_pvalue(wanted, design=rc.KFold(df + 1), estimator="as-published")
        assert found == close(pvalue, 1e-8)
    for wanted in (0.3, 0.8):
        z = stats.norm.isf(0.025) + stats.norm.ppf(wanted)
        found = rc.required_pvalue(wanted, design=rc.Datasets(1000), estimator="as-published")
        assert found == close(2 * stats.norm.sf(z), 1e-8)


def test_plan_by_the_closed_form() -> None:
    """With a flat prior P(n) = Phi((gain Y - bar) / sqrt(1 + gain^2)): the least n by search."""
    n0, z = 30, 2.3
    s0 = math.sqrt((2 * n0 + 1) / (6 * n0 * (n0 + 1)))
    total = n0 * (n0 + 1) / 2
    share = 0.5 + (z * math.sqrt(total * (2 * n0 + 1) / 12) + 0.5) / total
    y = (2 * math.asin(math.sqrt(share)) - math.pi / 2) / (2 * s0)

    def chance(n: int) -> float:
        s = math.sqrt((2 * n + 1) / (6 * n * (n + 1)))
        total = n * (n + 1) // 2
        top = total / 2 + 0.5 + stats.norm.isf(0.025) * math.sqrt(total * (2 * n + 1) / 12)
        if n <= 50:  # the exact test
            tails = np.cumsum(check.signed_rank_counts(n)[::-1])
            top = total - np.count_nonzero(2 * tails < 0.05 * 2.0**n) + 0.5
        bar = (2 * math.asin(math.sqrt(top / total)) - math.pi / 2) / (2 * s)
        gain = math.sqrt(n / n0)
        return float(stats.norm.cdf((gain * y - bar) / math.sqrt(1 + gain**2)))

    found = rc.plan(rc.replicate(z=z, datasets=n0), probability=0.9, estimator="flat")
    assert found.needed == next(n for n in range(n0, 2000) if chance(n) >= 0.9)
    assert found.limit == close(stats.norm.cdf(y), 1e-9)
    for amount, probability in zip(found.amounts, found.probabilities, strict=True):
        assert probability == close(chance(int(amount)), 1e-9)


def test_replication_from_scores_is_that_of_the_statistic() -> None:
    """The statistic by SciPy, then the paper's numbers: scores, results and numbers agree."""
    for row in rows(12, (10, 20)):
        n = len(row)
        t = float(stats.ttest_1samp(row, 0).statistic) / math.sqrt(1 + n / (n - 1))
        found = rc.replicate(pair(row, design=rc.KFold(n)))
        assert found.probability == close(rc.replicate(t=t, folds=n).probability, 1e-9)
        z = float(stats.wilcoxon(row, correction=True, method="approx").zstatistic)
        found = rc.replicate(pair(row), spread=1.0)
        assert found.as_published == close(stats.norm.cdf(abs(z) - stats.norm.isf(0.025)), 1e-9)


def test_replication_curve_is_made_of_formulas() -> None:
    """SciPy's nct: the as-published curve of ten folds is Eq 13 at every p-value."""
    curve = rc.replication_curve(rc.replicate(t=2.9, folds=10))
    critical = stats.t.isf(0.025, 9)
    for pvalue, chance in zip(curve.pvalues, curve.as_published, strict=True):
        t = stats.t.isf(pvalue / 2, 9)
        assert chance == close(stats.nct.sf(critical, 9, t), 1e-8)


def test_empirical_replication_by_scipy() -> None:
    """SciPy's exact binomial interval of (s - 1) of (k - 1)."""
    for s, k in ((1, 2), (5, 10), (496, 1000), (10**6, 10**6)):
        found = rc.empirical_replication(s, k)
        limits = stats.binomtest(s - 1, k - 1).proportion_ci(0.95, method="exact")
        assert found.probability == (s - 1) / (k - 1)
        assert found.interval == close((limits.low, limits.high), 1e-9, 1e-15)


# --------------------------------------------------------------------------- many classifiers
def many(scores: np.ndarray) -> rc.ScoreTable:
    """A table of scores (classifiers, datasets)."""
    k, n = scores.shape
    return rc.ScoreTable(
        classifiers=tuple(f"c{i}" for i in range(k)), datasets=tuple(f"d{i}" for i in range(n)),
        scores=scores[:, :, None, None], design=rc.Datasets(),
    )  # fmt: skip


def test_friedman_by_scipy_and_permutations() -> None:
    """SciPy's friedmanchisquare; for three by three, the share of all 6^3 tables as extreme."""
    rng = np.random.default_rng(2)
    for k, n in ((3, 4), (4, 10), (6, 40)):
        scores = rng.normal(size=(k, n)).round(1)
        theirs = stats.friedmanchisquare(*scores)
        found = rc.friedman_test(many(scores))
        assert (found.statistic, found.pvalue) == close((theirs.statistic, theirs.pvalue), 1e-10)
    agreeing = rc.friedman_test(many(np.arange(3.0)[:, None] + np.zeros((3, 3))))
    orders = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    same = sum(a == b == c for a, b, c in product(orders, repeat=3))
    assert agreeing.f_pvalue == close(same / 6**3)


def test_compare_many_by_scipy() -> None:
    """SciPy's wilcoxon for every pair, its Tukey range for Nemenyi, Holm written out."""
    from scipy.stats import studentized_range

    rng = np.random.default_rng(4)
    table = many(rng.normal(size=(4, 15)) + np.arange(4)[:, None] * 0.4)
    found = rc.rank(table)
    raw = []
    for cell in found.pairs:
        scores = table.pair(cell.first, cell.second)
        raw.append(stats.wilcoxon(scores.differences, method="exact").pvalue)
        assert cell.pvalue == close(raw[-1])
    assert [cell.adjusted for cell in found.pairs] == close(check.holm(raw))
    q = studentized_range.isf(0.05, 4, np.inf) / math.sqrt(2)
    assert found.critical_difference == close(q * math.sqrt(4 * 5 / (6 * 15)), 1e-7)
    ranks = np.mean([stats.rankdata(-column) for column in table.scores[:, :, 0, 0].T], axis=0)
    assert found.average_ranks == close(sorted(ranks.tolist()))
    for cell in bayesian_matrix(table, draws=4000):
        d = table.pair(*cell.names).differences.tolist()
        left, _, right = check.signed_rank_posterior(d, 0.0, 1500, 2)
        assert (cell.second_better, cell.first_better) == pytest.approx((left, right), abs=0.05)


def test_tiny_nemenyi_levels_by_the_normal_tail() -> None:
    """Of two classifiers the range is one difference: R's qnorm, here SciPy's, at any level."""
    from replicast.inference.friedman import nemenyi_difference

    for level in (0.05, 1e-6, 1e-12, 1e-30, 1e-290):
        found = nemenyi_difference(2, 10, significance=level)
        assert found == close(stats.norm.isf(level / 2) * math.sqrt(1 / 10), 1e-7)


# --------------------------------------------------------------------------- the rest
def test_normality_by_scipy() -> None:
    """SciPy's shapiro and ks_1samp; Lilliefors' p by another simulation."""
    for row in rows(7, (5, 12, 60)):
        theirs = stats.shapiro(row)
        ours = rc.check_normality(row)
        assert (ours.statistic, ours.pvalue) == close((theirs.statistic, theirs.pvalue), 1e-9)
        fitted = stats.norm(row.mean(), row.std(ddof=1))
        theirs = stats.ks_1samp(row, fitted.cdf, method="exact")
        ours = rc.check_normality(row, method="kolmogorov-smirnov")
        assert (ours.statistic, ours.pvalue) == close((theirs.statistic, theirs.pvalue), 1e-9)
        ours = rc.check_normality(row, method="lilliefors")
        drawn = stats.goodness_of_fit(
            stats.norm, row, statistic="ks", n_mc_samples=2000, rng=np.random.default_rng(1)
        )
        assert ours.statistic == close(theirs.statistic, 1e-9)
        assert ours.pvalue == pytest.approx(drawn.pvalue, abs=0.06)


def test_replicability_by_counting_pairs() -> None:
    """All pairs of outcomes, counted one by one; R1 over neighbours."""
    rng = np.random.default_rng(3)
    p, signs = rng.uniform(0, 0.12, (4, 10)), rng.choice([-1, 1], (4, 10))
    found = rc.Replicability.from_pvalues(p, signs)
    outcomes = [[x < 0.05 for x in row] for row in p.tolist()]
    assert found.r2 == close(np.mean([check.r2_of(row) for row in outcomes]))
    assert found.r1 == close(np.mean([check.r1(row) for row in outcomes]))
    three = [[s * (x < 0.05) for x, s in zip(*pair, strict=True)]
             for pair in zip(p.tolist(), signs.tolist(), strict=True)]  # fmt: skip
    assert found.r2_three_valued == close(np.mean([check.r2_of(row) for row in three]))
    counted = rc.Replicability.from_counts([sum(not x for x in row) for row in outcomes], 10)
    assert counted.r2 == close(found.r2)


def test_decide_and_compare_follow_the_pvalue_of_scipy() -> None:
    """SciPy's p-value and interval decide; the verdict must be the same."""
    for row in rows(13, (10,) * 12):
        theirs = stats.ttest_1samp(row, 0)
        found = rc.compare(pair(row), method="paired-ttest")
        significant = theirs.pvalue < 0.05
        assert found.verdict.significant == significant
        assert found.evidence.pvalue == close(theirs.pvalue, 1e-11)
        outcome = ("first better" if row.mean() > 0 else "second better") if significant else None
        assert found.verdict.outcome == (outcome or "inconclusive")
        limits = theirs.confidence_interval(0.9)
        inside = max(-limits.low, limits.high) * 1.001
        if not significant:
            assert rc.decide(found.evidence, rope=inside).outcome == "equivalent"
