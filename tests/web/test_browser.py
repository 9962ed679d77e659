"""The pages in a browser: what people do with them."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import expect

import replicast as rc
from browser import open_browser
from replicast.comparison.records import Comparison
from replicast.formatting import format_percent, format_pvalue
from replicast.presentation.telling import tell
from replicast.presentation.words.scales import hundred
from replicast.reading.syntaxes.arff import parse_arff
from replicast.replication.curves import required_pvalues
from replicast.replication.records import Replication
from replicast.web.templating import EXAMPLES

FORMATS = Path(__file__).parents[1] / "golden" / "formats"
WIDE = "dataset,new,old\n" + "".join(
    f"d{i},{8 + 0.11 * i % 1:.2f},{7.8 + 0.07 * i % 1:.2f}\n" for i in range(12)
)  # out of ten: nothing tells whether higher is better


@pytest.fixture
def page(server: str) -> Iterator[Any]:
    """Yield a page that fails the test if anything is loaded from elsewhere or goes wrong."""
    with open_browser(base_url=server, accept_downloads=True) as context:
        opened = context.new_page()
        strangers: list[str] = []
        opened.on("request", lambda r: r.url.startswith(server) or strangers.append(r.url))
        opened.on("pageerror", lambda error: strangers.append(str(error)))
        opened.on(
            "console",
            lambda m: "Content Security" in m.text and strangers.append(m.text),
        )
        yield opened
        assert strangers == []


def again(found: Replication) -> re.Pattern[str]:
    """How a headline begins that says a chance."""
    return re.compile(rf"^{re.escape(hundred(found.probability))}\b.* of 100 repeats ")


def answered(page: Any, found: Replication) -> None:
    expect(page.locator("[data-headline]")).to_have_text(again(found))


def reported(page: Any, found: Comparison) -> None:
    """A report says the library's answer and its chance."""
    told = tell(found)
    assert page.locator("article.report h1").inner_text() == told.headline
    shown = " ".join(page.locator("article.report .lines").first.inner_text().split())
    for row in told.lines:
        assert row.spare or row.value in shown


def test_paper_main_path(page: Any) -> None:
    page.goto("/paper")
    page.fill("#t", "2.9")
    found = rc.replicate(t=2.9, folds=10)
    answered(page, found)
    expect(page).to_have_url(re.compile(r"/paper\?t=2\.9&folds=10$"))  # the state is in the address
    assert (
        page.locator("h1").inner_text().startswith("46 or 25 of 100 repeats would be significant")
    )
    assert page.locator("figure svg.chart:visible").count() == 1
    page.click(".more > summary")
    assert page.locator("figure svg.chart:visible").count() == 2  # the answer and its curve
    shown = page.locator("main").inner_text()
    needed = [format_pvalue(p, digits=4) for _, p in required_pvalues(found) if p is not None]
    for words in ("Berrar 2024", *needed, "Link to this answer"):
        assert words in shown
    quote = page.locator("pre").inner_text()
    assert "t(9) = 2.90, p = 0.018" in quote
    assert format_percent(found.probability).removesuffix("%") in quote
    page.fill("#t", "3.5")  # answers while typing, without another page
    answered(page, rc.replicate(t=3.5, folds=10))


@pytest.mark.parametrize(
    ("kind", "typed", "found"),
    [
        ("z", {"z": "2.1", "datasets": "20"}, rc.replicate(z=2.1, datasets=20)),
        ("wins", {"wins": "29", "datasets": "44"}, rc.replicate(wins=29, datasets=44)),
        ("pvalue", {"pvalue": "0.03"}, rc.replicate(pvalue=0.03, design=rc.KFold(10))),
        ("discordant", {"first_only": "40", "second_only": "20", "cases": "500"},
         rc.replicate(discordant=(40, 20), cases=500)),
    ],
)  # fmt: skip
def test_paper_other_numbers(
    page: Any, kind: str, typed: dict[str, str], found: Replication
) -> None:
    page.goto("/paper")
    page.select_option("#report", kind)
    for name, text in typed.items():
        page.fill(f"#{name}", text)
    answered(page, found)


