"""The answer is on the first screen, in few words, each number at most twice; and it comes at once."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

import replicast as rc
from browser import open_browser
from replicast.presentation.words.scales import hundred
from replicast.web.jobs import Outcome
from replicast.web.pages import scores
from replicast.web.pages.scores import Answers

SCREENS = ((360, 740), (768, 1024), (1280, 800))
ASKED = (
    "/paper?t=2.9&folds=10", "/paper?z=2.1&datasets=20", "/paper?wins=29&datasets=44",
    "/paper?first_only=40&second_only=20&cases=500", "/paper?t=5.14&seeds=5",
    "/means?first_mean=93.4&first_sd=1.2&second_mean=92.1&second_sd=1.0&folds=10",
    "/plan", "/plan?setting=datasets&datasets=12", "/plan?points=2.4&sd=2",
    "/judge?estimate=3.1&se=1.2&replication_estimate=2.0&replication_se=1.0",
)  # fmt: skip
REPORTS = ("/scores?example=folds", "/scores?example=cases", "/scores?example=datasets")
EMPTY = ("/paper", "/means", "/judge", "/scores")
WORDS = """(height) => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const around = node.parentElement;
    if (around.closest("form, svg, pre, .peek, footer, details, .unseen")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width && box.top + scrollY < height) found.push(node.textContent.trim());
  }
  return found.join(" ");
}"""


@pytest.fixture(params=SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
def screen(request: pytest.FixtureRequest, server: str) -> Iterator[tuple[Any, int]]:
    """Yield a page of a size, and its height."""
    width, height = request.param
    with open_browser(base_url=server, viewport={"width": width, "height": height}) as context:
        yield context.new_page(), height


def test_the_answer_and_its_picture_are_on_the_first_screen(screen: tuple[Any, int]) -> None:
    page, height = screen
    for address in (*ASKED, *REPORTS, *EMPTY):
        page.goto(address)
        headline = page.locator(".headline").bounding_box()
        assert headline["y"] + headline["height"] <= height, address
        picture = page.locator("main .picture:visible").first.bounding_box()
        assert picture["y"] < height, address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_few_words_stand_above_the_fold(screen: tuple[Any, int]) -> None:
    page, height = screen
    for address in (*ASKED, *REPORTS, *EMPTY):
        page.goto(address)
        words = page.evaluate(WORDS, height).split()
        assert len(words) <= 70, (address, len(words), " ".join(words))


def test_no_number_stands_on_a_page_more_than_twice(screen: tuple[Any, int]) -> None:
    page, _ = screen
    for address in (*ASKED, *REPORTS):
        page.goto(address)
        numbers = re.findall(r"\d+(?:[.,]\d+)*", page.evaluate(WORDS, 100_000))
        often = {n: k for n, k in Counter(numbers).items() if k > 2 and n != "100"}
        assert often == {}, address


def test_two_readings_are_two_marks_of_equal_weight(screen: tuple[Any, int]) -> None:
    page, _ = screen
    page.goto("/paper?t=2.9&folds=10")
    found = rc.replicate(t=2.9, folds=10)
    assert found.by_test is not None
    looks, boxes = [], []
    for chance, words in (
        (found.by_test.corrected, "corrected"),
        (found.by_test.ordinary, "ordinary"),
    ):
        said = f"{hundred(chance)} if {words}"
        assert hundred(chance) in page.locator("h1").inner_text()
        label = page.locator("figure:visible text", has_text=said)
        mark = page.locator("figure:visible .told", has=page.locator("title", has_text=said))
        drawn = label.evaluate(
            "e => ['fontWeight', 'fontSize', 'fill'].map((name) => getComputedStyle(e)[name])"
        )
        size = mark.bounding_box()
        looks.append((drawn, round(size["width"]), round(size["height"])))
        boxes.append(label.bounding_box())
    assert looks[0] == looks[1]
    left, right = sorted(boxes, key=lambda box: box["x"])
    assert left["x"] + left["width"] <= right["x"] or abs(left["y"] - right["y"]) >= 12


def test_an_empty_page_shows_an_example_and_gives_it_up_for_an_answer(server: str) -> None:
    with open_browser(base_url=server) as context:
        page = context.new_page()
        page.goto("/paper")
        assert "For example" in page.locator(".example").inner_text()
        assert page.locator("h1").inner_text() == "Would a published result happen again?"
        page.fill("#t", "3.5")
        expect(page.locator("[data-headline]")).to_be_visible()
        assert page.locator(".example").count() == 0
        assert page.locator("h1").count() == 1
        page.fill("#t", "")  # and back
        expect(page.locator("h1")).to_have_text("Would a published result happen again?")
        assert page.locator(".example").count() == 1


def test_a_script_asks_after_40_ms_for_the_answer_alone(server: str) -> None:
    with open_browser(base_url=server) as context:
        page = context.new_page()
        page.clock.install()
        page.goto("/paper?t=2.9&folds=10")
        page.wait_for_load_state("networkidle")
        asked: list[str] = []
        page.on("request", lambda sent: "/paper" in sent.url and asked.append(sent.url))
        page.clock.pause_at(4_000_000_000)
        page.fill("#t", "3.5")
        page.clock.run_for(39)
        assert asked == []
        with page.expect_response("**/paper?*") as waiting:
            page.clock.run_for(2)
        answer = waiting.value.text()
        assert "<nav" not in answer
        assert "<form" not in answer
        assert "data-headline" in answer


def test_answers_are_compressed_and_files_of_the_page_are_kept(web: httpx.Client) -> None:
    told = web.get("/paper?t=2.9&folds=10")
    assert told.headers["content-encoding"] == "gzip"
    for name in re.findall(r'"(/static/[^"]+)"', told.text):
        assert "?v=" in name
        assert "immutable" in web.get(name).headers["cache-control"]


TABLE = "dataset,a,b\n" + "".join(
    f"d{i},0.{80 + i * 7 % 9},0.{75 + i * 5 % 9}\n" for i in range(12)
)


def test_a_file_of_a_report_is_not_computed_again(web: httpx.Client) -> None:
    said = {"table": TABLE, "direction": "higher"}
    page = web.post("/scores", data=said).text
    word = re.search(r'name="answer" value="([^"]+)"', page)
    assert word is not None
    exact = web.post("/scores", data=said | {"as": "json"})
    unread = {"table": "no table at all", "as": "json"}
    assert web.post("/scores", data=unread).status_code == 422
    again = web.post("/scores", data=unread | {"answer": word.group(1)})
    assert again.json() == exact.json()
    forgotten = web.post("/scores", data=said | {"as": "json", "answer": "another"})
    assert forgotten.json() == exact.json()  # from the table, which came along


def test_answers_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(scores, "monotonic", lambda: now[0])
    answers = Answers()
    first = answers.keep(Outcome(title="first", html="x"))
    found = answers.find(first)
    assert found is not None
    assert (found.title, found.html) == ("first", "")
    for _ in range(scores._KEPT + 1):
        answers.keep(Outcome())
    assert answers.find(first) is None
    last = answers.keep(Outcome())
    now[0] = scores._SECONDS + 1
    assert answers.find(last) is None
