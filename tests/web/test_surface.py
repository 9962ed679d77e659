"""What once went wrong before a visitor's eyes, each in a browser."""

import re
import time
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import expect

import replicast as rc
from browser import open_browser
from replicast.presentation.pictures.palette import PALETTE
from replicast.presentation.telling import tell
from replicast.presentation.words.scales import hundred
from replicast.replication.records import Replication
from replicast.web.pages.papers import paper_page
from replicast.web.pilot import read_pilot

TABLE = "dataset,a,b,c,d\n" + "".join(  # out of ten: nothing tells whether higher is better
    f"d{i},{8 + 0.11 * i % 1:.2f},{7.8 + 0.07 * i % 1:.2f},{7 + 0.13 * i % 2:.2f},"
    f"{7.5 + 0.05 * i % 1:.2f}\n"
    for i in range(14)
)


def answered(page: Any, found: Replication) -> None:
    words = rf"^{re.escape(hundred(found.probability))}\b.* of 100 repeats "
    expect(page.locator("[data-headline]")).to_have_text(re.compile(words))


@pytest.fixture
def page(server: str) -> Iterator[Any]:
    with open_browser(base_url=server) as context:
        opened = context.new_page()
        yield opened


@pytest.mark.parametrize("broken", ["offline", "busy"])
def test_an_answer_that_was_not_renewed_is_said_to_be_stale(page: Any, broken: str) -> None:
    """The old chance once stood under the new t, at full strength and without a word."""
    page.goto("/paper?t=2.9&folds=10")

    def fail(route: Any) -> None:
        route.abort() if broken == "offline" else route.fulfill(status=503, body="busy")

    page.route("**/paper?*", fail)
    page.fill("#t", "1.0")
    expect(page.locator("[data-status]")).to_have_text(
        "Not updated: the server does not answer. Shown is t = 2.9, folds = 10, runs = 1, "
        "test = unknown, relation = unknown."
    )
    expect(page.locator("[data-result]")).to_have_attribute("data-stale", "")
    assert page.locator("[data-result]").evaluate("e => getComputedStyle(e).opacity") != "1"
    assert page.url.endswith("t=2.9&folds=10")
    page.unroute("**/paper?*")  # back again: the page asks by itself
    expect(page.locator("[data-result]")).not_to_have_attribute("data-stale", "")
    answered(page, rc.replicate(t=1.0, folds=10))


def test_dark_pages_are_printed_light(server: str) -> None:
    with open_browser(base_url=server, color_scheme="dark") as context:
        opened = context.new_page()
        opened.goto("/paper?t=2.9&folds=10")
        tone = "getComputedStyle(document.documentElement).getPropertyValue('--ink')"
        assert opened.evaluate(tone) == PALETTE["ink"][1]
        opened.emulate_media(media="print", color_scheme="dark")
        assert opened.evaluate(tone) == PALETTE["ink"][0]


def test_a_missing_number_is_asked_for_at_its_own_field(page: Any) -> None:
    """With datasets chosen and empty, the hidden field of folds was once asked for."""
    page.goto("/paper")
    page.select_option("#report", "pvalue")
    page.fill("#pvalue", "0.03")
    page.select_option("#setting", "datasets")
    expect(page.locator("#datasets-error")).to_have_text("Give a number, for instance 20.")
    expect(page.locator(".error:visible")).to_have_count(1)
    page.click("button[type=submit]")
    expect(page.locator("#datasets")).to_be_focused()


def test_a_link_may_carry_what_others_add(page: Any) -> None:
    answer = page.goto("/paper?t=2.9&folds=10&utm_source=mail")
    assert answer.status == 200
    answered(page, rc.replicate(t=2.9, folds=10))


def test_back_brings_the_last_answer_back(page: Any) -> None:
    page.goto("/paper?t=2.9&folds=10")
    page.wait_for_timeout(1700)  # long enough to have been read
    page.fill("#t", "1.0")
    expect(page).to_have_url(re.compile("t=1.0"))
    page.go_back()
    expect(page).to_have_url(re.compile("t=2.9"))
    expect(page.locator("#t")).to_have_value("2.9")
    answered(page, rc.replicate(t=2.9, folds=10))


