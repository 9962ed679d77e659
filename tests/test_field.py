"""What was learned from the corpora, and the tools that learned it."""

import json
from functools import partial
from importlib.resources import files
from typing import Any, get_args

import numpy as np
import pytest
from calibration.field import cells as cut
from calibration.field import corpora, fitting, record
from calibration.field.cells import Cell, over_cases, over_datasets
from calibration.field.corpora import Table
from calibration.field.crowds import Crowd
from calibration.field.crowds import draw as draw_crowds
from calibration.field.crowds import table as crowd_table
from calibration.field.experiments import CLOSE_RANKS, arena, parts, ranking
from calibration.field.others import GapLine, stays_ahead
from calibration.field.page import draw, gap_table, larger_table, pooled_table, summary, wrong
from calibration.field.page import table as page_table
from calibration.field.record import Line, calibration_error, half_and_half, pooled
from calibration.seeds import fit_weights, in_likelihood_order
from scipy import stats

from replicast import Datasets, Holdout, InvalidArgumentError
from replicast.kernels.mixtures import Prior
from replicast.replication import priors
from replicast.replication.counts import DiscordanceModel
from replicast.replication.models import Goal
from replicast.replication.rank_sums import RankModel

LEARNED: dict[str, Any] = json.loads(
    files("replicast.replication").joinpath("priors.json").read_text(encoding="utf-8")
)


# --------------------------------------------------------------------------- the files
def test_the_scales_are_votes_of_the_corpora() -> None:
    for kind, name in (("one-test-set", "cases"), ("datasets", "datasets")):
        for relation in ("any", "close"):
            votes = LEARNED[name]["corpora"][relation]
            scale = partial(fitting.prior_scale, kind, relation, votes)  # type: ignore[arg-type]  # words of a list
            found = scale()
            assert found == pytest.approx(LEARNED[name][relation], abs=1e-3)
            without = scale(next(iter(votes)))
            assert without != pytest.approx(found, abs=1e-3)


def test_unknown_is_half_and_half() -> None:
    for kind in priors.KINDS:
        unknown, close, wide = (
            priors.prior_for(kind, relation, 50)  # type: ignore[arg-type]  # words of a list
            for relation in ("unknown", "close", "any")
        )
        assert unknown.spreads == (*close.spreads, *wide.spreads)
        both = (*close.weights, *wide.weights)
        assert unknown.weights == pytest.approx(tuple(weight / 2 for weight in both))


def test_words_of_the_priors() -> None:
    assert get_args(priors.Relation) == priors.RELATIONS
    assert get_args(priors.Kind) == priors.KINDS
    with pytest.raises(InvalidArgumentError, match="relation"):
        priors.prior_for("datasets", "rival", 20)  # type: ignore[arg-type]  # refused at run time
    with pytest.raises(InvalidArgumentError, match="kind"):
        priors.prior_for("folds", "any", 20)  # type: ignore[arg-type]  # refused at run time


# --------------------------------------------------------------------------- fitting of seeds
def test_weights_of_a_known_mixture_are_found() -> None:
    rng = np.random.default_rng(1)
    spreads, true = np.array([0.1, 1.0, 5.0]), np.array([0.5, 0.2, 0.3])
    component = rng.choice(3, size=4000, p=true)
    errors = rng.uniform(0.02, 0.3, size=4000)
    seen = rng.normal(0, spreads[component]) + rng.normal(0, errors)
    total = np.sqrt(spreads**2 + errors[:, None] ** 2)
    found = fit_weights(stats.norm.pdf(seen[:, None], 0, total), np.ones(4000))
    assert found == pytest.approx(true, abs=0.03)


def test_likelihood_order_pools_what_breaks_it() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        wide, narrow = rng.dirichlet(np.ones(6), size=2)
        ordered, other = in_likelihood_order(wide, narrow)
        assert (np.diff(ordered / other) >= -1e-9).all()
        assert ordered.sum() == pytest.approx(1)
        assert ordered + other == pytest.approx(wide + narrow)


# --------------------------------------------------------------------------- experiments
def _table(models: int = 12, columns: int = 60) -> Table:
    rng = np.random.default_rng(3)
    skill = np.linspace(0.3, 0.9, models)[:, None]
    right = (rng.random((models, columns)) < skill).astype(np.float64)
    return Table("made up", "made up", tuple(map(str, range(models))), right)


