"""Write the tails of the noncentral t from its incomplete-beta series.

Run from the project root: python tests/golden/make/nct_tails.py > tests/golden/nct_tails.json
"""

import json
import sys

import mpmath
from mpmath import mp, mpf


def lower(t: mpf, df: mpf, ncp: mpf) -> mpf:
    """Return P(T <= t)."""
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


def main() -> None:
    """Write the grid."""
    cases = []
    with mp.workdps(50):
        for df in (1, 2, 4, 5, 9, 19, 29, 99):
            for ncp in ("-2", "0", "0.5", "1", "2.262", "4", "8", "15"):
                for t in ("-3", "-1", "0", "0.5", "1", "2.262", "4", "10", "30"):
                    below = lower(mpf(float(t)), mpf(df), mpf(float(ncp)))
                    if 1e-14 < below < 1 - 1e-14:
                        row = {"t": float(t), "df": df, "ncp": float(ncp)}
                        cases.append(row | {"lower": float(below), "upper": float(1 - below)})
    head = {
        "source": f"mpmath {mpmath.__version__}, 50 digits",
        "command": "P(T <= t) and P(T > t) by the series in regularised incomplete beta functions",
        "script": "make/nct_tails.py",
        "rtol": 1e-12,
    }
    lines = ",\n  ".join(json.dumps(case) for case in cases)
    sys.stdout.write(json.dumps(head)[:-1] + ',\n "cases": [\n  ' + lines + "\n ]}\n")


if __name__ == "__main__":
    main()
