"""Write replication_calibrated.json: the calibrated replication probabilities in plain SciPy.

Every formula is written out for one case at a time and shares nothing with the package. The mean
over the chi distribution of a t-test uses the 32-point Gauss-Legendre rule that defines the
estimator; shares of wins are summed on a grid. The priors of shares and gaps are made up for the
purpose, so that the file does not depend on what is learned from corpora.
"""

import json
import math
from pathlib import Path

import numpy as np
from scipy import optimize, stats

PRIOR = (1.0, 3.0, 9.0)
ANGLES = (0.3, 0.2, 0.5), (0.15, 0.35, 0.7)  # prior of a share of the rank sum: weights, sds
STRENGTHS = (0.4, 0.6), (10.0, 1.5)  # prior of a rate of wins: weights, symmetric beta
GAPS = (0.25, 0.35, 0.4), (0.004, 0.03, 0.2)  # prior of a difference in accuracy: weights, sds
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(32)


def chi_points(df: float) -> list[tuple[float, float]]:
    return [
        (math.sqrt(stats.chi2.ppf((x + 1) / 2, df) / df), w / 2)
        for x, w in zip(POINTS, WEIGHTS, strict=True)
    ]


def kappa(k: int, r: int) -> float:
    rho = 1 / (k - 1)
    shared = (0.16 + 0.04 / r) * k * rho
    return math.sqrt((1 - 0.3 * (1 - 1 / r) + shared) / (1 / r + k * rho))


def power(signal: float, k: int, r: int, alpha: float) -> float:
    df = k * r - 1
    bar = stats.t.ppf(1 - alpha / 2, df) / kappa(k, r)
    return sum(w * stats.norm.cdf(signal - bar * x) for x, w in chi_points(df))


def components(seen: float) -> list[tuple[float, float, float]]:
    """Return evidence, mean and variance of the signal for each part of the prior."""
    found = []
    for sd in PRIOR:
        total = sd**2 + 1
        evidence = math.exp(-(seen**2) / (2 * total)) / math.sqrt(total) / len(PRIOR)
        found.append((evidence, seen * sd**2 / total, sd**2 / total))
    return found


def mixture_answer(parts: list[tuple[float, float, float]], k: int, r: int, alpha: float):
    df = k * r - 1
    bar = stats.t.ppf(1 - alpha / 2, df) / kappa(k, r)
    total = sum(weight for weight, _, _ in parts)
    chance = sum(
        weight * w * stats.norm.cdf((mean - bar * x) / math.sqrt(1 + variance))
        for weight, mean, variance in parts
        for x, w in chi_points(df)
    )

    def below(signal: float) -> float:
        return sum(w * stats.norm.cdf((signal - m) / math.sqrt(v)) for w, m, v in parts) / total

    low, high = (
        optimize.brentq(lambda s, q=q: below(s) - q, -200, 200, xtol=1e-12) for q in (0.025, 0.975)
    )
    return chance / total, power(low, k, r, alpha), power(high, k, r, alpha)


def from_t(t: float, k: int, r: int, alpha: float):
    """T is all that is known: given it and a part of the prior, w is chi with k r degrees of freedom."""
    df, u = k * r - 1, t / kappa(k, r)
    parts = []
    for sd in PRIOR:
        total = sd**2 + 1
        evidence = stats.t.pdf(u / math.sqrt(total), df) / math.sqrt(total)
        smaller = math.sqrt((df + 1) / (df + u**2 / total))
        for x, w in chi_points(df + 1):
            seen = u * smaller * x
            parts.append((w * evidence, seen * sd**2 / total, sd**2 / total))
    return mixture_answer(parts, k, r, alpha)


def from_signal(signal: float, k: int, alpha: float):
    return mixture_answer(components(signal), k, 1, alpha)


def spread(n: int) -> float:
    return math.sqrt((2 * n + 1) / (6 * n * (n + 1)))


def score(share: float, n: int) -> float:
    return (2 * math.asin(math.sqrt(share)) - math.pi / 2) / (2 * spread(n))


def least_rank_sum(n: int, alpha: float) -> float:
    """Return the least W+ that is significant: exact up to 50 differences, half a rank less; normal."""
    total = n * (n + 1) // 2
    if n > 50:
        return total / 2 + 0.5 + stats.norm.ppf(1 - alpha / 2) * math.sqrt(total * (2 * n + 1) / 12)
    ways = [1]
    for rank in range(1, n + 1):
        ways = [
            (ways[w] if w < len(ways) else 0) + (ways[w - rank] if w >= rank else 0)
            for w in range(len(ways) + rank)
        ]
    tail = 0
    for w in range(total, -1, -1):
        tail += ways[w]
        if 2 * tail >= alpha * 2**n:
            return w + 0.5
    return 0.0


def from_share(share: float, n: int, fresh: int, alpha: float):
    total = fresh * (fresh + 1) / 2
    least = least_rank_sum(fresh, alpha)
    bar = score(least / total, fresh) if least < total else math.inf
    seen, gain = score(share, n), math.sqrt(fresh / n)
    parts = []
    for weight, sd in zip(*ANGLES, strict=True):
        variance = (sd / (2 * spread(n))) ** 2
        evidence = stats.norm.pdf(seen, scale=math.sqrt(1 + variance))
        keep = variance / (1 + variance)
        parts.append((weight * evidence, seen * keep, keep))
    whole = sum(weight for weight, _, _ in parts)
    chance = sum(
        w * stats.norm.cdf((gain * c - bar) / math.sqrt(1 + gain**2 * v)) for w, c, v in parts
    )

    def below(signal: float) -> float:
        return sum(w * stats.norm.cdf((signal - c) / math.sqrt(v)) for w, c, v in parts) / whole

    limits = [optimize.brentq(lambda s, q=q: below(s) - q, -90, 90) for q in (0.025, 0.975)]
    low, high = (stats.norm.cdf(gain * x - bar) for x in limits)
    return chance / whole, low, high


