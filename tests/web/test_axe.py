"""No violation of axe on any page or report: three widths, light and dark.

axe-core comes from npm (`npm install axe-core`), or is named by AXE_CORE.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replicast as rc
from browser import open_browser
from replicast.comparison.records import ManyComparison
from replicast.presentation.telling import rendered

ROOT = Path(__file__).parents[2]
PAGES = (
    "/paper", "/paper?t=2.9&folds=10", "/paper?t=0.1&folds=10&runs=10", "/paper?t=30&folds=10",
    "/paper?wins=3&datasets=4", "/paper?wins=29&datasets=44", "/paper?t=x&folds=10",
    "/paper?t=2.9&folds=10&first=a+very+long+name+of+a+method&second=%E4%B8%AD%E6%96%87",
    "/plan", "/plan?points=2.4&sd=2", "/plan?setting=datasets&datasets=12", "/plan?effect=9",
    "/judge", "/judge?estimate=3.1&se=1.2&replication_estimate=2.0&replication_se=1.0",
    "/means", "/means?first_mean=93.4&first_sd=1.2&second_mean=92.1&second_sd=1.0&folds=10",
    "/scores", "/scores?example=folds", "/scores?example=datasets", "/scores?example=cases", "/api",
    "/nowhere",
)  # fmt: skip
FOUND = """axe.run({resultTypes: ["violations"]}).then((told) => told.violations.map(
  (one) => `${one.id} (${one.impact}): ${one.nodes[0].html.slice(0, 200)}`))"""


def axe_core() -> str:
    given = os.environ.get("AXE_CORE", str(ROOT / "node_modules/axe-core/axe.min.js"))
    if not Path(given).exists():
        pytest.skip("axe-core is not installed; npm install axe-core brings it")
    return Path(given).read_text(encoding="utf-8")


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, server: str) -> Iterator[Any]:
    axe = axe_core()
    with open_browser(base_url=server, color_scheme=request.param, bypass_csp=True) as context:
        context.add_init_script(axe)
        opened = context.new_page()
        yield opened


def violations(page: Any, address: str) -> list[str]:
    page.goto(address)
    found = []
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        found += [f"{address} at {width}: {words}" for words in page.evaluate(FOUND)]
    return found


def test_axe_sees_what_is_wrong(page: Any) -> None:
    page.goto("/paper")
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert any(words.startswith("image-alt") for words in page.evaluate(FOUND))


def test_pages(page: Any) -> None:
    assert [words for address in PAGES for words in violations(page, address)] == []


def test_reports(page: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    base = rng.uniform(0.7, 0.9, 12)

    def pair(shift: float) -> rc.PairedScores:
        noisy = base + rng.normal(shift, 0.02, 12)
        return rc.PairedScores(first=noisy, second=base - shift / 9, design=rc.Datasets())

    def many(k: int) -> ManyComparison:
        scores = base[None, :] + rng.normal(0, 0.02, (k, 12))
        table = rc.ScoreTable(
            classifiers=tuple(f"method {i}" for i in range(k)), design=rc.Datasets(),
            datasets=tuple(f"d{i}" for i in range(12)), scores=scores[:, :, None, None],
        )  # fmt: skip
        return rc.rank(table)

    files = {
        "clear": rendered(rc.compare(pair(0.05)), ".html"),
        "unclear": rendered(rc.compare(pair(0.001)), ".html"),
        "some": rendered(many(6), ".html"),
        "many": rendered(many(30), ".html"),
        "judged": rendered(rc.judge(pair(0.05), pair(0.03)), ".html"),
    }
    found = []
    for name, content in files.items():
        path = tmp_path / f"{name}.html"
        path.write_bytes(content)
        found += violations(page, path.as_uri())
    assert found == []
