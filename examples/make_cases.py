"""Make the tables of cases in examples/scores from the corpora: python examples/make_cases.py"""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
CORPORA = ROOT / "calibration" / "corpora"
SCORES = ROOT / "examples" / "scores"
NETWORKS = {"pyramidnet_basic_110_270": "pyramidnet", "wide_resnet_tf": "wide-resnet"}
CHATS = ["gpt-4o-2024-05-13", "gpt-4o-2024-08-06", "gpt-4o-mini-2024-07-18"]

WRITERS = ["claude-3-5-sonnet-20240620", "gpt-4o-2024-05-13", "gpt-4o-2024-08-06", "grok-2"]


def main() -> None:
    cifar = np.load(CORPORA / "cifar.npz")
    names = [str(name) for name in cifar["models"]]
    for key, file, cases in (("orig", "cifar-10", 10_000), ("v6", "cifar-10.1", 2_000)):
        right = np.unpackbits(cifar[key], axis=1, count=cases)
        table = pd.DataFrame({short: right[names.index(name)] for name, short in NETWORKS.items()})
        write(table, SCORES / f"{file}.csv.gz")
    rows = pd.read_parquet(CORPORA / "livebench.parquet")
    rows = rows[rows["category"].isin(["coding", "reasoning"]) & rows["model"].isin(CHATS)]
    wide = rows.pivot_table(index="question", columns="model", values="score").dropna()
    write(wide.sample(frac=1, random_state=0).astype(int)[CHATS], SCORES / "livebench.csv.gz")
    graded = pd.read_parquet(CORPORA / "livebench.parquet")
    graded = graded[(graded["category"] == "instruction_following") & graded["model"].isin(WRITERS)]
    graded = graded[["model", "question", "score"]].rename(columns={"question": "question_id"})
    graded = graded.assign(score=graded["score"].astype(float).round(4))
    text = graded.to_csv(index=False, lineterminator="\n").encode()
    (SCORES / "instructions.csv.gz").write_bytes(gzip.compress(text, mtime=0))


def write(right: pd.DataFrame, path: Path) -> None:
    """Write who was right on which case; the truth of every case is 1, that is right."""
    right = right.reset_index(drop=True)
    right.insert(0, "y_true", 1)
    text = right.to_csv(index=False, lineterminator="\n").encode()
    path.write_bytes(gzip.compress(text, mtime=0))


if __name__ == "__main__":
    main()