def test_a_shared_link_restores_its_state(page: Any) -> None:
    page.goto("/paper")
    page.select_option("#report", "pvalue")
    page.fill("#pvalue", "0.01")
    page.select_option("#setting", "splits")
    for name, text in (("splits", "100"), ("n_train", "900"), ("n_test", "100")):
        page.fill(f"#{name}", text)
    page.wait_for_load_state("networkidle")
    expect(page).to_have_url(re.compile("n_test=100"))
    link, seen = page.url, page.locator("[data-result]").inner_text()
    short = page.locator("[data-link]").get_attribute("href")
    for address in (link, short):
        page.goto("about:blank")
        page.goto(address)
        assert page.locator("[data-result]").inner_text() == seen
        assert page.input_value("#report") == "pvalue"
        assert page.input_value("#setting") == "splits"
        assert page.input_value("#n_train") == "900"


def test_errors_stand_at_their_field(page: Any) -> None:
    page.goto("/paper")
    page.fill("#t", "2,900")
    page.wait_for_selector("#t-error:visible")
    assert page.locator("#t-error").inner_text() == (
        "This must be a number from -1,000 to 1,000, not '2,900'. Write it with a decimal point, or "
        "without a comma between thousands."
    )
    assert page.get_attribute("#t", "aria-invalid") == "true"
    page.fill("#t", "2.9")
    page.wait_for_selector("#t-error", state="hidden")
    assert page.get_attribute("#t", "aria-invalid") is None


def test_means_main_path(page: Any) -> None:
    """A paper without a test: a design is chosen, its field asked for, and lower can be better."""
    page.goto("/paper")
    page.get_by_role("link", name="Only means?").click()
    for name, value in (("first_mean", "81.2"), ("first_sd", "0.4"), ("second_mean", "80.5"),
                        ("second_sd", "0.5")):  # fmt: skip
        page.fill(f"#{name}", value)
    expect(page.locator("[data-headline]")).to_contain_text("would be significant")
    page.select_option("#setting", "seeds")
    expect(page.locator("#seeds-error")).to_have_text("Give a number, for instance 10.")
    page.fill("#seeds", "5")
    quote = page.locator(".result pre")
    expect(quote).to_contain_text("significant for the first")
    page.select_option("#direction", "lower")
    expect(quote).to_contain_text("significant for the second")
    expect(page).to_have_url(re.compile("direction=lower"))
    assert "folds" not in page.url


JUDGED = "/judge?estimate=3.1&se=1.2&replication_estimate=2.0&replication_se=1.0"


def test_judge_main_path(page: Any) -> None:
    page.goto("/judge")
    for name, text in (("estimate", "3.1"), ("se", "1.2"), ("replication_estimate", "2"),
                       ("replication_se", "1")):  # fmt: skip
        page.fill(f"#{name}", text)
    headline = page.locator("[data-headline]")
    expect(headline).to_have_text(tell(rc.judge((3.1, 1.2), (2.0, 1.0))).headline)
    page.fill("#replication_estimate", "-3")
    expect(headline).to_have_text(tell(rc.judge((3.1, 1.2), (-3.0, 1.0))).headline)
    expect(page).to_have_url(re.compile("replication_estimate=-3"))
    assert page.locator("svg.chart:visible").count() == 1
    page.fill("#se", "none")
    page.wait_for_selector("#se-error:visible")


def test_plan_main_path(page: Any) -> None:
    page.goto("/plan")
    assert "will not make 80 of 100" in page.locator(".more").text_content()  # other ways to grow
    first = page.locator(".headline").inner_text()
    page.focus("#effect")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert page.locator("#effect-value").inner_text() == "2.70"
    expect(page.locator(".headline")).not_to_have_text(first)
    expect(page.locator(".headline")).to_contain_text("No more is needed")
    expect(page).to_have_url(re.compile("effect=2.7&"))
    page.select_option("#setting", "datasets")
    page.wait_for_selector("text=datasets of the repeat >> visible=true")
    assert page.locator("#folds").is_hidden()
    assert page.locator("svg.chart:visible").count() == 1


def weka_files() -> dict[str, bytes]:
    return {
        f"{name}.arff": gzip.decompress((FORMATS / "weka" / f"{name}.arff.gz").read_bytes())
        for name in ("nb", "j48")
    }


