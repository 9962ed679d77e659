"""From how many datasets on can be said whether first place stays? Tables of UCR and MTEB, halved.

python -m calibration.few_datasets

Three, five or eight classifiers are drawn, ranked on some datasets, and held against as many others. A
line has the number of datasets, what was said and what came true on average, and how far the two were
apart where much or little was said (expected calibration error).
"""

from pathlib import Path

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.inference.friedman import rank_scores
from replicast.kernels.stability import order_chances

_CORPORA = Path(__file__).parent / "corpora"
_BOUNDS = (0.2, 0.4, 0.6, 0.8, 0.9)
_TABLES = 600


def _corpora() -> dict[str, Floats]:
    """Return scores as dataset x classifier, without gaps."""
    ucr = pd.read_parquet(_CORPORA / "ucr.parquet")
    ucr = ucr[ucr["resample"] == 0].pivot(index="dataset", columns="classifier", values="accuracy")
    mteb = pd.read_csv(_CORPORA / "mteb.csv.gz")
    mteb = mteb.groupby(["task", "model"])["score"].mean().unstack()
    found = {"ucr": (ucr, 0.7), "mteb": (mteb, 0.6)}
    return {
        name: frame.dropna(axis=1, thresh=int(share * len(frame))).dropna().to_numpy(dtype=float)
        for name, (frame, share) in found.items()
    }


def measure(scores: Floats, count: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return what was said on average, what came true, and the calibration error."""
    said, true = [], []
    for _ in range(_TABLES):
        columns = rng.choice(scores.shape[1], rng.choice([3, 5, 8]), replace=False)
        rows = rng.choice(len(scores), 2 * count, replace=False)
        ranks = rank_scores(scores[np.ix_(rows, columns)], greater_is_better=True)
        ranks = ranks[:, np.argsort(ranks[:count].mean(axis=0), kind="stable")]
        first, second = np.sort(ranks[:count].mean(axis=0))[:2]
        if np.isclose(first, second):
            continue  # a shared first place is not said to stay
        said.append(order_chances(ranks[:count], rng, 300)[0])
        fresh = ranks[count:].mean(axis=0)
        lowest = fresh <= fresh.min() + 1e-9
        true.append(lowest[0] / lowest.sum())
    told, came = np.array(said), np.array(true)
    bins = np.digitize(told, _BOUNDS)
    error = sum(abs((told - came)[bins == one].mean()) * (bins == one).mean() for one in set(bins))
    return float(told.mean()), float(came.mean()), float(error)


def main() -> None:
    """Print a line for each corpus and number of datasets."""
    rng = np.random.default_rng(1)
    for name, scores in _corpora().items():
        for count in (2, 3, 4, 5, 6, 8, 10, 15):
            if 2 * count <= len(scores):
                told, came, error = measure(scores, count, rng)
                print(
                    f"{name} {count:2d} datasets: said {told:.2f}, true {came:.2f}, error {error:.2f}"
                )


if __name__ == "__main__":
    main()
