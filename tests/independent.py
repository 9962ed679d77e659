"""Second implementations of the statistics: short, slow and plain, to check the package against.

Nothing here imports the package or calls a ready-made test. Sign patterns and binomial outcomes
are enumerated, tails come from mpmath, and everything else is written as loops over lists.
"""

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from mpmath.ctx_mp import MPContext
from scipy.optimize import brentq
from scipy.special import betaincinv

Numbers = Sequence[float]
Matrix = Sequence[Sequence[float]]

mp: Any = MPContext()  # a context of its own: the precision set here changes nobody else's
mp.dps = 20


# Tails, roots and ranks


def t_upper(t: float, df: float) -> float:
    """Return P(T > t) of Student's t."""
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    tail = mp.betainc(mp.mpf(df) / 2, 0.5, 0, df / (df + mp.mpf(t) ** 2), regularized=True) / 2
    return float(tail if t >= 0 else 1 - tail)


def f_upper(f: float, df1: float, df2: float) -> float:
    """Return P(F > f) of the F distribution."""
    if math.isinf(f):
        return 0.0
    x = df2 / (df2 + df1 * mp.mpf(f))
    return float(mp.betainc(mp.mpf(df2) / 2, mp.mpf(df1) / 2, 0, x, regularized=True))


def chi2_upper(x: float, df: float) -> float:
    """Return P(X > x) of the chi-squared distribution."""
    return float(mp.gammainc(mp.mpf(df) / 2, mp.mpf(x) / 2, mp.inf, regularized=True))


def normal_upper(z: float) -> float:
    """Return P(Z > z) of the standard normal."""
    return float(mp.ncdf(-z))


def root(f: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of an increasing function inside a bracket."""
    return float(brentq(f, low, high, xtol=1e-15, rtol=1e-14, maxiter=300))


def t_critical(df: float, alpha: float) -> float:
    """Return the two-sided critical value of Student's t."""
    return root(lambda t: alpha / 2 - t_upper(t, df), 0.0, 1e5)


def normal_critical(alpha: float) -> float:
    """Return the two-sided critical value of the standard normal."""
    return root(lambda z: alpha / 2 - normal_upper(z), 0.0, 40.0)


def nct_upper(t: float, df: float, ncp: float) -> float:
    """Return P(T > t) of the noncentral t as a mixture over chi, to about 1e-19 absolute."""
    constant = (df / 2 - 1) * mp.log(2) + mp.loggamma(df / 2)
    slope = t / mp.sqrt(df)

    def integrand(u: Any) -> Any:
        density = mp.exp((df - 1) * mp.log(u) - u * u / 2 - constant)
        return density * mp.ncdf(ncp - slope * u)

    centre = math.sqrt(df)
    cuts = [max(0.0, centre + step) for step in (-12, -6, -3, -1, 0, 1, 3, 6, 12, 25)]
    return float(sum(mp.quad(integrand, [a, b]) for a, b in pairwise(cuts) if a < b))


def binomial_upper(s: int, n: int, theta: float) -> float:
    """Return P(X >= s) of the binomial by adding its outcomes."""
    p = mp.mpf(theta)
    return float(sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(s, n + 1)))


def mean(x: Numbers) -> float:
    """Return the mean."""
    return math.fsum(x) / len(x)


def variance(x: Numbers) -> float:
    """Return the variance with n - 1 below; exactly zero where all values are equal."""
    if all(value == x[0] for value in x):
        return 0.0
    return math.fsum((value - mean(x)) ** 2 for value in x) / (len(x) - 1)


def midranks(x: Numbers) -> list[float]:
    """Return ranks from 1, equal values sharing their mean rank."""
    return [sum(v < value for v in x) + (x.count(value) + 1) / 2 for value in list(x)]


# Tests


def paired_t(d: Numbers) -> tuple[float, float]:
    """Return t and the two-sided p of the paired t-test."""
    return corrected_t(d, 0.0)


def corrected_t(d: Numbers, ratio: float) -> tuple[float, float]:
    """Return t and the two-sided p of the corrected t-test; ratio is test rows / training rows."""
    m, s2 = mean(d), variance(d)
    if s2 == 0:
        return (0.0, 1.0) if m == 0 else (math.copysign(math.inf, m), 0.0)
    t = m / math.sqrt((1 / len(d) + ratio) * s2)
    return t, min(1.0, 2 * t_upper(abs(t), len(d) - 1))