def least_wins(n: int, alpha: float) -> int:
    return next(
        s for s in range(n // 2, n + 2) if s > n or 2 * stats.binom.sf(s - 1, n, 0.5) < alpha
    )


def from_shares(log_density, sizes, alpha: float):
    """Return chance and limits for a share of wins, on a fine grid; sizes: (decided, chance, wins)."""
    share = (np.arange(20_000) + 0.5) / 20_000
    log = log_density(share)
    mass = np.exp(log - log.max())
    mass /= mass.sum()
    tail = np.cumsum(mass)
    ends = np.interp([0.025, 0.975], tail, share + 0.5 / 20_000)

    def reached(at):
        return sum(
            chance * stats.binom.sf(least - 1, size, at)
            for size, chance, least in sizes
            if least <= size and chance > 1e-10
        )

    return (mass @ reached(share), *(reached(end) for end in ends))


def from_wins(wins: int, n: int, ties: int, rule: str, fresh: int, alpha: float):
    lost = n - wins - ties
    sizes = []
    for t in range(fresh + 1):
        chance = stats.betabinom.pmf(t, fresh, 1 + ties, 1 + wins + lost)
        least = least_wins(fresh, alpha) - t // 2
        if rule == "drop":
            least = least_wins(fresh - t, alpha) if t < fresh else 1
        sizes.append((fresh - t, chance, least))

    def log_density(share):
        prior = sum(w * stats.beta.pdf(share, b, b) for w, b in zip(*STRENGTHS, strict=True))
        return wins * np.log(share) + lost * np.log1p(-share) + np.log(prior)

    return from_shares(log_density, sizes, alpha)


def from_discordant(first: int, second: int, cases: int, fresh: int, alpha: float):
    m, best = first + second, max(first, second)
    rate = (m + 1) / (cases + 4)
    sizes = []
    for size in range(fresh + 1):
        chance = stats.betabinom.pmf(size, fresh, 1 + m, 3 + cases - m)
        if chance > 1e-10:
            sizes.append((size, chance, least_wins(size, alpha) if size else 1))

    def log_density(share):
        gap = rate * (2 * share - 1)
        prior = sum(w * stats.norm.pdf(gap, scale=s) for w, s in zip(*GAPS, strict=True))
        return best * np.log(share) + (m - best) * np.log1p(-share) + np.log(prior)

    return from_shares(log_density, sizes, alpha)


def main() -> None:
    cases = []

    def add(model: str, answer, **inputs) -> None:
        names = ("probability", "low", "high")
        numbers = {name: float(value) for name, value in zip(names, answer, strict=True)}
        cases.append({"model": model, **inputs, **numbers})

    for k in (2, 5, 10, 20):
        for r in (1, 2, 3, 10):
            for t in (0.2, 1.0, 2.262, 3.5, 6.0, 12.0):
                add("t", from_t(t, k, r, 0.05), t=t, folds=k, runs=r, alpha=0.05)
    for t in (1.0, 2.262, 4.0):
        add("t", from_t(t, 10, 1, 0.01), t=t, folds=10, runs=1, alpha=0.01)
    for signal in (-1.0, 0.0, 1.5, 3.0, 6.0):
        for k in (5, 10):
            add("signal", from_signal(signal, k, 0.05), signal=signal, folds=k, alpha=0.05)
    for n in (6, 10, 20, 44, 200):
        for share in (0.5, 0.6, 0.75, 0.9, 1.0):
            for fresh in (n, 3 * n):
                answer = from_share(share, n, fresh, 0.05)
                add("share", answer, share=share, n=n, fresh=fresh, alpha=0.05)
    for wins, n, ties in ((10, 20, 0), (15, 20, 2), (9, 20, 11), (29, 44, 0), (24, 44, 5)):
        for rule in ("half", "drop"):
            for fresh in (n, 2 * n):
                answer = from_wins(wins, n, ties, rule, fresh, 0.05)
                add("wins", answer, wins=wins, n=n, ties=ties, rule=rule, fresh=fresh, alpha=0.05)
    for first, second, size in (
        (40, 20, 500),
        (20, 40, 500),
        (12, 3, 100),
        (30, 10, 60),
        (3, 0, 20),
    ):
        for fresh in (size, 4 * size):
            answer = from_discordant(first, second, size, fresh, 0.05)
            add(
                "discordant",
                answer,
                first=first,
                second=second,
                cases=size,
                fresh=fresh,
                alpha=0.05,
            )
    lines = ",\n".join("  " + json.dumps(case) for case in cases)
    head = {
        "source": "SciPy 1.17.1 and NumPy 2.4.6",
        "command": "calibrated replication probability and 95 % limits, formulas in the script",
        "script": "make/replication_calibrated.py",
        "rtol": 1e-6,
    }
    start = json.dumps(head)[:-1]
    target = Path(__file__).parents[1] / "replication_calibrated.json"
    target.write_text(f'{start},\n "cases": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
