"""Take the pictures of the pages that the README shows: `make screenshots`."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from browser import open_browser
from serving import serving

HERE = Path(__file__).parent
SHOWN = {"width": 1100, "height": 900}


def main() -> None:
    with serving() as (address, _), open_browser(base_url=address, viewport=SHOWN) as context:
        _take(context.new_page())


def _take(page: Any) -> None:
    page.goto("/paper?t=2.9&folds=10")
    page.screenshot(path=HERE / "web-paper.png")
    page.goto("/plan")
    page.screenshot(path=HERE / "web-plan.png")
    page.goto("/scores?example")
    page.click("button:text('Compare')")
    page.select_option("#first", "svm")
    page.select_option("#second", "naive-bayes")
    page.click("button:text('Go on')")
    page.wait_for_selector("article.report h1")
    page.screenshot(path=HERE / "web-scores.png")


if __name__ == "__main__":
    main()
