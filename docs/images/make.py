"""Take the pictures of the pages that the README shows: `make screenshots`."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import replicast as rc
from browser import open_browser
from replicast.presentation.telling import rendered
from serving import serving

HERE = Path(__file__).parent
SCORES = HERE.parents[1] / "src/replicast/data/breast-cancer-10x10.csv"
SHOWN = {"width": 1100, "height": 900}


def main() -> None:
    with serving() as (address, _), open_browser(base_url=address, viewport=SHOWN) as context:
        _take(context.new_page())
        _report(context.new_page())


def _take(page: Any) -> None:
    page.goto("/paper?t=2.9&folds=10")
    page.screenshot(path=HERE / "web-paper.png")
    page.goto("/plan")
    page.screenshot(path=HERE / "web-plan.png")
    page.goto("/scores?example=folds")
    page.wait_for_selector("article.report h1")
    page.screenshot(path=HERE / "web-scores.png")


def _report(page: Any) -> None:
    table = rc.read_scores(SCORES)
    found = rc.compare(table.pair("svm", "naive-bayes"))
    page.set_viewport_size({"width": 820, "height": 900})
    page.set_content(rendered(found, ".html", table.account).decode("utf-8"))
    page.screenshot(path=HERE / "report.png", full_page=True)


if __name__ == "__main__":
    main()