def test_the_status_is_one_line(page: Any) -> None:
    """The whole result was once read aloud at every pause in typing."""
    page.goto("/paper")
    assert page.locator("[aria-live]").count() == 0
    page.fill("#t", "2.9")
    answered(page, rc.replicate(t=2.9, folds=10))
    headline = page.locator("h1").inner_text()
    expect(page.locator("[role=status]")).to_have_text(headline)
    page.goto("/judge?estimate=3.1&se=1.2&replication_estimate=2.0&replication_se=1.0")
    assert page.locator("[aria-live]").count() == 0
    page.fill("#replication_estimate", "-4")
    expect(page.locator("[role=status]")).to_have_text(
        tell(rc.judge((3.1, 1.2), (-4.0, 1.0))).headline
    )


def test_a_printed_ranking_keeps_its_column_headings(page: Any) -> None:
    """Headings are buttons where a script runs, and buttons are not printed."""
    page.goto("/scores?example=datasets")
    heads = page.locator("table[data-sortable] thead th")
    shown = [text.strip(" ↕\n") for text in heads.all_inner_texts()]
    assert len(list(filter(None, shown))) > 5
    page.emulate_media(media="print")
    printed = heads.all_inner_texts()
    assert [text.strip() for text in printed] == shown
    assert heads.first.locator("button").evaluate(
        "e => getComputedStyle(e, '::after').content"
    ) in ("none", "normal")
    assert page.locator("button:not(.sort):visible").count() == 0


ANSWERS = {"small": TABLE, "long": "dataset,a,b\n" + "".join(
    f"d{i},{(i * 7919 % 10007) / 10007:.9f},{(i * 104729 % 10009) / 10009:.9f}\n" for i in range(900)
)}  # fmt: skip


@pytest.mark.parametrize("size", ANSWERS)
def test_back_from_a_report_finds_the_table(page: Any, size: str) -> None:
    """Chrome once said "Confirm Form Resubmission", or showed an empty box."""
    table = ANSWERS[size]
    page.goto("/scores")
    page.fill("#table", table)
    page.click("button:text('Compare')")
    page.wait_for_selector(".asked")
    page.check("#direction-higher")
    page.click("button:text('Go on')")
    page.wait_for_selector("article.report h1")
    assert ("packed=" in page.url) == (size == "small")
    page.go_back()
    expect(page.locator("#table")).to_have_value(table)
    if size == "small":  # the question has an address of its own
        expect(page.locator(".asked")).to_be_visible()
        page.go_back()
        expect(page.locator("#table")).to_have_value(table)
    page.go_forward()
    expect(page.locator("#table")).to_have_value(table)
    page.reload()
    expect(page.locator("#table")).to_have_value(table)
    page.goto("/scores")  # another table begins with nothing
    expect(page.locator("#table")).to_have_value("")


@pytest.mark.parametrize("size", ANSWERS)
def test_back_from_a_report_without_a_question(page: Any, size: str) -> None:
    table = "classifier,dataset,accuracy\n" + "".join(
        f"{name},d{i},{((i + k) * 7919 % 10007) / 10007:.9f}\n"
        for k, name in enumerate("ab") for i in range({"small": 14, "long": 900}[size])
    )  # fmt: skip
    page.goto("/scores")
    page.fill("#table", table)
    page.click("button:text('Compare')")
    page.wait_for_selector("article.report h1")
    assert ("packed=" in page.url) == (size == "small")
    page.go_back()
    expect(page.locator("#table")).to_have_value(table)