def _replicate_variances(x: Matrix) -> list[float]:
    """Return the sum of squares about its mean of each of the five pairs."""
    return [(a - (a + b) / 2) ** 2 + (b - (a + b) / 2) ** 2 for a, b in x]


def five_by_two_t(x: Matrix) -> tuple[float, float]:
    """Return t (df 5) and the two-sided p of the 5x2cv t-test."""
    s2 = mean(_replicate_variances(x))
    if s2 == 0:
        return (0.0, 1.0) if x[0][0] == 0 else (math.copysign(math.inf, x[0][0]), 0.0)
    t = x[0][0] / math.sqrt(s2)
    return t, min(1.0, 2 * t_upper(abs(t), 5))


def five_by_two_f(x: Matrix) -> tuple[float, float]:
    """Return F (10 and 5 df) and p of the combined 5x2cv F-test."""
    squares = math.fsum(value**2 for pair in x for value in pair)
    s2 = math.fsum(_replicate_variances(x))
    if s2 == 0:
        return (0.0, 1.0) if squares == 0 else (math.inf, 0.0)
    return squares / (2 * s2), f_upper(squares / (2 * s2), 10, 5)


def sign(d: Numbers, ties: str = "half") -> float:
    """Return the two-sided p of the sign test; ties count half (rounded down) or are dropped."""
    wins, losses = sum(x > 0 for x in d), sum(x < 0 for x in d)
    tied = len(d) - wins - losses
    if ties == "drop":
        n, larger = wins + losses, max(wins, losses)
    else:
        n, larger = len(d), math.floor(max(wins, losses) + Fraction(tied, 2))
    upper = sum(math.comb(n, i) for i in range(larger, n + 1))
    return float(min(Fraction(1), 2 * Fraction(upper, 2**n)))


def signed_rank_exact(d: Numbers) -> tuple[float, float]:
    """Return W+ and the two-sided p over all sign patterns of the mid-ranks (n up to about 18)."""
    kept = [x for x in d if x != 0]
    ranks = midranks([abs(x) for x in kept])
    w = sum(rank for rank, x in zip(ranks, kept, strict=True) if x > 0)
    below = above = 0
    for signs in product((0, 1), repeat=len(kept)):
        total = sum(rank for rank, on in zip(ranks, signs, strict=True) if on)
        below += total <= w
        above += total >= w
    return w, float(min(Fraction(1), 2 * Fraction(min(below, above), 2 ** len(kept))))


def signed_rank_normal(d: Numbers) -> tuple[float, float]:
    """Return Z (continuity and tie corrected) and the two-sided p of the signed-rank test."""
    kept = [x for x in d if x != 0]
    n = len(kept)
    if n == 0:
        return 0.0, 1.0
    sizes = [abs(x) for x in kept]
    w = sum(rank for rank, x in zip(midranks(sizes), kept, strict=True) if x > 0)
    tie_term = sum(sizes.count(size) ** 3 - sizes.count(size) for size in set(sizes))
    s = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - tie_term / 48)
    shift = w - n * (n + 1) / 4
    z = math.copysign(max(0.0, abs(shift) - 0.5), shift) / s
    return z, min(1.0, 2 * normal_upper(abs(z)))


def signed_rank_counts(n: int) -> list[int]:
    """Return how many of the 2^n sign patterns of the ranks 1..n give each W+."""
    counts = [1]
    for rank in range(1, n + 1):
        longer = counts + [0] * rank
        for w, count in enumerate(counts):
            longer[w + rank] += count
        counts = longer
    return counts