def test_a_paste_of_weka_results(page: Any) -> None:
    files = weka_files()
    frames = [parse_arff(raw.decode(), name).frame for name, raw in files.items()]
    page.goto("/scores")
    page.fill("#table", (FORMATS / "weka" / "iris-5x2-j48.csv").read_text())
    page.click("button:text('Compare')")
    assert "at least two classifiers" in page.locator("#table-error").inner_text()
    page.fill(
        "#table",
        pd.concat([frame.astype(object) for frame in frames], join="inner").to_csv(index=False),
    )
    page.click("button:text('Compare')")
    page.wait_for_selector("article.report h1")
    assert "3 datasets" in page.locator("article.report").inner_text()
    page.select_option("#dataset", "iris")
    page.click("button:text('Compare')")
    page.wait_for_selector("header:has-text('iris')")
    table = rc.read_scores(files)
    found = rc.compare(table.pair(*table.classifiers, dataset="iris"))
    assert found.replication is not None
    reported(page, found)


def test_files_of_weka(page: Any) -> None:
    page.goto("/scores")
    page.set_input_files(
        "#files", [FORMATS / "weka" / f"{n}.arff.gz" for n in ("nb", "j48", "ibk")]
    )
    page.click("button:text('Compare')")
    assert "Which is the new method?" in page.locator(".asked").inner_text()
    page.click("button:text('Go on')")
    page.wait_for_selector("article.report [data-sortable]")
    assert "3 classifiers" in page.locator("article.report").inner_text()


