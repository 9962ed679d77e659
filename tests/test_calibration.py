"""The calibration study in small: settings, scores and tables, on experiments drawn here."""

import re
from pathlib import Path

import numpy as np
import pytest
from calibration import corners, store
from calibration.report import (
    by_world,
    draw,
    losses,
    other_priors,
    others,
    promises,
    short_ranges,
    summary,
)
from calibration.scoring import ESTIMATORS, OTHER_PRIORS, Forecasts, forecast, is_near_null, score
from calibration.settings import Setting, fold_setting, settings_of
from calibration.worlds import COLLECTION_WORLDS, FOLD_WORLDS, SPLIT_WORLDS, World
from calibration.worlds.boards import BoardWorld
from calibration.worlds.folds import FoldWorld

import replicast as rc

BY_NAME: dict[str, World] = {
    world.name: world for world in (*FOLD_WORLDS, *SPLIT_WORLDS, *COLLECTION_WORLDS)
} | {"board-wide-100": BoardWorld("wide", 100)}
ASKED = {
    "waveform-150": 9, "vehicle-100-splits": 10, "board-wide-100": 1, "normal-10": 3, "ties-20-0.3": 2
}  # fmt: skip


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Setting]]:
    folder: Path = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "STORE", folder)
        patch.setattr(store, "EXPERIMENTS", 12)
        patch.setattr(store, "BOARD_EXPERIMENTS", 12)
        patch.setattr(store.experiments_of, "__defaults__", (folder,))
        found = {name: list(settings_of(BY_NAME[name])) for name in ASKED}
    assert {path.stem for path in (folder / "worlds").iterdir()} == set(ASKED)
    return found


def test_every_way_to_ask_is_there(settings: dict[str, list[Setting]]) -> None:
    assert {name: len(found) for name, found in settings.items()} == ASKED
    for name, found in settings.items():
        assert {setting.world for setting in found} == {name}


def test_truth_is_the_share_of_the_others(settings: dict[str, list[Setting]]) -> None:
    setting = settings["normal-10"][0]
    found = {item.estimator: item for item in score(setting)}
    assert tuple(found) == (*ESTIMATORS, *OTHER_PRIORS)
    expected = [
        (np.sum(pair.significant & (pair.ahead == pair.ahead[i])) - 1) / 11
        for pair in setting.pairs
        for i in np.flatnonzero(pair.significant)
    ]
    assert found["calibrated"].truth.tolist() == pytest.approx(expected)
    model = setting.pairs[-1].first(int(np.flatnonzero(setting.pairs[-1].significant)[-1])).model
    goal = rc.Datasets(10)
    assert model.datasets == goal.count


def test_what_is_known_decides_what_is_said(settings: dict[str, list[Setting]]) -> None:
    cases, sizes, alone = settings["waveform-150"][:3]
    assert [pair.significant.tolist() for pair in cases.pairs] == [
        pair.significant.tolist() for pair in alone.pairs
    ]
    models = [setting.pairs[0].first(0).model for setting in (cases, sizes, alone)]
    known = [None if model.signal is None else model.signal.known for model in models]
    assert known == ["cases", "accuracies", None]


def test_larger_replications_are_judged_by_larger_experiments(
    settings: dict[str, list[Setting]],
) -> None:
    first, ten = settings["waveform-150"][2], settings["waveform-150"][8]
    apart = forecast(first, rc.RepeatedKFold(runs=10, folds=10), 2.0, ten, apart=True, kind="2n")[0]
    same = forecast(first, rc.RepeatedKFold(runs=10, folds=10), 1.0, ten)[0]
    assert (apart.kind, same.kind) == ("2n", "10-fold, scores alone")
    assert len(apart.truth) == len(same.truth) > 0
    assert (apart.said >= same.said).all()
    at, i = next(
        (at, int(np.flatnonzero(pair.significant)[0]))
        for at, pair in enumerate(first.pairs)
        if pair.significant.any()
    )
    ahead = bool(first.pairs[at].ahead[i])
    assert apart.truth[0] == pytest.approx(ten.pairs[at].agreeing(ahead) / 12)


def test_near_null_is_a_matter_of_most_pairs(settings: dict[str, list[Setting]]) -> None:
    normal, wide = settings["normal-10"][0], settings["board-wide-100"][0]
    assert is_near_null(normal) == (np.mean(normal.significant_shares < 0.1) > 0.5)
    assert not is_near_null(wide)


def test_folds_are_those_of_the_cases() -> None:
    world = BY_NAME["waveform-150"]
    assert isinstance(world, FoldWorld)
    found = world.experiments(np.random.default_rng(1), 2)
    setting = fold_setting(world, found, "10-fold, cases", rc.KFold(10), "cases")
    first = setting.pairs[0].first(1)
    tested = found["folds"][1, 0] == 3
    i, j = world.pairs[0]
    gap = (found["correct"][i, 1, 0].astype(int) - found["correct"][j, 1, 0])[tested].mean()
    scores = rc.PairedScores(
        first=[found["correct"][i, 1, 0][found["folds"][1, 0] == f].mean() for f in range(10)],
        second=[found["correct"][j, 1, 0][found["folds"][1, 0] == f].mean() for f in range(10)],
        design=rc.KFold(10),
    )
    assert scores.differences[3] == pytest.approx(gap)
    assert first.pvalue == pytest.approx(rc.corrected_ttest(scores).pvalue)


