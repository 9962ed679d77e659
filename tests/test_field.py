"""What was learned from the corpora, and the tools that learned it."""

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any, get_args

import numpy as np
import pytest
from calibration.field import corpora
from calibration.field.__main__ import fitted
from calibration.field.corpora import Table
from calibration.field.crowds import Crowd
from calibration.field.crowds import draw as draw_crowds
from calibration.field.crowds import table as crowd_table
from calibration.field.experiments import (
    CLOSE_RANKS,
    RELATIONS,
    Relation,
    arena,
    parts,
    ranking,
    replicated,
)
from calibration.field.fitting import fit_weights, in_likelihood_order, normal_likelihood
from calibration.field.kinds import KINDS
from calibration.field.others import GapLine, stays_ahead
from calibration.field.page import draw, gap_table, summary, wrong
from calibration.field.page import table as page_table
from calibration.field.record import Line, pooled, sizes
from calibration.field.scoring import Scored, over_cases, over_datasets
from scipy import stats

from replicast import InvalidArgumentError
from replicast.kernels.mixtures import Prior
from replicast.replication import priors

LEARNED: dict[str, Any] = json.loads(
    files("replicast.replication").joinpath("priors.json").read_text(encoding="utf-8")
)["kinds"]


# --------------------------------------------------------------------------- the file
@pytest.mark.parametrize("kind", LEARNED)
def test_any_two_differ_more_than_close_rivals(kind: str) -> None:
    """Likelihood ratios that never fall make `close` <= `any` for every result there can be."""
    entry = LEARNED[kind]
    wide, close = np.array(entry["any"]), np.array(entry["close"])
    assert len(wide) == len(close) == len(entry["components"])
    for weights in (wide, close):
        assert (weights > 0).all()
        assert weights.sum() == pytest.approx(1, abs=1e-9)
    assert (np.diff(wide / close) >= -1e-4 * (wide / close)[:-1]).all()  # nine digits are stored
    spreads = np.array(entry["components"])
    assert (np.diff(1 / spreads if kind == "wins" else spreads) > 0).all()


def test_unknown_is_half_and_half() -> None:
    for kind in priors.KINDS:
        unknown, close, wide = (priors.prior_for(kind, r) for r in ("unknown", "close", "any"))
        assert unknown.spreads == close.spreads == wide.spreads
        assert unknown.weights == pytest.approx(np.mean([close.weights, wide.weights], axis=0))
    wins = [priors.win_prior_for(r).weights for r in ("unknown", "close", "any")]
    assert wins[0] == pytest.approx(np.mean(wins[1:], axis=0))


def test_words_of_the_priors() -> None:
    assert get_args(priors.Relation) == priors.RELATIONS
    assert get_args(priors.Kind) == priors.KINDS
    with pytest.raises(InvalidArgumentError, match="relation"):
        priors.prior_for("datasets", "rival")  # type: ignore[arg-type]  # refused at run time
    with pytest.raises(InvalidArgumentError, match="kind"):
        priors.prior_for("folds", "any")  # type: ignore[arg-type]  # refused at run time


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_file_is_what_its_maker_makes(kind: Any) -> None:
    made = fitted(kind)
    for relation in ("any", "close"):
        assert made[relation] == pytest.approx(LEARNED[kind.name][relation], abs=2e-4)


# --------------------------------------------------------------------------- fitting
def test_weights_of_a_known_mixture_are_found() -> None:
    rng = np.random.default_rng(1)
    spreads, true = (0.1, 1.0, 5.0), np.array([0.5, 0.2, 0.3])
    component = rng.choice(3, size=4000, p=true)
    errors = rng.uniform(0.02, 0.3, size=4000)
    seen = rng.normal(0, np.array(spreads)[component]) + rng.normal(0, errors)
    found = fit_weights(normal_likelihood(seen, errors, spreads), np.ones(4000))
    assert found == pytest.approx(true, abs=0.03)


def test_one_comparison_says_little() -> None:
    found = fit_weights(np.array([[1.0, 0.0]]), np.array([1e-9]))
    assert found == pytest.approx([0.5, 0.5])


def test_likelihood_order_pools_what_breaks_it() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        wide, narrow = rng.dirichlet(np.ones(6), size=2)
        ordered, other = in_likelihood_order(wide, narrow)
        assert (np.diff(ordered / other) >= -1e-9).all()
        assert ordered.sum() == pytest.approx(1)
        assert ordered + other == pytest.approx(wide + narrow)
    kept = in_likelihood_order(np.array([0.1, 0.9]), np.array([0.6, 0.4]))
    assert np.concatenate(kept) == pytest.approx([0.1, 0.9, 0.6, 0.4])


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
    assert len(others) == len(found.columns) == 30
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


def test_replicated_counts_the_other_parts() -> None:
    pvalues = np.array([[0.01, 0.01], [0.02, 0.5], [0.03, 0.01], [0.6, 0.04]])
    lead = np.array([[1.0, 1.0], [2.0, 1.0], [-1.0, -3.0], [1.0, -1.0]])
    significant, share = replicated(pvalues, lead)
    assert significant.tolist() == (pvalues < 0.05).tolist()
    assert share[significant].tolist() == pytest.approx([1 / 3, 0, 1 / 3, 0, 1 / 3, 1 / 3])