def test_a_report_and_its_question_can_be_read_again_without_script(server: str) -> None:
    with open_browser(base_url=server, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/scores")
        page.fill("#table", TABLE)
        page.click("button:text('Compare')")
        page.click("button:text('Go on')")  # nothing was answered
        assert "Choose one of these first." in page.locator(".asked").inner_text()
        page.check("#direction-higher")
        page.click("button:text('Go on')")
        assert page.locator("article.report h1").count() == 1
        page.reload()
        assert page.locator("article.report h1").count() == 1
        page.go_back()
        assert page.input_value("#table").strip() == TABLE.strip()


def test_the_headline_of_a_plan_says_what_it_takes(page: Any) -> None:
    """It once said "here is what it takes" to whatever one dragged; so did the status."""
    page.goto("/plan")
    told = set()
    page.focus("#effect")
    for _ in range(4):
        with page.expect_response("**/plan?*"):
            page.keyboard.press("ArrowRight")
        expect(page.locator("[data-result]")).not_to_have_attribute("aria-busy", "true")
        headline = page.locator(".headline").inner_text()
        expect(page.locator("[role=status]")).to_have_text(headline)
        told.add(headline)
    assert len(told) == 4
    for address, words in (
        ("/plan?effect=2.7", "No more is needed: "),
        ("/plan?effect=1.2&vary=runs", "More runs will not make 80 of 100 repeats significant"),
        (
            "/plan?effect=0.05&setting=datasets&datasets=3&probability=0.95",
            "More datasets will not",
        ),
        (
            "/plan?setting=datasets&effect=0.5&datasets=20",
            " datasets make 80 of 100 repeats significant",
        ),
    ):
        page.goto(address)
        expect(page.locator(".headline")).to_contain_text(words)
    assert all(
        re.search(r"[\d.]+ times the data makes 80 of 100 repeats significant", one) for one in told
    )


def test_copying_without_a_clipboard(page: Any) -> None:
    """On plain http to another host there is no clipboard, and a click once did nothing."""
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.clock.install()
    page.goto("/paper?t=2.9&folds=10")
    page.clock.pause_at(time.time() + 3600)  # what it says for two seconds stays to be seen
    page.click("button.copy")
    expect(page.locator("button.copy")).to_have_text(re.compile("Copied|Press"))
    assert page.evaluate("String(getSelection())").startswith("The new method")
    page.clock.resume()
    expect(page.locator("button.copy")).to_have_text("Copy")


def test_examples_end_in_a_report(page: Any) -> None:
    """An example once only filled the box."""
    page.goto("/scores")
    links = page.locator("main a[href*='example=']")
    assert links.count() == 3
    for at, words in enumerate(("svm", "26 datasets", "334 cases")):
        page.goto("/scores")
        links.nth(at).click()
        page.wait_for_selector("article.report:not(.example) h1")
        assert words in page.locator("article.report").inner_text()
        assert page.locator("article.example").count() == 0
        assert page.locator(".error:visible").count() == 0
    page.goto("/scores?example=nothing")
    assert page.locator("article.report:not(.example)").count() == 0


def test_charts_tell_values_to_pointer_and_keyboard(page: Any) -> None:
    page.goto("/paper?t=2.9&folds=10")
    page.click(".more > summary")
    figure = page.locator("figure", has=page.locator(".spot"))
    figure.scroll_into_view_if_needed()
    box = figure.locator(".spot").nth(6).bounding_box()
    page.mouse.move(box["x"] + 1, box["y"] + 20)
    expect(figure.locator(".value")).to_contain_text("p = ")
    figure.locator(".told[tabindex]").first.focus()
    expect(figure.locator(".value")).to_contain_text("p = 0.018: ")
    page.goto("/scores?example=folds")
    stacks = page.locator("figure.wide")
    stacks.locator(".spot").first.hover(force=True)
    expect(stacks.locator(".value")).to_contain_text("fold")


def posted(page: Any) -> None:
    page.goto("/scores")
    page.fill("#table", TABLE)
    page.click("button:text('Compare')")
    for _ in range(3):
        if page.locator("article.report:not(.example)").count():
            return
        if page.locator("#direction-higher").count():
            page.check("#direction-higher")
        page.click("button:text('Go on')")
        page.wait_for_load_state()


def test_a_question_left_open_is_asked_again_in_words(page: Any) -> None:
    """A form sent back unanswered once returned unchanged."""
    page.goto("/scores")
    page.fill("#table", TABLE)
    page.click("button:text('Compare')")
    assert page.locator(".error:visible").count() == 0
    page.click("button:text('Go on')")
    expect(page.locator("#direction-error")).to_have_text("Choose one of these first.")


def test_a_table_is_sent_once_and_said_to_be_worked_on(page: Any) -> None:
    page.goto("/scores")
    page.fill("#table", TABLE)
    page.evaluate("addEventListener('submit', (event) => event.preventDefault())")  # no answer
    page.click("button:text('Compare')")
    expect(page.locator("button:text('Compare')")).to_be_disabled()
    expect(page.locator("[data-status]")).to_have_text("Working on it …")
    assert page.locator(".peek").evaluate("e => getComputedStyle(e).position") == "fixed"


def test_tables_of_many_can_be_sorted(page: Any) -> None:
    posted(page)
    table = page.locator("table[data-sortable]").nth(0)

    def column() -> list[float]:
        shown = table.locator("tbody tr:not(.rule) td:nth-child(3)").all_inner_texts()
        return [float(text.rstrip("%").replace("−", "-")) for text in shown]

    head = table.locator("thead th").nth(2)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column() == sorted(column())
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column() == sorted(column(), reverse=True)


def test_a_file_can_be_dropped_and_is_previewed(page: Any) -> None:
    page.goto("/scores")
    page.evaluate(
        """(text) => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "mine.csv", { type: "text/csv" }));
          document.body.dispatchEvent(
            new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
        }""",
        TABLE,
    )
    expect(page.locator("[data-preview]")).to_contain_text("mine.csv")
    expect(page.locator("[data-preview]")).to_contain_text("dataset,a,b,c,d")
    assert page.evaluate("document.querySelector('#files').files.length") == 1


def test_plans_in_points_and_from_a_pilot(page: Any) -> None:
    """Nobody has a mean over a standard deviation in the head."""
    page.goto("/plan")
    page.select_option("#by", "points")
    expect(page.locator("#points")).to_be_visible()
    expect(page.locator("#effect")).to_be_hidden()
    expect(page.locator("#points-error")).to_be_visible()
    page.fill("#points", "2.4")
    page.fill("#sd", "2")
    expect(page.locator(".more")).to_contain_text("is an effect of 1.2.")
    expect(page).to_have_url(re.compile(r"points=2\.4&sd=2"))
    told = page.locator(".headline").inner_text()
    page.goto("/plan?effect=1.2")
    assert page.locator(".headline").inner_text() == told
    page.select_option("#by", "pilot")
    page.fill("#pilot", "svm nb\n0.93 0.90\n0.95 0.94\n0.91 0.90\n0.94 0.90")
    expect(page.locator(".more")).to_contain_text("The pilot's 4 differences have mean 0.0225")
    page.fill("#pilot", "1 2 3\n4 5 6\n7 8 9")
    expect(page.locator("#pilot-error")).to_contain_text("two scores each")
    page.fill("#pilot", "1\n1\n1")
    expect(page.locator("#pilot-error")).to_contain_text("differences that vary")


def test_a_pilot_is_read_as_it_is_pasted() -> None:
    pairs = read_pilot("fold1, 93%, 90%\nfold2, 95%, 94%\nfold3, 91%, 90.5%")
    assert (pairs.differences, round(pairs.mean, 3)) == (3, 1.5)
    assert read_pilot("3 1 0.5") == read_pilot("3\n1\n0.5")
    assert read_pilot("−1\n−2\n−4").effect == read_pilot("1\n2\n4").effect
    with pytest.raises(rc.InvalidArgumentError, match="one difference each"):
        read_pilot("1, 0.9, 0.8\n2, 0.9, 0.7\n3, 0.8, 0.7")


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("t=x&folds=10", "t", "This must be a number from -1,000 to 1,000, not 'x'."),
        ("pvalue=<x&folds=10", "pvalue", "This must be a number between 0 and 1, not 'x'."),
        ("t=2.9", "folds", "Give a number, for instance 10."),
        ("wins=50&datasets=44", "wins", "This must be a number from 0 to 44"),
        ("first_only=3", "second_only", "Give a number, for instance 20."),
        ("foldz=10&t=2", "request", "There is no field 'foldz'. Did you mean folds?"),
    ],
)
def test_mistakes_are_said_beside_their_field(query: str, field: str, words: str) -> None:
    """A visitor was once told that "`folds` must be given, or datasets, or splits, got nothing"."""
    status, page = paper_page(query)
    told = dict(re.findall(r'data-error="(\w+)">([^<]+)<', page.decode()))
    assert status == 422
    assert list(told) == [field]
    assert unescape(told[field]).startswith(words)


