"""What a notebook shows of a result: the report's fragment, in a page nbconvert makes."""

import re
from base64 import b64decode
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbconvert
import nbformat
import numpy as np
import pytest

import replicast as rc
from browser import open_browser
from replicast.presentation.pictures.palette import PALETTE
from replicast.presentation.words.scales import hundred

RNG = np.random.default_rng(0)
BASE = RNG.uniform(0.7, 0.9, 10)
GALLERY = Path(__file__).parents[1] / "docs" / "gallery.md"
ODD = ("<b>one</b>", "随机森林")


@lru_cache
def shown() -> dict[str, Any]:
    pair = rc.PairedScores(
        first=BASE + RNG.normal(0.03, 0.03, 10), second=BASE, design=rc.KFold(10), names=ODD
    )
    fresh = rc.PairedScores(
        first=BASE + RNG.normal(0.03, 0.03, 10), second=BASE - 0.01, design=rc.KFold(10), names=ODD
    )
    scores = np.array([BASE + RNG.normal(0.01 * k, 0.02, 10) for k in range(5)])
    table = rc.ScoreTable(
        classifiers=(*ODD, "c", "d", "e"), datasets=tuple(f"d{i}" for i in range(10)),
        scores=scores[:, :, None, None], design=rc.Datasets(), account=("10 rows were read.",),
    )  # fmt: skip
    found = rc.compare(pair)
    again = found.replication
    assert again is not None
    return {
        "comparison": found, "many": rc.rank(table), "table": table, "replication": again,
        "plan": rc.plan(again, probability=0.8, vary="cases"), "evidence": found.evidence,
        "effect": found.effect, "power": found.power, "judgement": rc.judge(pair, fresh),
        "gate": rc.gate(pair, margin=0.01), "curve": rc.replication_curve(again),
    }  # fmt: skip


def as_page(folder: Path, theme: str) -> Path:
    """Write a notebook whose cells show the results, and have nbconvert make a page of it."""
    cells = [
        nbformat.v4.new_code_cell(
            f"show({name})",
            outputs=[nbformat.v4.new_output("display_data", {"text/html": result._repr_html_()})],
        )
        for name, result in shown().items()
    ]
    exporter = nbconvert.HTMLExporter(theme=theme)
    about = {"language_info": {"name": "python", "pygments_lexer": "python3"}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=about)
    text, _ = exporter.from_notebook_node(notebook)
    path = folder / f"{theme}.html"
    path.write_text(re.sub(r"<script[^>]*src=.*?</script>", "", text), "utf-8")  # no network
    return path


@pytest.mark.parametrize("name", list(shown()))
def test_a_result_is_shown_in_words(name: str) -> None:
    """A comparison was once a table of dicts with 17 digits."""
    html = shown()[name]._repr_html_()
    words = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    assert "<b>one</b>" not in words
    assert not re.search(r"\d\.\d{9,}", re.sub(r'(d|href|data-\w+)="[^"]*"', "", words))
    for raw in ("{'", "&#39;:", "None", "nan", "Interval("):
        assert raw not in words, raw
    assert "http" not in words.replace("http://www.w3.org", "")
    assert "<script" not in html


def test_a_comparison_is_its_report() -> None:
    found = shown()["comparison"]
    html = found._repr_html_()
    assert html.count("<h3 ") == 1
    assert f"{hundred(found.replication.probability)} of 100 repeats" in html
    for part in ("again: 100 repeats", "To quote", "How this was computed"):
        assert part in html


def test_a_table_says_how_much_it_leaves_out() -> None:
    table = rc.ScoreTable(
        classifiers=tuple(f"c{i}" for i in range(12)), datasets=tuple(f"d{i}" for i in range(40)),
        scores=np.full((12, 40, 2, 1), np.nan), design=rc.Datasets(),
    )  # fmt: skip
    assert "And 10 more datasets, 4 more classifiers." in table._repr_html_()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_in_the_page_of_a_notebook(tmp_path: Path, theme: str) -> None:
    page = as_page(tmp_path, theme)
    tones = {name: rgb(pair[theme == "dark"]) for name, pair in PALETTE.items()}
    other = "light" if theme == "dark" else "dark"
    with open_browser(color_scheme=other, viewport={"width": 1100, "height": 900}) as context:
        opened = context.new_page()
        opened.goto(page.as_uri())
        opened.screenshot(path=str(tmp_path / "notebook.png"), full_page=True)
        parts = opened.locator(".replicast")
        assert parts.count() == len(shown())
        for at in range(parts.count()):
            look = parts.nth(at).evaluate(
                "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
            )
            assert look == [tones["ink"], tones["page"]]
        heading = parts.first.locator("h3")
        assert heading.evaluate("e => getComputedStyle(e).color") == tones["ink"]
        soft = parts.first.locator("td span").first
        assert soft.evaluate("e => getComputedStyle(e).color") == tones["soft"]
        rows = parts.first.locator("tr")
        plain = {rows.nth(k).evaluate("e => getComputedStyle(e).backgroundColor") for k in range(3)}
        assert plain == {"rgba(0, 0, 0, 0)"}
        # the style of a part ends with it: the notebook around it keeps its own
        assert opened.locator(".jp-InputArea").first.evaluate(
            "e => getComputedStyle(e).getPropertyValue('--ink')"
        ) in ("", None)
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[k : k + 2], 16)) for k in (1, 3, 5))})"


def test_every_plot_appears_in_an_executed_notebook() -> None:
    """Plots once showed nothing, since their figures were made outside pyplot."""
    pytest.importorskip("ipykernel")
    from nbclient import NotebookClient

    setup, *blocks = re.findall(r"```python\n(.*?)```", GALLERY.read_text("utf-8"), re.DOTALL)
    plots = [block for block in blocks if "rc.plot_" in block or ".plot(" in block]
    cells = [
        nbformat.v4.new_code_cell(
            "\n".join(line[4:] for line in block.splitlines() if line[:4] in (">>> ", "... "))
        )
        for block in (setup, *plots)
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    place = {"metadata": {"path": str(GALLERY.parents[1])}}
    done = NotebookClient(notebook, kernel_name="python3", timeout=120, resources=place).execute()
    for cell in done.cells[1:]:
        pictures = [b64decode(out.data["image/png"]) for out in cell.outputs if "data" in out]
        assert [picture[:4] for picture in pictures] == [b"\x89PNG"], cell.source