def pseudomedian(d: Numbers, confidence: float) -> tuple[float, float, float]:
    """Return the Hodges-Lehmann estimate and its exact interval (no zeros, no ties)."""
    walsh = sorted((d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d)))
    counts, tail, k = signed_rank_counts(len(d)), 0, 0
    while Fraction(tail + counts[k], 2 ** len(d)) <= Fraction(str(round(1 - confidence, 12))) / 2:
        tail, k = tail + counts[k], k + 1
    middle = (walsh[(len(walsh) - 1) // 2] + walsh[len(walsh) // 2]) / 2
    k = max(k, 1)
    return middle, walsh[k - 1], walsh[-k]


def mcnemar_exact(b: int, c: int) -> float:
    """Return the exact two-sided p of McNemar's test from the two discordant counts."""
    upper = sum(math.comb(b + c, i) for i in range(max(b, c), b + c + 1))
    return float(min(Fraction(1), 2 * Fraction(upper, 2 ** (b + c))))


def mcnemar_midp(b: int, c: int) -> float:
    """Return the mid-p of McNemar's test: the observed outcome counts half."""
    upper = sum(math.comb(b + c, i) for i in range(max(b, c), b + c + 1))
    observed = math.comb(b + c, max(b, c))
    return float(Fraction(2 * upper - observed, 2 ** (b + c)))


def sign_flip(d: Numbers) -> float:
    """Return the share of sign patterns whose sum is at least as far from zero as observed."""
    exact = [Fraction(str(x)) for x in d]
    observed = abs(sum(exact, Fraction(0)))
    hits = 0
    for signs in product((1, -1), repeat=len(d)):
        total = sum((s * x for s, x in zip(signs, exact, strict=True)), Fraction(0))
        hits += abs(total) >= observed
    return float(Fraction(hits, 2 ** len(d)))


def ks_statistic(d: Numbers) -> float:
    """Return the largest distance of the sample from a normal with its own mean and sd."""
    m, s = mean(d), math.sqrt(variance(d))
    distance = 0.0
    for x in d:
        cdf = 1 - normal_upper((x - m) / s)
        at_most = sum(v <= x for v in d) / len(d)
        below = sum(v < x for v in d) / len(d)
        distance = max(distance, at_most - cdf, cdf - below)
    return distance


def ks_pvalue(d: Numbers) -> float:
    """Return the asymptotic p of the plain Kolmogorov-Smirnov test, the fitting ignored."""
    x = len(d) * ks_statistic(d) ** 2
    return min(1.0, 2 * math.fsum((-1) ** (k - 1) * math.exp(-2 * k * k * x) for k in range(1, 99)))


# Posteriors


def correlated_posterior(d: Numbers, ratio: float, rope: float) -> tuple[float, float, float]:
    """Return the mass below -rope, inside, and above rope of the correlated t posterior."""
    scale = math.sqrt((1 / len(d) + ratio) * variance(d))
    df = len(d) - 1
    if scale == 0:
        m = mean(d)
        return float(m < -rope), float(-rope <= m <= rope), float(m > rope)
    left = t_upper((mean(d) + rope) / scale, df)
    right = t_upper((rope - mean(d)) / scale, df)
    return left, 1 - left - right, right


def signed_rank_posterior(
    d: Numbers, rope: float, draws: int, seed: int
) -> tuple[float, float, float]:
    """Return the share of Dirichlet draws won by each region of the Walsh sums."""
    generator = random.Random(seed)
    z = [0.0, *d]
    votes = [0.0, 0.0, 0.0]
    for _ in range(draws):
        gammas = [generator.gammavariate(0.5 if i == 0 else 1.0, 1.0) for i in range(len(z))]
        mass = [0.0, 0.0, 0.0]
        for gi, zi in zip(gammas, z, strict=True):
            for gj, zj in zip(gammas, z, strict=True):
                region = 0 if zi + zj < -2 * rope else 2 if zi + zj > 2 * rope else 1
                mass[region] += gi * gj
        winners = [i for i in range(3) if mass[i] == max(mass)]
        for i in winners:
            votes[i] += 1 / len(winners)
    return votes[0] / draws, votes[1] / draws, votes[2] / draws


# Effect sizes


def d_prime(d: Numbers) -> float:
    """Return |mean| / s of the differences; 0 for all zeros, infinite for another constant."""
    m, s2 = mean(d), variance(d)
    if s2 == 0:
        return 0.0 if m == 0 else math.inf
    return abs(m) / math.sqrt(s2)


def rank_r(d: Numbers) -> float:
    """Return |Z| over the root of the number of observations, twice the pairs."""
    return abs(signed_rank_normal(d)[0]) / math.sqrt(2 * len(d))


def a12(a: Numbers, b: Numbers) -> float:
    """Return the probability that a value of a exceeds one of b, equality counting half."""
    hits = sum((x > y) + Fraction(x == y, 2) for x in a for y in b)
    return float(Fraction(hits) / (len(a) * len(b)))


def cliffs_delta(a: Numbers, b: Numbers) -> float:
    """Return the share of pairs in which a is larger minus the share in which b is."""
    return sum((x > y) - (x < y) for x in a for y in b) / (len(a) * len(b))


def rank_biserial(d: Numbers) -> float:
    """Return (W+ - W-) / (W+ + W-) over the non-zero differences; 0 if there are none."""
    kept = [x for x in d if x != 0]
    ranks = midranks([abs(x) for x in kept])
    signed = sum(rank if x > 0 else -rank for rank, x in zip(ranks, kept, strict=True))
    return signed / sum(ranks) if kept else 0.0


# Power


def power_t_exact(d_prime: float, n: int, ratio: float, alpha: float) -> float:
    """Return the power of the two-sided (corrected) t-test from the noncentral t."""
    ncp, critical = d_prime / math.sqrt(1 / n + ratio), t_critical(n - 1, alpha)
    return nct_upper(critical, n - 1, ncp) + nct_upper(critical, n - 1, -ncp)


def power_t_shifted(d_prime: float, n: int, ratio: float, alpha: float) -> float:
    """Return the power of the two-sided t-test from a central t moved by the effect."""
    ncp, critical = d_prime / math.sqrt(1 / n + ratio), t_critical(n - 1, alpha)
    return t_upper(critical - ncp, n - 1) + t_upper(critical + ncp, n - 1)


def power_wilcoxon_simulated(
    mean: float, sd: float, n: int, alpha: float, draws: int, seed: int, model: str = "paired"
) -> float:
    """Return the share of significant signed-rank tests among normal samples (exact p, no ties).

    paired: differences from Normal(mean, sd). independent: A from Normal(mean, sd) and B from
    Normal(0, sd), so that the differences have standard deviation sd * sqrt(2).
    """
    generator, counts = random.Random(seed), signed_rank_counts(n)
    tail = [min(1.0, 2 * sum(counts[: w + 1]) / 2**n) for w in range(len(counts) // 2 + 1)]
    hits = 0
    for _ in range(draws):
        d = [generator.gauss(mean, sd) for _ in range(n)]
        if model == "independent":
            d = [x - generator.gauss(0, sd) for x in d]
        order = sorted(d, key=abs)
        w = sum(rank for rank, x in enumerate(order, start=1) if x > 0)
        hits += tail[min(w, n * (n + 1) // 2 - w)] < alpha
    return hits / draws


# Sampling schemes


def scheme(matrix: Matrix, name: str) -> list[float]:
    """Return the sample of a runs x folds matrix under a sampling scheme."""
    runs = [list(row) for row in matrix]
    if name == "all":
        return [x for row in runs for x in row]
    if name == "folds":
        return [mean(row) for row in runs]
    if name == "first-run":
        return runs[0]
    if name == "sorted":
        runs = [sorted(row) for row in runs]
    elif name != "runs":
        raise ValueError(name)
    return [mean([row[j] for row in runs]) for j in range(len(runs[0]))]


# Replication probability


def critical_wins(n: int, alpha: float) -> int:
    """Return the least number of wins with two-sided p < alpha, n + 1 if there is none."""
    for s in range(n // 2, n + 1):
        if 2 * Fraction(sum(math.comb(n, i) for i in range(s, n + 1)), 2**n) < Fraction(str(alpha)):
            return s
    return n + 1


def clopper_pearson(wins: float, n: int, c: float) -> tuple[float, float]:
    """Return the exact 1 - c interval of a success rate."""

    def cdf(theta: float, a: float, b: float) -> float:
        return float(mp.betainc(a, b, 0, theta, regularized=True))

    low = root(lambda x: cdf(x, wins, n - wins + 1) - c / 2, 0.0, 1.0) if wins > 0 else 0.0
    high = root(lambda x: cdf(x, wins + 1, n - wins) - 1 + c / 2, 0.0, 1.0) if wins < n else 1.0
    return low, high


def replication_binomial(wins: float, n: int, alpha: float, c: float) -> tuple[float, float, float]:
    """Return P and its limits under the binomial model, in the observed direction."""
    wins, s = max(wins, n - wins), critical_wins(n, alpha)
    low, high = clopper_pearson(wins, n, c)
    return binomial_upper(s, n, wins / n), binomial_upper(s, n, low), binomial_upper(s, n, high)


def beta_hdi(a: float, b: float, c: float) -> tuple[float, float]:
    """Return the shortest interval holding 1 - c of a beta distribution, to about 1e-8."""

    def interval(p: float) -> tuple[float, float]:
        return float(betaincinv(a, b, p)), float(betaincinv(a, b, min(1.0, p + 1 - c)))

    def width(p: float) -> float:
        return interval(p)[1] - interval(p)[0]

    left, right = 0.0, c
    for _ in range(200):
        third = (right - left) / 3
        if width(left + third) < width(right - third):
            right -= third
        else:
            left += third
    return interval(min((left, 0.0, c), key=width))


def replication_bayesian(wins: float, n: int, alpha: float, c: float) -> tuple[float, float, float]:
    """Return P at the posterior mean and its limits at the ends of the posterior HDI."""
    wins, s = max(wins, n - wins), critical_wins(n, alpha)
    low, high = beta_hdi(1 + wins, 1 + n - wins, c)
    at_mean = binomial_upper(s, n, (1 + wins) / (2 + n))
    return at_mean, binomial_upper(s, n, low), binomial_upper(s, n, high)


def replication_bayesian_predictive(wins: float, n: int, alpha: float) -> float:
    """Return P averaged over the posterior: the beta-binomial tail."""
    wins, s = max(wins, n - wins), critical_wins(n, alpha)
    a, b = 1 + wins, 1 + n - wins
    total = sum(math.comb(n, i) * mp.beta(a + i, b + n - i) for i in range(s, n + 1))
    return float(total / mp.beta(a, b))


def replication_wilcoxon(z: float, s: float, alpha: float, c: float) -> tuple[float, float, float]:
    """Return P and its limits under the Wilcoxon model with standard deviation s of Z."""
    z, critical, reach = abs(z), normal_critical(alpha), normal_critical(c) * s
    low, middle, high = (normal_upper((critical - x) / s) for x in (z - reach, z, z + reach))
    return middle, low, high


def replication_t(t: float, df: float, alpha: float, c: float) -> tuple[float, float, float]:
    """Return P and its limits under the corrected t model, by integration."""
    t, critical = abs(t), t_critical(df, alpha)
    low = root(lambda x: 1 - c / 2 - nct_upper(x, df, t), -20.0, t + 5)
    high = root(lambda x: c / 2 - nct_upper(x, df, t), t - 5, 20 * t + 50)
    p, at_low, at_high = (nct_upper(critical, df, ncp) for ncp in (t, low, high))
    return p, at_low, at_high


def required_t(df: float, target: float, alpha: float = 0.05) -> tuple[float, float]:
    """Return the T, and its two-sided p, at which the replication probability is the target."""
    critical = t_critical(df, alpha)
    t = root(lambda x: nct_upper(critical, df, x) - target, 0.0, 50.0)
    return t, 2 * t_upper(t, df)


def replication_empirical(significant: int, replications: int) -> float:
    """Return the share of significant replications, the first experiment taken off both."""
    return (significant - 1) / (replications - 1)


# Replicability


def r1(outcomes: Sequence[object]) -> float:
    """Return the share of equal disjoint pairs of an even number of outcomes."""
    pairs = [(outcomes[i], outcomes[i + 1]) for i in range(0, len(outcomes), 2)]
    return sum(a == b for a, b in pairs) / len(pairs)


def r2(accepted: int, n: int) -> float:
    """Return the share of equal pairs among all pairs, by counting them."""
    return r2_of([i < accepted for i in range(n)])


def r2_of(outcomes: Sequence[object]) -> float:
    """Return the share of equal pairs among all pairs of outcomes with any number of values."""
    n = len(outcomes)
    equal = sum(outcomes[i] == outcomes[j] for i in range(n) for j in range(i))
    return equal / (n * (n - 1) / 2)


def normalised(r: float) -> float:
    """Return replicability on the scale where a fair coin has 0."""
    return 2 * (r - 0.5)


def _enumerated_variance(values: Numbers, chances: Numbers) -> float:
    """Return the variance of a discrete variable."""
    m = math.fsum(v * q for v, q in zip(values, chances, strict=True))
    return math.fsum((v - m) ** 2 * q for v, q in zip(values, chances, strict=True))


def var_r1(r: float, n: int) -> float:
    """Return the variance of R1 over all numbers of equal pairs out of n / 2."""
    m = n // 2
    chances = [math.comb(m, k) * r**k * (1 - r) ** (m - k) for k in range(m + 1)]
    return _enumerated_variance([k / m for k in range(m + 1)], chances)


def var_r2(r: float, n: int) -> float:
    """Return the variance of R2 over all numbers of acceptances out of n."""
    p = 0.5 + math.sqrt(2 * r - 1) / 2
    chances = [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
    return _enumerated_variance([r2(i, n) for i in range(n + 1)], chances)


def consistency(accepted: Sequence[int], n: int) -> tuple[int, int, float]:
    """Return the data sets with all n outcomes equal, with at most one other, and the mean R2."""
    consistent = sum(i in (0, n) for i in accepted)
    almost = sum(i in (0, 1, n - 1, n) for i in accepted)
    return consistent, almost, mean([r2(i, n) for i in accepted])


# Several classifiers


def friedman(matrix: Matrix) -> tuple[float, float, float, float]:
    """Return chi2 (tie corrected), its p, Iman and Davenport's F, its p; rows are data sets."""
    n, k = len(matrix), len(matrix[0])
    ranks = [midranks(list(row)) for row in matrix]
    between = sum((sum(row[j] for row in ranks) - n * (k + 1) / 2) ** 2 for j in range(k))
    within = sum((rank - (k + 1) / 2) ** 2 for row in ranks for rank in row)
    if within == 0:
        return 0.0, 1.0, 0.0, 1.0
    chi2 = (k - 1) * between / within
    rest = n * (k - 1) - chi2
    f = (n - 1) * chi2 / rest if rest > 1e-9 else math.inf
    return chi2, chi2_upper(chi2, k - 1), f, f_upper(f, k - 1, (k - 1) * (n - 1))


def _step_down(ps: Numbers, factors: Numbers) -> list[float]:
    """Return p-values times factors in rising order, each at least the one before."""
    adjusted, worst = [0.0] * len(ps), 0.0
    for i, factor in zip(sorted(range(len(ps)), key=lambda i: ps[i]), factors, strict=True):
        worst = max(worst, min(1.0, factor * ps[i]))
        adjusted[i] = worst
    return adjusted


def _step_up(ps: Numbers, factors: Numbers) -> list[float]:
    """Return p-values times factors in falling order, each at most the one before."""
    adjusted, best = [0.0] * len(ps), 1.0
    for i, factor in zip(sorted(range(len(ps)), key=lambda i: -ps[i]), factors, strict=True):
        best = min(best, factor * ps[i])
        adjusted[i] = best
    return adjusted


def bonferroni(ps: Numbers) -> list[float]:
    """Return p-values multiplied by their number."""
    return [min(1.0, p * len(ps)) for p in ps]


def holm(ps: Numbers) -> list[float]:
    """Return Holm's step-down adjusted p-values."""
    return _step_down(ps, [len(ps) - i for i in range(len(ps))])


def hochberg(ps: Numbers) -> list[float]:
    """Return Hochberg's step-up adjusted p-values."""
    return _step_up(ps, [i + 1 for i in range(len(ps))])


def possible_true(k: int) -> set[int]:
    """Return how many of the pairwise hypotheses of k classifiers can be true together."""
    if k < 2:
        return {0}
    return {math.comb(j, 2) + rest for j in range(1, k + 1) for rest in possible_true(k - j)}


def shaffer(ps: Numbers, k: int) -> list[float]:
    """Return Shaffer's static adjusted p-values of all pairs of k classifiers."""
    counts = possible_true(k)
    return _step_down(ps, [max(c for c in counts if c <= len(ps) - i) or 1 for i in range(len(ps))])


def nemenyi_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """Return the critical difference of mean ranks of k classifiers on n data sets."""

    def range_cdf(q: float) -> Any:
        cuts = [-9, -4, -2, 0, 2, 4, 9, 16]
        return k * mp.quad(lambda x: mp.npdf(x) * (mp.ncdf(x) - mp.ncdf(x - q)) ** (k - 1), cuts)

    q = root(lambda q: float(range_cdf(q)) - 1 + alpha, 0.0, 12.0)
    return q / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n))
