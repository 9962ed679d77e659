"""Links that the pages of version 0.1 made still open, and mean what they meant."""

import httpx
import pytest

import replicast as rc
from replicast.formatting import format_percent

# written by version 0.1: the share link of each kind of number, and a whole form as it was sent
OLD = {
    "t=2.4&folds=10": rc.replicate(t=2.4, folds=10),
    "t=2.4&folds=10&runs=10&first=svm&second=nb": rc.replicate(t=2.4, folds=10, runs=10),
    "t=-2.4&datasets=12": rc.replicate(t=2.4, datasets=12),
    "t=2.9&splits=30&n_train=80&n_test=20": rc.replicate(
        t=2.9, design=rc.RandomSplits(splits=30, n_train=80, n_test=20)
    ),
    "z=2.437&datasets=20": rc.replicate(z=2.437, datasets=20),
    "z=2.437&datasets=20&sd=0.8": rc.replicate(z=2.437, datasets=20, spread=0.8),
    "wins=16&of=20": rc.replicate(wins=16, datasets=20),
    "wins=15.5&of=20&significance=0.01": rc.replicate(wins=15.5, datasets=20, significance=0.01),
    "p=0.03&folds=10": rc.replicate(pvalue=0.03, design=rc.KFold(10)),
    "p=0.03&datasets=20": rc.replicate(pvalue=0.03, design=rc.Datasets(20)),
    "first_only=40&second_only=20&cases=500": rc.replicate(discordant=(40, 20), cases=500),
    "report=p&setting=datasets&t=2.4&wins=&of=20&p=0.03&folds=10&runs=1&datasets=20&sd=": (
        rc.replicate(pvalue=0.03, design=rc.Datasets(20))
    ),
    "report=cases&first_only=40&second_only=20&cases=500&t=2.4&folds=10&of=20": (
        rc.replicate(discordant=(40, 20), cases=500)
    ),
    "report=wins&wins=16&of=20&datasets=12&folds=10": rc.replicate(wins=16, datasets=20),
}


@pytest.mark.parametrize("query", OLD)
def test_a_link_of_version_01_opens(web: httpx.Client, query: str) -> None:
    expected = OLD[query]
    page = web.get(f"/paper?{query}")
    assert page.status_code == 200
    assert format_percent(expected.probability) in page.text
    api = web.get(
        "/api/paper", params=[pair.split("=") for pair in query.split("&") if pair[-1] != "="]
    )
    assert api.status_code == 200
    assert api.json()["replication"]["probability"] == pytest.approx(expected.probability)
    assert api.json()["replication"]["as_published"] == pytest.approx(expected.as_published)


@pytest.mark.parametrize(
    "query",
    [
        "effect=0.8&folds=10&runs=10",
        "effect=0.5&setting=datasets&datasets=30&probability=0.9&vary=datasets",
        "significance=0.01&vary=cases",
    ],
)
def test_a_plan_of_version_01_opens(web: httpx.Client, query: str) -> None:
    assert web.get(f"/plan?{query}").status_code == 200
    assert web.get(f"/api/plan?{query}").status_code == 200


def test_a_new_link_has_the_new_names(web: httpx.Client) -> None:
    page = web.get("/paper?p=0.03&datasets=20").text
    assert "/paper?pvalue=0.03&amp;datasets=20" in page or "/paper?pvalue=0.03&datasets=20" in page