def test_scores_from_a_file_with_questions(page: Any, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    rows = "".join(f"9.{i},8.{i * 7 % 10},7.{9 - i}\n" for i in range(10))
    table.write_text("svm,nb,knn\n" + rows)
    page.goto("/scores")
    page.set_input_files("#files", table)
    page.click("button:text('Compare')")
    asked = page.locator(".asked").inner_text()
    assert "Each classifier has 10 scores" in asked
    assert not page.is_checked("#rows-folds")  # nothing is proposed: a proposal is obeyed
    page.check("#rows-folds")
    assert "Which scores are better?" in asked  # all at once
    assert "Which is the new method?" in asked
    page.check("#direction-higher")
    page.select_option("#first", "svm")
    page.select_option("#second", "nb")
    page.click("button:text('Go on')")
    page.wait_for_selector("article.report h1")
    pair = rc.read_scores(table, design=rc.KFold(10), greater_is_better=True).pair("svm", "nb")
    found = rc.compare(pair)
    assert found.replication is not None
    reported(page, found)
    page.select_option("#first", "*")  # and now all of them, without another upload
    page.click("button:text('Compare')")
    page.wait_for_selector("article.report [data-sortable]")


def test_a_bad_table_is_shown_at_its_field(page: Any) -> None:
    page.goto("/scores")
    page.fill("#table", "dataset,a,b\nx,0.9,0.8\ny,0.8,x1\nz,0.7,0.6\n")
    page.click("button:text('Compare')")
    told = page.locator("#table-error")
    assert told.inner_text() == (
        "pasted table, row 3, column b: expected a number, got 'x1'. Remove the row or complete it."
    )
    assert page.input_value("#table").startswith("dataset,a,b")  # to be mended, not typed again
    page.fill("#table", "dataset,a,b\nx,9.1,8.2\ny,8.3,7.4\n")
    page.click("button:text('Compare')")
    assert "Which scores are better?" in page.locator(".asked").inner_text()


def test_downloads_open(page: Any, tmp_path: Path) -> None:
    page.goto("/scores")
    page.fill("#table", WIDE)
    page.click("button:text('Compare')")
    page.check("#direction-higher")
    page.click("button:text('Go on')")
    page.wait_for_selector("article.report h1")
    said = page.locator("article.report h1").inner_text()
    marks = {
        "HTML": said, "LaTeX": r"\begin{tabular}", "Markdown": "| scores |",
        "JSON": '"verdict"', "SVG": "<svg",
    }  # fmt: skip
    for label, mark in marks.items():
        with page.expect_download() as waiting:
            page.click(f".tools button:text('{label}')")
        kept = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(kept)
        assert mark in kept.read_text(encoding="utf-8")
    assert json.loads((tmp_path / "replicast-report.json").read_text())["names"] == ["new", "old"]
    opened = page.context.browser.new_page()
    for name in ("replicast-report.html", "replicast-report.svg"):
        opened.goto((tmp_path / name).as_uri())
        assert opened.locator("svg").count() >= 1


def test_without_script(server: str) -> None:
    with open_browser(base_url=server, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/paper")
        page.fill("#t", "2.9")
        page.click("button:text('Answer')")
        answered(page, rc.replicate(t=2.9, folds=10))
        assert page.input_value("#report") == "t"
        page.select_option("#report", "z")
        page.fill("#z", "9")
        page.fill("#datasets", "10")
        page.click("button:text('Answer')")
        assert page.locator("#z-error").inner_text().startswith("This must be at most 2.803")
        page.goto("/plan")
        page.focus("#folds")
        page.keyboard.press("Home")
        page.click("button:text('Update')")
        assert "folds=2&" in page.url
        assert page.locator("#folds-value").inner_text() == "2"
        page.goto("/scores")
        page.fill("#table", WIDE)
        page.click("button:text('Compare')")
        page.check("#direction-higher")
        page.click("button:text('Go on')")
        assert page.locator("article.report h1").count() == 1
        with page.expect_download() as waiting:
            page.click(".tools button:text('JSON')")
        assert waiting.value.suggested_filename == "replicast-report.json"


def test_keyboard_only(page: Any) -> None:
    page.goto("/paper")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "report"
    page.keyboard.press("ArrowDown")
    assert page.input_value("#report") == "z"
    page.keyboard.press("Tab")
    page.keyboard.type("2.1")
    page.keyboard.press("Tab")
    page.keyboard.type("20")
    page.keyboard.press("Enter")
    answered(page, rc.replicate(z=2.1, datasets=20))  # after that of 2 datasets
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"  # where one is can be seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(server: str, scheme: str) -> None:
    options = {"viewport": {"width": 360, "height": 740}, "color_scheme": scheme}
    with open_browser(base_url=server, **options) as context:
        page = context.new_page()
        for address in (
            "/paper?t=2.9&folds=10",
            "/plan",
            JUDGED,
            "/scores",
            "/api",
            "/scores?example",
            "/scores?example=datasets",
            "/scores?example=cases",
        ):
            page.goto(address)
            assert page.evaluate("document.documentElement.scrollWidth") == 360, address
        page.goto("/scores")
        page.fill("#table", EXAMPLES["folds"].table().decode())
        page.click("button:text('Compare')")
        page.wait_for_selector("text=Which is the new method?")
        page.click("button:text('Go on')")
        page.wait_for_selector("article.report h1")
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


CONTRASTS = """() => {
  const found = [];
  const solid = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!colour.startsWith('rgba(0, 0, 0, 0') && !colour.includes('color(')) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  for (const node of document.querySelectorAll('body *')) {
    const words = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
    if (!words || node.getClientRects().length === 0) continue;
    const style = getComputedStyle(node);
    const ink = node.closest('svg') ? style.fill : style.color;
    found.push([node.tagName + ' ' + node.textContent.trim().slice(0, 30), ink, solid(node)]);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(server: str, scheme: str) -> None:
    with open_browser(base_url=server, color_scheme=scheme) as context:
        page = context.new_page()
        for address in (
            "/paper?t=2.9&folds=10", "/paper?t=x", "/plan", "/plan?effect=0.1", "/scores", "/api",
            JUDGED,
        ):  # fmt: skip
            page.goto(address)
            for words, ink, ground in page.evaluate(CONTRASTS):
                high, low = sorted((luminance(ink), luminance(ground)), reverse=True)
                ratio = (high + 0.05) / (low + 0.05)
                assert ratio >= 4.5, f"{address}: {words!r} has {ratio:.2f}, {ink} on {ground}"


def test_every_control_has_a_name(server: str) -> None:
    with open_browser(base_url=server) as context:
        page = context.new_page()
        for address in ("/paper", "/means", "/plan", "/judge", "/scores"):
            page.goto(address)
            unnamed = page.evaluate(
                "[...document.querySelectorAll('input:not([type=hidden]), select, textarea, button')]"
                ".filter((c) => !(c.labels?.length || c.textContent.trim())).map((c) => c.outerHTML)"
            )
            assert unnamed == []
            assert page.locator("h1").count() == 1
