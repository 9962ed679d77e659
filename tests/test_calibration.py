"""The default is better calibrated than the published formulas: a small run of the study."""

import numpy as np
import pytest
from calibration.groups import WORLDS
from calibration.report import draw, losses, table
from calibration.scoring import Predictions, score

SMALL = {"idealised-z": 80, "idealised-t": 80, "gaussian-cv": 120}


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str, str], Predictions]:
    results = [
        item
        for position, world in enumerate(WORLDS)
        if world.name in SMALL
        for item in score(world, world.groups(SMALL[world.name], np.random.default_rng(position)))
    ]
    return {(item.world, item.model, item.estimator): item for item in results}


@pytest.mark.parametrize(
    ("world", "model", "allowed"),
    [
        ("idealised-z", "wilcoxon", 0.08),
        ("idealised-z", "sign", 0.1),
        ("idealised-t", "paired-t", 0.12),
        ("gaussian-cv", "corrected-t", 0.12),
    ],
)
def test_default_beats_the_plug_in(
    found: dict[tuple[str, str, str], Predictions], world: str, model: str, allowed: float
) -> None:
    default, published = (found[world, model, name] for name in ("calibrated", "as-published"))
    assert default.calibration_error < allowed
    assert default.calibration_error < published.calibration_error - 0.03
    assert default.brier < published.brier
    assert default.coverage > 0.93


def test_report(found: dict[tuple[str, str, str], Predictions]) -> None:
    items = list(found.values())
    assert table(items).count("\n") == len(items) + 1
    assert "calibrated" in table(items)
    assert losses(items).startswith("- ")
    assert len(draw(items).axes) == len(items) // 3


def test_scores_of_perfect_predictions() -> None:
    truth = np.array([0.05, 0.55, 0.95, 0.95])
    perfect = Predictions("w", "m", "calibrated", truth, truth, truth, truth, 0.01)
    assert perfect.calibration_error == pytest.approx(0)
    assert perfect.coverage == 1
    off = Predictions("w", "m", "flat", np.full(4, 0.5), truth + 0.1, truth + 0.2, truth, 0.01)
    assert off.calibration_error == pytest.approx(0.125)
    assert off.coverage == 0
    assert off.brier > perfect.brier