def test_each_page_says_what_was_asked_for_once_and_to_quote() -> None:
    from replicast.web.pages.papers import means_page

    means = "first_mean=93.4&first_sd=1.2&second_mean=92.1&second_sd=1.0&folds=10"
    page = means_page(means)[1].decode()
    assert "<h2>To quote</h2>" in page
    assert "Please report the score of every fold" in page
    assert "opens wherever this server is reached" in page
    seeds = paper_page("t=5.14&seeds=5")[1].decode()
    assert "t-test over seeds alone" in seeds


def test_a_ranking_says_its_headline_once_and_asks_in_plain_words() -> None:
    from replicast.web.forms import ScoresQuestion
    from replicast.web.jobs import report_scores

    table = b"dataset  svm  nb  tree\n" + b"".join(
        b"d%d  9%d.0%%  **9%d.5%%**  9%d.0%%\n" % (i, i % 4, (i * 3) % 5, (i * 7) % 4)
        for i in range(9)
    )
    asked = report_scores({"pasted.txt": table}, ScoresQuestion(), "page")
    assert [one.field for one in asked.questions] == ["first", "second"]
    told = report_scores(
        {"pasted.txt": table}, ScoresQuestion(direction="higher", first="*"), "page"
    )
    text = told.html
    assert text.count("No classifier is clearly ahead") == 1
    assert "= -" not in text