def test_tests_on_parts_are_those_of_scipy() -> None:
    table = _table()
    where = arena(table, "any", np.random.default_rng(7))
    part = parts(where.columns, 25)[0]
    pvalue, lead, rows = over_cases(table, where, part)
    scores = np.random.default_rng(8).normal(size=(12, 60))
    ranked = over_datasets(Table("x", "x", table.models, scores), where, part)
    for k in (0, 17, 65):
        i, j = where.first[k], where.second[k]
        gap = table.scores[i, part] - table.scores[j, part]
        won, lost = int((gap > 0).sum()), int((gap < 0).sum())
        assert rows[k].tolist() == [max(won, lost), min(won, lost)]
        assert lead[k] == won - lost
        if won + lost:
            assert pvalue[k] == pytest.approx(stats.binomtest(won, won + lost).pvalue)
        expected = stats.wilcoxon(scores[i, part] - scores[j, part], method="exact")
        assert ranked[0][k] == pytest.approx(expected.pvalue)
        assert ranked[2][k].tolist() == [2 * max(expected.statistic, 325 - expected.statistic), 25]


# --------------------------------------------------------------------------- corpora
def test_corpora_are_read_as_their_sources_say() -> None:
    """The figures of calibration/corpora/README.md."""
    series = corpora.time_series("ucr")
    means = dict(zip(series.models, series.scores.mean(axis=1), strict=True))
    assert means["HC2"] == pytest.approx(0.89060, abs=1e-5)
    assert means["1NN-DTW"] == pytest.approx(0.75821, abs=1e-5)
    images, fresh = corpora.cifar("orig"), corpora.cifar("v6")
    k = images.models.index("shake_shake_26_2x64d_SSI_cutout16")
    assert images.scores[k].mean() == pytest.approx(0.9711)
    assert fresh.scores[k].mean() == pytest.approx(0.9310)
    tabular = corpora.tabm()
    adult = dict(zip(tabular.models, tabular.scores.max(axis=1), strict=True))
    assert "tabm" in adult
    assert [table.scores.shape for table in corpora.livebench()][4] == (41, 368)


def test_every_table_is_whole() -> None:
    for table in (*corpora.one_test_set(), *corpora.datasets()):
        assert np.isfinite(table.scores).all()
        assert table.scores.shape[0] == len(set(table.models)) >= 13
        assert table.scores.shape[1] >= 20


# --------------------------------------------------------------------------- the record
def _line(relation: Relation, said: list[float], truth: list[float], size: int = 10) -> Line:
    scored = {
        name: Scored(np.array(said), np.array(truth))
        for name in ("any", "close", "unknown", "flat", "Berrar 2024")
    }
    return Line("datasets", "corpus", "table", size, relation, scored)


def test_cells_count_the_same_and_errors_cancel_between_them() -> None:
    high, low = _line("any", [0.75] * 4, [0.5] * 4), _line("any", [0.75], [1.0])
    said, true, together, own = pooled([high, low])
    assert (said, true) == pytest.approx((0.75, 0.75))
    assert together == pytest.approx(0)
    assert own == pytest.approx(0.25)


def test_sizes_leave_room_for_a_repeat() -> None:
    for table in (*corpora.one_test_set(), *corpora.datasets()):
        for relation in RELATIONS:
            halves = 1 if relation == "any" else 2
            assert all(
                2 * size * halves <= table.scores.shape[1] for size in sizes(table, relation)
            )


def test_a_lead_stays_as_often_as_in_a_simulation() -> None:
    rng = np.random.default_rng(9)
    prior = Prior((0.6, 0.4), (0.5, 3.0), "difference")
    true = rng.normal(0, np.where(rng.random(400_000) < 0.6, 0.5, 3.0))
    seen, again = true + rng.normal(0, 1, 400_000), true + rng.normal(0, 0.7, 400_000)
    near = np.abs(np.abs(seen) - 2) < 0.1
    expected = (np.sign(seen) == np.sign(again))[near].mean()
    found = stays_ahead(np.array([2.0]), np.array([1.0]), np.array([0.7]), prior)
    assert found == pytest.approx([expected], abs=0.01)


def test_pages_show_every_cell() -> None:
    found = [
        replace(_line(relation, [0.2, 0.9], [0.6, 0.9], size), kind=kind)
        for kind in ("one-test-set", "datasets")
        for relation in RELATIONS
        for size in (10, 20)
    ]
    assert summary(found).count("\n") == 1 + 2 * 2 * 4
    assert "| table, 20 | close rivals | 2 | 55% | 75% |" in page_table(found, "datasets")
    assert wrong(found).count("\n") == 7
    assert len(draw(found, found[:1]).axes) == 2
    assert "| above 2 | 9 | 99% | 98% |" in gap_table([GapLine(2.0, 100.0, 9, 0.99, 0.98)])
    crowd = [Crowd("datasets", r, b, 0.5, {"UCR": 0.5}) for r in RELATIONS for b in (0, 1)]
    crowd += [replace(each, kind="one-test-set") for each in crowd]
    assert "| datasets, signed-rank test | 0.01 to 0.05 | 50% | 50% |" in crowd_table(crowd)
    assert "too few" in crowd_table(crowd)
    assert len(draw_crowds(crowd).axes) == 2