@pytest.mark.parametrize("name", ["telescope-300", "waveform-150", "vehicle-100"])
@pytest.mark.parametrize("known", ["cases", "sizes"])
def test_default_beats_the_plug_in(name: str, known: str) -> None:
    world = BY_NAME[name]
    assert isinstance(world, FoldWorld)
    found = world.experiments(np.random.default_rng(1), 40)
    setting = fold_setting(world, found, "10-fold", rc.KFold(10), known)
    scored = {item.estimator: item for item in score(setting)}
    default, published = scored["calibrated"], scored["as-published"]
    assert default.calibration_error < published.calibration_error - 0.08
    assert default.brier < published.brier
    assert default.coverage > 0.93


def test_report(settings: dict[str, list[Setting]]) -> None:
    items = [
        item
        for found in settings.values()
        for setting in found
        for item in score(setting)
        if len(item.truth)
    ]
    kinds = len({item.kind for item in items})
    assert summary(items).count("\n") == losses(items).count("\n") == kinds + 1
    assert "waveform-150" in by_world(items, "10-fold, cases")
    assert "board-wide-100" in others(items)
    assert short_ranges(items).startswith("- Other worlds: ")
    assert promises(items).splitlines()[-1].startswith("| all together |")
    assert len(draw(items).axes) == 7


def test_scores_of_perfect_predictions() -> None:
    truth = np.array([0.05, 0.55, 0.95, 0.95])
    perfect = Forecasts("w", "k", "calibrated", False, truth, truth, truth, truth, 0.01)
    assert perfect.calibration_error == pytest.approx(0)
    assert perfect.coverage == 1
    half = np.full(4, 0.5)
    off = Forecasts("w", "k", "flat", False, half, truth + 0.1, truth + 0.2, truth, 0.01)
    assert off.calibration_error == pytest.approx(0.125)
    assert off.coverage == 0
    near = Forecasts("w", "k", "flat", False, half, truth + 0.014, truth + 0.2, truth, 0.01)
    assert near.coverage == 1  # to one and a half experiments
    assert off.brier > perfect.brier


def test_nulls_reject_as_the_page_says() -> None:
    """In small: learners on two exchangeable feature sets, and skewed differences over datasets."""
    from calibration import nulls

    found = list(nulls.feature_sets(30, np.random.default_rng(1)))
    assert [(each.size, each.label) for each in found] == [
        (rows, test) for rows in nulls.ROWS for test, _, _ in nulls._TESTS
    ]
    assert nulls.learners() == ["naive Bayes", "1-NN", "5-NN", "tree", "SVM"]
    ten = {each.label: each.rates for each in found if each.size == 300}
    neighbours = nulls.learners().index("5-NN")
    assert ten["5x2cv F"][neighbours].value > ten["corrected t, one 10-fold"][neighbours].value
    lines = list(nulls.skewed(500, np.random.default_rng(2)))
    rates = {(each.size, each.label): [rate.value for rate in each.rates] for each in lines}
    assert max(rates[20, "normal"]) < 0.09
    assert rates[60, "skewed"][0] > 0.18  # the signed-rank test
    assert rates[60, "skewed"][3] < 0.1  # the t-test
    page = (Path(__file__).parents[1] / "docs" / "which-test.md").read_text(encoding="utf-8")
    assert nulls.feature_table(found).splitlines()[0] in page
    assert nulls.skewed_table(lines).splitlines()[0] in page


def test_other_priors_stand_beside_the_default(settings: dict[str, list[Setting]]) -> None:
    found = [item for setting in settings["waveform-150"][:3] for item in score(setting)]
    lines = other_priors([item for item in found if len(item.truth)]).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        f"| 10-fold, {known}" for known in ("cases", "scores and sizes", "scores alone")
    ]
    by_name = {item.estimator: item for item in found if item.kind == "10-fold, cases"}
    errors = [by_name[name].calibration_error for name in ("calibrated", *OTHER_PRIORS)]
    assert lines[2].endswith(" | ".join(f"{error:.3f}" for error in errors) + " |")
    assert (by_name["close"].said <= by_name["any"].said + 1e-7).all()


def test_corners_are_where_the_pages_say() -> None:
    """Fewer draws of the same worlds: the defaults are off in the same direction."""
    page = (Path(__file__).parents[1] / "docs" / "choose.md").read_text(encoding="utf-8")
    rows = corners.families(2000, np.random.default_rng(1))
    for row in rows:
        *kind, each, means = (cell.strip() for cell in row.strip("|").split("|"))
        (told,) = re.findall(rf"\| {kind[0]} \| \S+ \| (\d+)% \| (\d+)% \|", page)
        assert float(each[:-1]) == pytest.approx(float(told[0]), abs=3)
        assert float(means[:-1]) == pytest.approx(float(told[1]), abs=2)
    page = (Path(__file__).parents[1] / "docs" / "calibration.md").read_text(encoding="utf-8")
    for make in (corners.large_gaps, corners.many_ties):
        for row in make(30, np.random.default_rng(1)):
            cases, kind, true, said, _ = (cell.strip() for cell in row.strip("|").split("|"))
            (told,) = re.findall(rf"\| {cases} \| {kind} \| (?:under )?(\d+)% \| (\d+)%", page)
            assert float(true[:-1]) == pytest.approx(float(told[0]), abs=1)
            assert float(said[:-1]) == pytest.approx(float(told[1]), abs=15)
