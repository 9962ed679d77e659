"""Write word error rates by jiwer and concordances by lifelines.

Run in an environment with both: python tests/golden/make/measures.py > tests/golden/measures.json
"""

import json
import random
import sys
from importlib.metadata import version

import jiwer
from lifelines.utils import concordance_index

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "hill", "quickly", "today"]


def texts(rng: random.Random, n: int) -> tuple[list[str], list[str]]:
    """Draw sentences, and the same with words changed, inserted and left out."""
    truth = [" ".join(rng.choices(WORDS, k=rng.randint(1, 12))) for _ in range(n)]
    said = []
    for line in truth:
        words = [w if rng.random() < 0.8 else rng.choice(WORDS) for w in line.split()]
        words = [w for w in words if rng.random() < 0.9]
        if rng.random() < 0.3:
            words.insert(rng.randint(0, len(words)), rng.choice(WORDS))
        said.append(" ".join(words))
    return truth, said


def main() -> None:
    """Write the cases."""
    rng = random.Random(33)
    cases: list[dict[str, object]] = []
    for n in (5, 20, 60):
        truth, said = texts(rng, n)
        cases.append(
            {"measure": "wer", "truth": truth, "predicted": said, "value": jiwer.wer(truth, said)}
        )
    for n in (20, 60, 150):
        time = [rng.randint(1, 30) for _ in range(n)]
        event = [int(rng.random() < 0.6) for _ in range(n)]
        risk = [round(rng.gauss(-t / 10, 1), 1) for t in time]
        value = concordance_index(time, [-r for r in risk], event)
        known = [list(pair) for pair in zip(time, event, strict=True)]
        cases.append({"measure": "c-index", "truth": known, "predicted": risk, "value": value})
    source = ", ".join(f"{package} {version(package)}" for package in ("jiwer", "lifelines"))
    content = {
        "source": source,
        "command": "jiwer.wer(truth, predicted); concordance_index(time, -risk, event)",
        "script": "make/measures.py",
        "rtol": 1e-12,
        "cases": cases,
    }
    sys.stdout.write(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