def test_close_competitors_are_found_on_other_columns() -> None:
    table = _table()
    found = arena(table, "close", np.random.default_rng(4))
    others = np.setdiff1d(np.arange(60), found.columns)
    assert len(others) == len(found.columns) == 30 == cut.open_columns(table, "close")
    accuracy = table.scores[:, others].mean(axis=1)
    for i, j in zip(found.first, found.second, strict=True):
        between = (accuracy > min(accuracy[i], accuracy[j])) & (
            accuracy < max(accuracy[i], accuracy[j])
        )
        assert between.sum() < CLOSE_RANKS
    assert len(found.first) == 12 * CLOSE_RANKS - CLOSE_RANKS * (CLOSE_RANKS + 1) // 2


def test_ranking_is_by_mean_rank() -> None:
    scores = np.random.default_rng(5).normal(size=(7, 9))
    mean_ranks = stats.rankdata(scores, axis=0).mean(axis=1)
    assert ranking(scores, np.random.default_rng(6))[np.argsort(mean_ranks)].tolist() == list(
        range(7)
    )


def test_tests_on_parts_are_those_of_scipy() -> None:
    table = _table(5, 40)
    where = arena(table, "any", np.random.default_rng(7))
    part = parts(where.columns, 20)[0]
    pvalue, lead, rows = over_cases(table, where, part)
    scores = Table("x", "x", table.models, np.random.default_rng(8).normal(size=(5, 40)))
    again, side, sums = over_datasets(scores, where, part)
    for k, (i, j) in enumerate(zip(where.first, where.second, strict=True)):
        gap = table.scores[i, part] - table.scores[j, part]
        won, lost = int((gap > 0).sum()), int((gap < 0).sum())
        assert pvalue[k] == pytest.approx(stats.binomtest(won, won + lost).pvalue)
        assert (lead[k], rows[k].tolist()) == (won - lost, [max(won, lost), min(won, lost)])
        expected = stats.wilcoxon(scores.scores[i, part] - scores.scores[j, part])
        assert again[k] == pytest.approx(expected.pvalue)
        total = 20 * 21 / 2
        assert sums[k].tolist() == [2 * (total - expected.statistic), 20]
        assert (side[k] > 0) == ((scores.scores[i, part] - scores.scores[j, part]).mean() > 0)


def _cell(kind: str, rows: list[list[int]], size: int, truth: float = 0.5, **more: Any) -> Cell:
    n = len(rows)
    given = {
        "kind": kind, "corpus": "made up", "table": "made up", "relation": "any", "size": size,
        "significant": np.full(n, True), "truth": np.full(n, truth), "rows": np.array(rows),
        "mean": np.full(n, 0.1), "deviation": np.full(n, 0.2), "fresh": np.full(n, 0.05),
    }  # fmt: skip
    return Cell(**{**given, **more})


def test_the_closed_form_is_that_of_the_package() -> None:
    """Cases differ a little: nine numbers of discordant cases stand for all of them."""
    rows = [[30, 10], [12, 9], [5, 0], [40, 38]]
    said = fitting.said(_cell("one-test-set", rows, 200), (0.7, 1.0), (0.3, 3.0))
    prior = Prior((0.7, 0.3), (1.0, 3.0))
    for (won, lost), chance in zip(rows, said.tolist(), strict=True):
        model = DiscordanceModel(won=won, lost=lost, cases=200)
        expected = model.assess(prior, Goal(Holdout(200), 1.0, 0.05)).probability
        assert chance == pytest.approx(expected, abs=0.01 if won + lost > 10 else 0.04)
    sums = [[300, 20], [418, 20], [220, 20]]
    said = fitting.said(_cell("datasets", sums, 20), (0.7, 1.0), (0.3, 3.0))
    for (doubled, used), chance in zip(sums, said.tolist(), strict=True):
        rank = RankModel(share=doubled / 420, nonzero=used, z=0.0, datasets=20, spread=1.0)
        expected = rank.assess(prior, Goal(Datasets(20), 1.0, 0.05)).probability
        assert chance == pytest.approx(expected, abs=1e-9)


