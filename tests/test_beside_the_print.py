"""How many errors a printed value and ours are apart: the error is never 0, whatever was counted."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from replicast.presentation.study import write_report
from replicast.studies.execution import run_study
from replicast.studies.library import STUDIES
from replicast.studies.published import Beside, beside_share, one_below_the_other, share_error
from replicast.studies.summary import Mean, Rate
from stores import fresh_store


@pytest.mark.parametrize("hits", [0, 1, 37, 99, 100])
def test_a_share_of_datasets_that_are_all_or_nothing_has_the_error_of_a_rate(hits: int) -> None:
    mean = Mean.of_shares(np.repeat([1.0, 0.0], [hits, 100 - hits]))
    assert (mean.value, mean.count) == (hits / 100, 100)
    assert mean.error == pytest.approx(Rate(hits, 100).error)


def test_the_error_of_shares_is_their_spread_over_datasets() -> None:
    """Ten repetitions on a dataset are not ten datasets, nor one."""
    shares = np.random.default_rng(1).binomial(10, 0.3, 4000) / 10
    assert Mean.of_shares(shares).error == pytest.approx(Mean.of(shares).error, rel=0.01)


@pytest.mark.parametrize(
    ("printed", "hits", "low", "high"),
    [
        (100.0, 99, -3, -1),
        (98.9, 100, 0.5, 2),
        (100.0, 100, -0.1, 0.1),
        (0.0, 0, -0.1, 0.1),
        (50.0, 100, 8, 12),
    ],
)
def test_a_hundred_datasets_beside_a_printed_thousand(
    printed: float, hits: int, low: float, high: float
) -> None:
    ours = Mean.of_shares(np.repeat([1.0, 0.0], [hits, 100 - hits]))
    beside = beside_share(printed, 1000, ours)
    assert beside.error > 0
    assert low < beside.errors < high


def test_beside_agrees_with_the_test_of_two_proportions() -> None:
    """989 of 1,000 against 1,000 of 1,000: z = 3.3 by hand."""
    ours = Mean.of_shares(np.ones(1000))
    p = 1989 / 2000
    z = 0.011 / math.sqrt(p * (1 - p) * 2 / 1000)
    assert beside_share(98.9, 1000, ours).errors == pytest.approx(z, rel=0.1)
    assert share_error(98.9, 1000, 100, 1000) == pytest.approx(beside_share(98.9, 1000, ours).error)


def test_errors_apart_are_as_large_as_they_should_be() -> None:
    """Of two studies of one truth, 5% are more than 1.96 errors apart, with repetitions or without."""
    rng = np.random.default_rng(2)

    def repeated(datasets: int) -> np.ndarray:
        return rng.binomial(10, rng.beta(2, 6, datasets)) / 10

    def single(datasets: int) -> np.ndarray:
        return rng.binomial(1, 0.25, datasets) / 1.0

    for draw in (repeated, single):
        far = _share_far(draw)
        assert 0.02 < far < 0.08, draw.__name__


def _share_far(draw: Callable[[int], np.ndarray]) -> float:
    apart = [
        beside_share(100 * float(draw(1000).mean()), 1000, Mean.of_shares(draw(200))).errors
        for _ in range(1000)
    ]
    return float(np.mean(np.abs(apart) > 1.96))


def test_no_error_is_no_agreement() -> None:
    for error in (0.0, math.nan):
        beside = Beside(98.9, 100.0, error, "x")
        assert beside.apart == "–"
        assert str(beside) == "98.9 / 100"
        assert one_below_the_other([beside])[2] == "| x | 98.9 | 100 | – | – |"


def test_a_report_of_few_datasets_calls_nothing_far_at_the_edge(tmp_path: Path) -> None:
    store = fresh_store()
    run_study(replace(STUDIES["bouckaert-simulation"], replicates=40), store)
    lines = write_report(store, tmp_path).read_text(encoding="utf-8").splitlines()
    shown = [line for line in lines if line.startswith(("|  | ours", "| corrected 10x10 cv"))]
    assert shown
    assert not any("± 0.0" in line for line in shown)
    at_the_edge = [cell for line in shown for cell in line.split("|") if "100.0 ±" in cell]
    assert at_the_edge
    assert not any("**" in cell for cell in at_the_edge)


def test_one_experiment_has_no_error(tmp_path: Path) -> None:
    study = replace(
        STUDIES["berrar-3"], factors={"q": (3,)}, replicates=1, block=1,
    )  # fmt: skip
    store = fresh_store()
    run_study(study, store)
    page = write_report(store, tmp_path).read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if "q3: mean_T" in line]
    assert line.endswith("| – | – |")


# --------------------------------------------------------------------------- fewer reruns
@pytest.mark.parametrize(("reruns", "compared"), [(5, False), (10, True)])
def test_draws_of_five_reruns_do_not_stand_beside_draws_of_ten(
    reruns: int, compared: bool, tmp_path: Path
) -> None:
    study = replace(STUDIES["uci-replicability"], factors={"dataset": ("iris",)}, replicates=reruns)
    store = fresh_store()
    run_study(study, store)
    page = write_report(store, tmp_path).read_text(encoding="utf-8")
    assert ("## Draws of the 5x2cv test on each dataset (table 1)" in page) is compared
    assert ("5 reruns, the papers have ten" in page) is not compared
    assert "the first ten of 5 reruns" not in page
    assert "tables 1 to 4\n" not in page  # of one dataset, where the papers count 27
