"""Write replication_calibrated.json: the calibrated replication probabilities in plain SciPy.

Every formula is written out for one case at a time and shares nothing with the package. The mean
over the chi distribution of a t-test uses the 32-point Gauss-Legendre rule that defines the
estimator; integrals over the share of rank sum are adaptive.
"""

import json
import math
from pathlib import Path

import numpy as np
from scipy import integrate, optimize, stats

PRIOR = (1.0, 3.0, 9.0)
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
    u = t / kappa(k, r)
    parts = [
        (w * x * evidence, mean, variance)
        for x, w in chi_points(k * r - 1)
        for evidence, mean, variance in components(u * x)
    ]
    return mixture_answer(parts, k, r, alpha)


def from_signal(signal: float, k: int, alpha: float):
    return mixture_answer(components(signal), k, 1, alpha)


def spread(n: int) -> float:
    return math.sqrt((2 * n + 1) / (6 * n * (n + 1)))


def score(share: float, n: int) -> float:
    return (2 * math.asin(math.sqrt(share)) - math.pi / 2) / (2 * spread(n))


def from_share(share: float, n: int, fresh: int, alpha: float):
    bar_share = 0.5 + stats.norm.ppf(1 - alpha / 2) * spread(fresh) + 1 / (fresh * (fresh + 1))
    bar = score(min(1.0, bar_share), fresh)
    seen, gain, reach = score(share, n), math.sqrt(fresh / n), math.pi / (4 * spread(n))

    def mass(f, low: float, high: float) -> float:
        low, high = max(low, seen - 12), min(high, seen + 12)
        if high <= low:
            return 0.0
        cuts = [c for c in (seen - 3, seen, seen + 3, bar / gain) if low < c < high]
        return integrate.quad(
            lambda s: f(s) * stats.norm.pdf(seen - s) * math.cos(2 * spread(n) * s),
            low, high, points=cuts or None, epsabs=1e-13, epsrel=1e-12, limit=200,
        )[0]  # fmt: skip

    total = mass(lambda _: 1.0, -reach, reach)
    chance = mass(lambda s: stats.norm.cdf(gain * s - bar), -reach, reach) / total
    limits = [
        optimize.brentq(
            lambda x, q=q: mass(lambda _: 1.0, -reach, x) / total - q,
            max(-reach, seen - 11), min(reach, seen + 11), xtol=1e-10,
        )
        for q in (0.025, 0.975)
    ]  # fmt: skip
    low, high = (stats.norm.cdf(gain * x - bar) for x in limits)
    return chance, low, high


def least_wins(n: int, alpha: float) -> int:
    return next(
        s for s in range(n // 2, n + 2) if s > n or 2 * stats.binom.sf(s - 1, n, 0.5) < alpha
    )


def from_wins(wins: int, n: int, strength: float, fresh: int, alpha: float):
    a, b, s = strength + wins, strength + n - wins, least_wins(fresh, alpha)
    low, high = stats.beta.ppf([0.025, 0.975], a, b)
    return (
        stats.betabinom.sf(s - 1, fresh, a, b),
        stats.binom.sf(s - 1, fresh, low),
        stats.binom.sf(s - 1, fresh, high),
    )


def from_discordant(first: int, second: int, cases: int, fresh: int, alpha: float):
    m = first + second

    def angle(share: float, size: int) -> float:
        return 2 * math.sqrt(size) * (math.asin(math.sqrt(share)) - math.pi / 4)

    seen = angle(max(first, second) / m, m)
    parts = []
    for gap in (0.004, 0.016, 0.064):
        variance = (gap * cases / math.sqrt(m)) ** 2
        total = variance + 1
        evidence = math.exp(-(seen**2) / (2 * total)) / math.sqrt(total)
        parts.append((evidence, seen * variance / total, variance / total))
    whole = sum(weight for weight, _, _ in parts)

    def below(signal: float) -> float:
        return sum(w * stats.norm.cdf((signal - c) / math.sqrt(v)) for w, c, v in parts) / whole

    limits = [optimize.brentq(lambda s, q=q: below(s) - q, -90, 90) for q in (0.025, 0.975)]
    nodes, weights = np.polynomial.hermite_e.hermegauss(7)
    rate = m / cases
    answers = [0.0, 0.0, 0.0]
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        for inflated in (True, False):
            variance = fresh * rate * (1 - rate) * (1 + fresh / cases if inflated else 1)
            size = min(max(round(fresh * rate + node * math.sqrt(variance)), 1), fresh)
            s = least_wins(size, alpha)
            if s > size:
                continue
            gain, bar = math.sqrt(size / m), angle((s - 0.5) / size, size)
            if inflated:
                answers[0] += weight * sum(
                    w / whole * stats.norm.cdf((gain * c - bar) / math.sqrt(1 + gain**2 * v))
                    for w, c, v in parts
                )
            else:
                for i, limit in enumerate(limits):
                    answers[i + 1] += weight * stats.norm.cdf(gain * limit - bar)
    return tuple(answers)


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
    for wins, n in ((10, 20), (15, 20), (20, 20), (29, 44), (24, 44), (70, 100)):
        for strength in (1.0, 2.0):
            for fresh in (n, 2 * n):
                answer = from_wins(wins, n, strength, fresh, 0.05)
                add("wins", answer, wins=wins, n=n, strength=strength, fresh=fresh, alpha=0.05)
    for first, second, size in ((40, 20, 500), (20, 40, 500), (12, 3, 100), (300, 250, 10000)):
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
