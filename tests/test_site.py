"""The site is built without a network, opened from the disk, searched, and cuts no table."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

import replicast as rc
from browser import open_browser

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
import site_hooks  # noqa: E402  # a page's hook, beside the pages

WIDE = {"studies/bouckaert-variations/index.html"}  # 26 columns scroll in their own box


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    nowhere = "http://127.0.0.1:9"  # whoever asks the network is refused
    environment = {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "http_proxy": nowhere,
        "https_proxy": nowhere,
    }
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(place)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return place


def test_every_name_has_a_page(site: Path) -> None:
    pages = {path.stem for path in (site / "reference" / "names").glob("*.html")}
    assert pages == set(site_hooks.documented()) - {"datasets"}
    assert pages > set(rc.__all__) - {"__version__"}
    listed = (site / "reference" / "api.html").read_text(encoding="utf-8")
    for name in pages:
        assert f'href="names/{name}.html"' in listed
    one = (site / "reference" / "names" / "compare.html").read_text(encoding="utf-8")
    assert "Examples" in one
    assert "PairedScores" in one


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        assert not re.search(r'<(script|link|img)[^>]*(src|href)="https?://', page), path.name


def test_search_works_from_the_disk(site: Path) -> None:
    with open_browser(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"file://{site}/index.html")
        page.locator("input[name=query]").click()
        page.keyboard.type("signed rank")
        page.locator(".md-search-result__item").first.wait_for()
        assert "matching documents" in page.locator(".md-search-result__meta").inner_text()
        assert not [url for url in asked if url.startswith("http")]


TERMS_OF_PAPERS = (
    "Algorithm 1", "HDI", "prediction interval", "sorted runs", "average over folds", "R1",
    "corrected repeated k-fold cv test", "almost consistent", "5x2cv", "special case", "Group 3",
    "power of the test",
)  # fmt: skip


def test_words_that_any_dash_joins_are_found_alone() -> None:
    """Bonett–Price, with the dash of print, was one word that nobody types."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    separator = re.search(r"separator: '(.*?)' #", settings)
    assert separator is not None
    for dash in "-–—−‑":
        assert re.split(separator[1], f"Bonett{dash}Price") == ["Bonett", "Price"]


def test_a_papers_terms_are_found(site: Path) -> None:
    """The page that leads from a paper's words to a function is among the first three found."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert not [entry for entry in index["docs"] if entry["location"].startswith("mutants")]
    with open_browser(viewport={"width": 1280, "height": 900}) as context:
        for term in TERMS_OF_PAPERS:
            page = context.new_page()
            page.goto(f"file://{site}/index.html?q={quote(term)}")
            found = page.locator(".md-search-result__item > a")
            found.nth(2).wait_for(state="attached")
            first = [str(found.nth(at).get_attribute("href")) for at in range(3)]
            assert any("papers.html" in link for link in first), (term, first)
            page.close()


FOUND_FIRST = {
    "compare two models": "recipes/",
    "non-inferiority": "recipes/medical-images.html",
    "GitHub Actions": "recipes/continuous-integration.html",
    "wilcoxon": "reference/names/signed_rank",
    "reinforcement learning": "recipes/reinforcement-learning.html",
    "mcnemar": "reference/names/mcnemar.html",
}


def test_what_people_look_for_is_found_first(site: Path) -> None:
    with open_browser(viewport={"width": 1280, "height": 900}) as context:
        for words, place in FOUND_FIRST.items():
            page = context.new_page()
            page.goto(f"file://{site}/index.html?q={quote(words)}")
            first = page.locator(".md-search-result__item > a").first
            first.wait_for(state="attached")
            assert place in str(first.get_attribute("href")), words
            page.close()


def test_no_table_is_cut(site: Path) -> None:
    past_the_edge = """() => {
      const edge = document.querySelector(".md-content__inner").getBoundingClientRect().right + 2;
      return [...document.querySelectorAll(".md-typeset table:not([class])")]
        .filter((table) => table.getBoundingClientRect().left + table.scrollWidth > edge).length; }"""
    with open_browser(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        for path in sorted(site.rglob("*.html")):
            if path.parent.name != "names" and str(path.relative_to(site)) not in WIDE:
                page.goto(f"file://{path}")
                assert page.evaluate(past_the_edge) == 0, path.name


# --------------------------------------------------------------------------- pages
def test_the_tree_begins_with_what_compare_does_by_itself() -> None:
    """The first test of a leaf is the one that is chosen for its design."""
    from replicast.inference.methods import default_method

    text = (DOCS / "choose.md").read_text(encoding="utf-8")
    first = [
        re.findall(r"\[`([\w-]+)`\]", leaf)[:1] for leaf in re.split(r"\n        - ", text)[1:]
    ]
    leading = [name for names in first for name in names]
    for design in (rc.Holdout(), rc.Cases(), rc.KFold(10), rc.FiveByTwo(), rc.Datasets()):
        assert default_method(design) in leading


def test_the_gallery_has_every_picture() -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    pictures = {path.name for path in (DOCS / "images" / "gallery").glob("*.png")}
    assert set(re.findall(r"\(images/gallery/([\w-]+\.png)\)", text)) == pictures


def test_call_outs_stand_at_the_line_they_explain() -> None:
    page = (DOCS / "reading.md").read_text(encoding="utf-8")
    shown = site_hooks.on_page_markdown(page)
    block = shown.partition("```{ .console .numbered }\n")[2].partition("\n```\n")[0]
    told = re.findall(r"^(\d+)\. \*\*`(.+?)`\*\*", page, flags=re.MULTILINE)
    assert [int(number) for number, _ in told] == list(range(1, len(told) + 1))
    marked = {n: line for line in block.splitlines() for n in line[:4].strip().split(",") if n}
    assert sorted(marked, key=int) == [number for number, _ in told]
    for number, fragment in told:
        assert fragment in marked[number]
