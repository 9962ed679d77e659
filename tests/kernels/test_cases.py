"""Means over cases, clustered or not, against R and slow twins."""

import numpy as np
import pytest

from goldens import golden
from replicast.kernels import cases


@pytest.mark.parametrize("case", golden("clustered_mean")[0], ids=lambda c: len(c["differences"]))
def test_clustered_mean_as_in_clubsandwich(case: dict) -> None:
    rows, clusters = np.array(case["differences"]), np.array(case["clusters"])
    found = cases.clustered_mean(rows, clusters)
    assert found.mean == pytest.approx(case["estimate"], rel=1e-9)
    assert found.standard_error == pytest.approx(case["standard_error"], rel=1e-9)
    sizes = np.bincount(clusters).astype(float)
    assert cases.satterthwaite(sizes, np.array(0.0)) == pytest.approx(case["df"], rel=1e-8)
    plain = cases.plain_clustered_mean(rows, clusters)
    assert plain.standard_error == pytest.approx(case["plain_error"], rel=1e-12)
    assert plain.df == len(sizes) - 1


def slow_degrees(sizes: np.ndarray, correlation: float) -> float:
    """Build every matrix: CR2 adjustments, residual maker, working covariance."""
    n = int(sizes.sum())
    clusters = np.repeat(np.arange(len(sizes)), sizes.astype(int))
    working = np.where(clusters[:, None] == clusters, correlation, 0.0)
    np.fill_diagonal(working, 1.0)
    residual = np.eye(n) - 1 / n
    sums = []
    for group in range(len(sizes)):
        inside = clusters == group
        block = np.eye(inside.sum()) - 1 / n
        values, vectors = np.linalg.eigh(block)
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        sums.append(root.sum(axis=0) @ residual[inside])
    weights = np.array(sums)
    b = weights @ working @ weights.T
    return float(np.trace(b) ** 2 / (b**2).sum())


@pytest.mark.parametrize("correlation", [0.0, 0.05, 0.4, 1.0])
def test_degrees_of_freedom_by_matrices(correlation: float) -> None:
    rng = np.random.default_rng(3)
    for groups in (2, 3, 8, 20):
        sizes = rng.integers(1, 12, size=groups).astype(float)
        found = cases.satterthwaite(sizes, np.array(correlation))
        assert found == pytest.approx(slow_degrees(sizes, correlation), rel=1e-9)


def test_cases_alone_in_their_clusters_are_plain() -> None:
    rows = np.random.default_rng(0).normal(size=(4, 30))
    alone, plain = cases.clustered_mean(rows, np.arange(30)), cases.case_mean(rows)
    for ours, theirs in zip(alone, plain, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    np.testing.assert_allclose(
        plain.standard_error, np.std(rows, axis=-1, ddof=1) / np.sqrt(30), rtol=1e-12
    )


def test_the_batch_is_the_loop_and_order_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    rows, clusters = rng.normal(size=(6, 40)), rng.integers(0, 7, size=40)
    together = cases.clustered_mean(rows, clusters)
    order = rng.permutation(40)
    for i, row in enumerate(rows):
        for one in (cases.clustered_mean(row, clusters),
                    cases.clustered_mean(row[order], clusters[order])):  # fmt: skip
            for ours, theirs in zip(together, one, strict=True):
                assert ours[i] == pytest.approx(float(theirs), rel=1e-10)


@pytest.mark.parametrize("groups", [8, 15, 40])
@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.5])
def test_level_with_clusters_of_unequal_size(groups: int, correlation: float) -> None:
    """At most 6 %, where the plain G - 1 degrees of freedom reject 8 to 22 %."""
    rng = np.random.default_rng(groups)
    rejected, plainly, tried = 0, 0, 0
    for _ in range(20):
        sizes = np.maximum(1, np.round(10 * np.exp(rng.normal(0, 1.2, size=groups)))).astype(int)
        clusters = np.repeat(np.arange(groups), sizes)
        shared = rng.normal(size=(400, groups))[:, clusters] * np.sqrt(correlation)
        rows = shared + rng.normal(size=(400, len(clusters))) * np.sqrt(1 - correlation)
        rejected += _rejections(cases.clustered_mean(rows, clusters))
        plainly += _rejections(cases.plain_clustered_mean(rows, clusters))
        tried += 400
    assert rejected / tried <= 0.06
    assert plainly / tried > rejected / tried


def _rejections(found: cases.CaseMean) -> int:
    from scipy import special

    p = 2 * special.stdtr(found.df, -np.abs(found.mean / found.standard_error))
    return int((p < 0.05).sum())


def test_answers_vary_about_their_case() -> None:
    rng = np.random.default_rng(2)
    answers = rng.normal(size=(50, 4))
    answers[3, 1:] = np.nan
    answers[7, 2] = np.nan
    slow = [np.var(a[np.isfinite(a)], ddof=1) / np.isfinite(a).sum()
            for a in answers if np.isfinite(a).sum() > 1]  # fmt: skip
    assert cases.answer_variance(answers) == pytest.approx(np.mean(slow), rel=1e-12)
    assert cases.answer_variance(answers[:, :1]) == 0


@pytest.mark.parametrize("case", golden("delong")[0], ids=lambda c: len(c["truth"]))
def test_roc_areas_as_in_proc(case: dict) -> None:
    scores = np.array([case["first"], case["second"]], dtype=float)
    areas, covariance = cases.roc_areas(scores, np.array(case["truth"], dtype=float))
    np.testing.assert_allclose(areas, [case["first_auc"], case["second_auc"]], rtol=1e-12)
    wanted = [[case["first_variance"], case["covariance"]],
              [case["covariance"], case["second_variance"]]]  # fmt: skip
    np.testing.assert_allclose(covariance, wanted, rtol=1e-10)
    error = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    assert (areas[0] - areas[1]) / error == pytest.approx(case["statistic"], rel=1e-10)


def test_roc_areas_by_counting_pairs() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, size=60).astype(float)
    scores = np.round(rng.normal(size=(3, 60)) + truth, 1)
    areas, _ = cases.roc_areas(scores, truth)
    for row, area in zip(scores, areas, strict=True):
        above, below = row[truth == 1][:, None], row[truth == 0]
        assert area == pytest.approx(((above > below) + 0.5 * (above == below)).mean(), rel=1e-12)