def test_the_scale_of_a_made_up_corpus_is_found() -> None:
    rng = np.random.default_rng(9)
    true = rng.normal(0, 2.0, size=4000)
    seen, again = true + rng.normal(size=4000), true + rng.normal(size=4000)
    half = 20 * 21 / 4
    spread = 2 * np.sqrt(41 / (6 * 20 * 21))
    sums = np.rint(half * (1 + np.sin(np.clip(spread * seen, -1.57, 1.57))) * 2).astype(int)
    fresh = half * (1 + np.sin(np.clip(spread * again, -1.57, 1.57)))
    side = np.where(sums > 2 * half, 1, -1)
    rows = np.stack([np.maximum(sums, 420 - sums), np.full(4000, 20)], axis=1)
    truth = (side * (fresh - half) > 52.5).astype(float)
    cell = _cell("datasets", rows.tolist(), 20, truth=0.0)
    cell = Cell(**vars(cell) | {"truth": truth, "significant": rows[:, 0] > 315})
    scales = fitting.corpus_scales([(cell, fitting.losses(cell))], 0.2)
    assert scales["made up"] == pytest.approx(2.0, rel=0.2)


# --------------------------------------------------------------------------- the page
def _line(said: float, truth: float, relation: str = "any", significant: bool = True) -> Line:
    cell = _cell("one-test-set", [[30, 10]] * 40, 100, truth, relation=relation)
    speakers = ("told", "unknown", "flat", "two lines", "Berrar 2024")
    return Line(
        cell, significant, {name: np.full(40, said) for name in speakers}, np.full(40, 0.06), 0.95
    )


def _lines() -> list[Line]:
    cases = [_line(0.8, 0.7, r, f) for r in ("any", "close") for f in (True, False)]
    others = [
        Line(
            Cell(**vars(line.cell) | {"kind": "datasets", "rows": np.array([[300, 20]] * 40)}),
            line.significant, line.said, line.expected, line.covered,
        )
        for line in cases
    ]  # fmt: skip
    return [*cases, *others]


def test_pooled_cells_count_the_same() -> None:
    said, true, error, brier = pooled([_line(0.9, 0.8), _line(0.3, 0.6)], "told")
    assert (said, true, error) == pytest.approx((0.6, 0.7, 0.2))
    assert brier == pytest.approx((0.01 + 0.16 + 0.09 + 0.24) / 2)
    assert half_and_half([_line(0.9, 0.8), _line(0.35, 0.6, "close")]) == pytest.approx(0.175)
    assert calibration_error(np.array([0.2, 0.3]), np.array([0.3, 0.2]), np.full(2, 0.5)) > 0.09


def test_tables_and_picture() -> None:
    found = _lines()
    assert "| 80% | 70% | 0.100 |" in summary(found)
    assert pooled_table(found).count("| 0.100 |") >= 2
    assert "made up, 100 | any two models | significant | 40 | 80% | 70%" in page_table(
        found, "one-test-set"
    )
    assert wrong([_line(0.9, 0.5)]).startswith("- made up, 100, any two models, significant")
    assert len(draw(found).axes) == 2
    more = [(k, ("x", r, 2, np.array([0.9, 0.4]), np.array([1.0, 0.0])))
            for k in ("one-test-set", "datasets") for r in ("any", "close")]  # fmt: skip
    assert "| 2 | 65% | 50% | 1 | 100% |" in larger_table(more)  # type: ignore[arg-type]  # words of a list
    assert "0.5 to 1" in gap_table([GapLine(0.5, 1.0, 10, 0.8, 0.9)])
    entries = record.bands(found, "told")
    assert entries[8][1:] == (pytest.approx(0.7), 320)
    assert entries[2][2] == 0


def test_a_lead_stays_by_integration() -> None:
    prior = Prior((1.0,), (2.0,))
    found = stays_ahead(np.array([0.01]), np.array([0.01]), np.array([0.02]), prior)
    kept = 4 / 5
    expected = stats.norm.cdf(kept * 0.01 / np.sqrt(kept * 0.01**2 + 0.02**2))
    assert found[0] == pytest.approx(expected)


def test_crowds_are_drawn() -> None:
    found = [
        Crowd(kind, relation, band, 0.5, {"x": 0.5})  # type: ignore[arg-type]  # words of a list
        for kind in ("one-test-set", "datasets")
        for relation in ("any", "close")
        for band in range(4)
    ]
    assert crowd_table(found).count("50%") == 16
    assert len(draw_crowds(found).axes) == 2


# --------------------------------------------------------------------------- the corpora
def test_the_corpora_are_what_their_page_says() -> None:
    cifar = corpora.cifar("orig")
    assert cifar.scores.shape == (30, 10_000)
    assert cifar.scores.max(axis=1).max() == 1
    assert corpora.time_series("ucr").scores.shape[1] == 111
    assert {table.corpus for table in corpora.livebench()} == {"LiveBench"}
