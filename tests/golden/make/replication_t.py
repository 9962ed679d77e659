"""Write replication probabilities under the corrected t model from the series of the noncentral t.

Run from the project root:
python tests/golden/make/replication_t.py > tests/golden/replication_t.json
"""

import json
import sys

import mpmath
from mpmath import mp, mpf


def lower(t: mpf, df: mpf, ncp: mpf) -> mpf:
    """Return P(T <= t) of the noncentral t."""
    if t < 0:
        return 1 - lower(-t, df, -ncp)
    x, half = t**2 / (df + t**2), ncp**2 / 2
    total, j = mpf(0), 0
    while True:
        even = mp.exp(-half) * half**j / mp.factorial(j)
        odd = ncp / mp.sqrt(2) * mp.exp(-half) * half**j / mp.gamma(j + mpf(3) / 2)
        term = even * mp.betainc(j + mpf(1) / 2, df / 2, 0, x, regularized=True)
        term += odd * mp.betainc(j + 1, df / 2, 0, x, regularized=True)
        total += term
        if j > half and abs(term) < mpf(10) ** -(mp.dps - 5):
            return mp.ncdf(-ncp) + total / 2
        j += 1


def quantile(p: mpf, df: mpf, ncp: mpf) -> mpf:
    """Return the t with P(T <= t) = p."""
    low, high = mpf(-30), 20 * ncp + 50
    while high - low > 0.02:
        middle = (low + high) / 2
        low, high = (low, middle) if lower(middle, df, ncp) > p else (middle, high)
    return mp.findroot(lambda t: lower(t, df, ncp) - p, (low, high), solver="secant", tol=1e-44)


def main() -> None:
    """Write the grid."""
    cases = []
    with mp.workdps(30):
        for df in (4, 9, 19, 29, 99):
            for t in (0.5, 1.5, 2.262, 2.5, 4.0665, 6.0):
                for alpha, c in ((0.05, 0.05), (0.05, 0.1), (0.01, 0.05)):
                    level, limit = mpf(str(alpha)), mpf(str(c))
                    critical = quantile(1 - level / 2, mpf(df), mpf(0))
                    ends = [quantile(p, mpf(df), mpf(t)) for p in (limit / 2, 1 - limit / 2)]
                    chances = [1 - lower(critical, mpf(df), x) for x in (mpf(t), *ends)]
                    names = ("probability", "low", "high")
                    row = {"t": t, "df": df, "alpha": alpha, "c": c}
                    row |= {"ncp_low": float(ends[0]), "ncp_high": float(ends[1])}
                    cases.append(row | dict(zip(names, map(float, chances), strict=True)))
    head = {
        "source": f"mpmath {mpmath.__version__}, 30 digits",
        "command": "P(nct(df, ncp) > t(df, 1 - alpha / 2)) at ncp = t and at the c / 2 and "
        "1 - c / 2 quantiles of nct(df, t)",
        "script": "make/replication_t.py",
        "rtol": 1e-11,
    }
    lines = ",\n  ".join(json.dumps(case) for case in cases)
    sys.stdout.write(json.dumps(head)[:-1] + ',\n "cases": [\n  ' + lines + "\n ]}\n")


if __name__ == "__main__":
    main()
