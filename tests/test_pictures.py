"""Pictures: described once, drawn twice alike, with nothing cut, overprinted or out of place."""

import csv
import io
import os
import re
import subprocess
import sys
from base64 import b64decode
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replicast as rc
from browser import open_browser
from replicast.comparison.records import ManyComparison
from replicast.presentation.pictures.behind import as_csv, csv_link
from replicast.presentation.pictures.canvas import draw_sheet
from replicast.presentation.pictures.comparison import (
    comparison_figure,
    differences_figure,
    stacked,
)
from replicast.presentation.pictures.curves import (
    curve_figure,
    curve_mark,
    plan_figure,
)
from replicast.presentation.pictures.figure import (
    Axis,
    Data,
    Dots,
    Figure,
    Label,
    Panel,
    Rule,
)
from replicast.presentation.pictures.gallery import picture
from replicast.presentation.pictures.intervals import audit_figure, judgement_figure
from replicast.presentation.pictures.layout import plots
from replicast.presentation.pictures.palette import PALETTE, style_sheet
from replicast.presentation.pictures.repeats import repeats_figure
from replicast.presentation.pictures.standings import matrix_figure, standing_figure
from replicast.presentation.pictures.svg import svg
from replicast.presentation.pictures.ticks import log_ticks, pvalue_ticks, round_ticks
from replicast.presentation.renderers.html import environment, page_style
from replicast.presentation.telling import rendered
from replicast.replicability.records import Audit
from replicast.replication.curves import curve_like
from replicast.replication.records import Replication

SOURCE = Path(rc.__file__).parent
LONG = "A-very-long-classifier-name-with-hyperparameters(C=1.0,gamma=scale)-one"
NAMES = {"plain": ("svm", "naive-bayes"), "long": (LONG, LONG[:-3] + "two"),
         "foreign": ("中文模型名称的方法", "مصنف الغابة"), "odd": ("a<b&c", "$x$_1")}  # fmt: skip


def pair(n: int = 20, design: Any = None, names: Any = NAMES["plain"]) -> rc.PairedScores:
    rng = np.random.default_rng(0)
    base = rng.uniform(0.7, 0.9, n)
    return rc.PairedScores(
        first=base + rng.normal(0.02, 0.03, n), second=base, design=design or rc.Datasets(), names=names
    )  # fmt: skip


def predictions(names: Any) -> rc.PairedScores:
    rng = np.random.default_rng(1)
    right = [(rng.random(400) < share).astype(int) for share in (0.86, 0.8)]
    return rc.PairedPredictions(
        truth=np.ones(400, int), first=right[0], second=right[1], names=names
    )


def many(k: int, n: int = 20, names: Any = (), control: str | None = None) -> ManyComparison:
    rng = np.random.default_rng(2)
    base = rng.uniform(0.6, 0.8, n)
    scores = np.array([base + 0.01 * i * 5 / k + rng.normal(0, 0.02, n) for i in range(k)])
    classifiers = (*names, *(f"c{i}" for i in range(len(names), k)))
    table = rc.ScoreTable(
        classifiers=classifiers, datasets=tuple(f"d{i}" for i in range(n)), design=rc.Datasets(),
        scores=scores[:, :, None, None],
    )  # fmt: skip
    return rc.rank(table, control=control)


def marked(found: Replication) -> Figure:
    return curve_figure(curve_like(found.first_result, found.significance), found)


def figures(names: Any) -> dict[str, Figure]:
    rng = np.random.default_rng(3)
    tested = {
        test: rc.Replicability.from_pvalues(10 ** rng.uniform(-7, -0.3, (1, 10)), np.ones((1, 10)),
                                            test=test)
        for test in ("5x2cv-t", "corrected-cv-10", "corrected-splits-100")
    }  # fmt: skip
    audits = Audit(tests=tested, names=names, dataset=names[0])
    first = rc.replicate(t=2.9, folds=10)
    return {
        "datasets": comparison_figure(rc.compare(pair(names=names))),
        "folds": comparison_figure(
            rc.compare(pair(100, rc.RepeatedKFold(runs=10, folds=10), names))
        ),
        "cases": comparison_figure(rc.compare(predictions(names))),
        "curve": marked(first),
        "wins": marked(rc.replicate(wins=29, datasets=44)),
        "strong": marked(rc.replicate(t=8, design=rc.RepeatedKFold(runs=10, folds=10))),
        "weak": marked(rc.replicate(t=0.1, folds=10)),
        "repeats": repeats_figure(rc.compare(pair(names=names)).replication),
        "sure repeats": repeats_figure(rc.replicate(t=20, folds=10)),
        "weak repeats": repeats_figure(rc.replicate(t=0, folds=10)),
        "plan": plan_figure(rc.plan(first, probability=0.8, vary="cases")),
        "unreachable": plan_figure(rc.plan(first, probability=0.95, vary="runs")),
        "standing": standing_figure(many(6, names=names)),
        "control": standing_figure(many(6, names=names, control="c2")),
        "matrix": matrix_figure(many(6, names=names)),
        "audit": audit_figure(Audit(tests=audits, names=("a", "b"), dataset=names[0])),
        "judgement": judgement_figure(rc.judge(predictions(names), pair(names=names))),
    }


@pytest.fixture(scope="module", params=NAMES)
def drawn(request: pytest.FixtureRequest) -> dict[str, Figure]:
    return figures(NAMES[request.param])


def words_of(figure: Figure) -> list[str]:
    found = re.findall(r"<text[^>]*>(.*?)</text>", svg(figure))
    return sorted(unescape(text) for text in found)


# --------------------------------------------------------------------------- two renderers
def test_both_renderers_write_the_same_words(drawn: dict[str, Figure]) -> None:
    for name, figure in drawn.items():
        written: list[str] = []
        for ax in draw_sheet(figure).axes:
            ticks = [*ax.get_xticklabels(), *ax.get_yticklabels()]
            written += [t.get_text() for t in (*ax.texts, *ticks, ax.xaxis.label)]
        ours = {text for text in words_of(figure) if text.isascii()}
        theirs = {text for text in written if text and text.isascii()}
        ticks_apart = {tick.label for panel in figure.panels for tick in panel.x.ticks}
        assert ours - ticks_apart == theirs - ticks_apart, name


def test_drawing_says_nothing_to_the_terminal(drawn: dict[str, Figure], tmp_path: Path) -> None:
    """Long names, formulas and letters without a glyph: warnings are errors here."""
    for figure in drawn.values():
        for ending in ("png", "svg", "pdf"):
            draw_sheet(figure).savefig(tmp_path / f"x.{ending}", dpi=40)


def test_every_picture_says_what_it_shows(drawn: dict[str, Figure]) -> None:
    for figure in drawn.values():
        assert len(figure.alt) > 20
        assert 'role="group" aria-label="' in svg(figure)
        rows = list(csv.reader(io.StringIO(as_csv(figure.data))))
        assert len(rows) == len(figure.data.rows) + 1 > 1
        assert {len(row) for row in rows} == {len(figure.data.headings)}
        kind, _, content = csv_link(figure.data).partition(",")
        assert kind == "data:text/csv;charset=utf-8;base64"
        assert b64decode(content).decode() == as_csv(figure.data)


_OVERPRINTED = """() => {
  const found = [];
  for (const chart of document.querySelectorAll("svg.chart")) {
    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll("text")].filter((t) => t.textContent);
    const boxes = texts.map((t) => t.getBoundingClientRect());
    boxes.forEach((box, i) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
          box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
        found.push(`${chart.id} cut: ${texts[i].textContent}`);
      for (let j = 0; j < i; j++) {
        const wide = Math.min(box.right, boxes[j].right) - Math.max(box.left, boxes[j].left);
        const high = Math.min(box.bottom, boxes[j].bottom) - Math.max(box.top, boxes[j].top);
        if (wide > 2 && high > 0.45 * box.height)
          found.push(`${chart.id}: ${texts[i].textContent} over ${texts[j].textContent}`);
      }
    });
  }
  return found;
}"""


def test_no_word_is_cut_or_overprinted(tmp_path: Path) -> None:
    """In a browser, on a phone and on a desk, with plain, long, foreign and odd names."""
    parts = [
        "<div>" + svg(figure).replace("<svg ", f"<svg id='{kind}-{name}' ", 1) + "</div>"
        for kind, names in NAMES.items()
        for name, figure in figures(names).items()
    ]
    page = tmp_path / "pictures.html"
    head = f'<!doctype html><meta charset="utf-8"><style>{page_style()}</style>'
    page.write_text(f"{head}<main>{''.join(parts)}</main>", "utf-8")
    with open_browser() as context:
        opened = context.new_page()
        opened.goto(page.as_uri())
        for width in (360, 768, 1280):
            opened.set_viewport_size({"width": width, "height": 800})
            assert opened.evaluate(_OVERPRINTED) == [], width


# --------------------------------------------------------------------------- in their place
RESULTS = {
    "t": rc.replicate(t=2.9, folds=10),
    "repeated": rc.replicate(t=3.4, design=rc.RepeatedKFold(runs=10, folds=10)),
    "z": rc.replicate(z=2.1, datasets=20),
    "wins": rc.replicate(wins=29, datasets=44),
    "half a win": rc.replicate(wins=30.5, datasets=44),
    "cases": rc.replicate(discordant=(40, 20), cases=500),
    "p": rc.replicate(pvalue=0.03, design=rc.Datasets(12)),
    "exact ranks": rc.replicate(pair(12)),
    "all won": rc.replicate(
        rc.PairedScores(first=np.arange(81, 89) / 100, second=np.full(8, 0.8), design=rc.Datasets())
    ),
    "ties": rc.compare(
        rc.PairedScores(first=[1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0], second=[0] * 12,
                        design=rc.Datasets()), method="sign-test").replication,
}  # fmt: skip


def cross_validated() -> Replication:
    rng = np.random.default_rng(4)
    cases = rng.choice([-1.0, 0.0, 1.0], (1, 200), p=[0.1, 0.7, 0.2])
    folds = cases.reshape(10, 20).mean(axis=1)
    found = rc.PairedScores(
        first=0.7 + folds, second=np.full(10, 0.7), design=rc.KFold(10), case_differences=cases
    )
    return rc.replicate(found)


@pytest.mark.parametrize("found", [*RESULTS.values(), cross_validated()], ids=[*RESULTS, "folds"])
def test_a_result_lies_on_its_curve(found: Replication) -> None:
    """A dot was once drawn at another p-value, above its own curve."""
    curve = curve_like(found.first_result, found.significance)
    dot, _ = curve_mark(curve, found)
    assert isinstance(dot, Dots)
    assert dot.x[0] == found.first_pvalue
    height = np.interp(np.log(found.first_pvalue), np.log(curve.pvalues), curve.calibrated)
    assert dot.y[0] == found.probability == pytest.approx(height, abs=2e-3)


@pytest.mark.parametrize(("t", "shape", "side"), [(8.0, "right", 0), (0.1, "left", -1)])
def test_a_result_off_the_chart_is_an_arrow_on_the_curve(t: float, shape: str, side: int) -> None:
    found = rc.replicate(t=t, design=rc.RepeatedKFold(runs=10, folds=10))
    curve = curve_like(found.first_result, 0.05)
    arrow, label = curve_mark(curve, found)
    assert isinstance(arrow, Dots)
    assert isinstance(label, Label)
    assert (arrow.shape, arrow.y[0]) == (shape, curve.calibrated[side])
    assert label.text.strip("←→ ").startswith("p < 0.0001" if shape == "right" else "p = 0.9")


@pytest.mark.parametrize("n", [3, 20, 100, 399, 5000])
@pytest.mark.parametrize("steps", [5, 1000])
def test_stacks_count(n: int, steps: int) -> None:
    """Stacks of 30 and of 16 folds once had the same height."""
    values = np.round(np.random.default_rng(n).normal(2, 1, n) * steps) / steps
    radius, stacks = stacked(values, 60.0)
    assert sorted(v for _, stack in stacks for v in stack) == sorted(values.tolist())
    assert max(len(stack) for _, stack in stacks) * 2 * radius <= 190.1
    for at, stack in stacks:
        assert max(abs(v - at) for v in stack) * 60 <= 2 * radius + 1e-9 or radius < 1.6


def test_the_picture_of_folds_has_a_dot_for_each() -> None:
    found = rc.compare(pair(100, rc.RepeatedKFold(runs=10, folds=10)))
    (panel,) = comparison_figure(found).panels
    dots = next(m for m in panel.marks if isinstance(m, Dots) and len(m.x) > 1)
    assert len(dots.x) == 100
    assert {0.0} <= {tick.at for tick in panel.x.ticks}
    assert panel.x.label == "difference in points"


@pytest.mark.parametrize("k", [2, 3, 6, 40])
def test_ranks_stand_between_1_and_the_last(k: int) -> None:
    """Ranks 1.94, 2.00 and 2.06 once filled the whole width."""
    figure = standing_figure(many(k))
    (panel,) = figure.panels
    assert panel.x.start == 1
    assert {1.0, float(k)} <= {tick.at for tick in panel.x.ticks}
    assert all(tick.label == f"{tick.at:.0f}" for tick in panel.x.ticks)
    shown = plots(figure)[0]
    best, _ = shown.place(1, 0)
    assert best == pytest.approx(shown.frame.left)


def test_rules_lie_on_their_axes(drawn: dict[str, Figure]) -> None:
    """The level of a test was once drawn beyond the names of p-values that were all larger."""
    large = rc.Replicability.from_pvalues(np.full((1, 10), 0.4), np.ones((1, 10)), test="5x2cv-t")
    audits = Audit(tests={"5x2cv-t": large}, names=("a", "b"), dataset="d")
    for figure in (*drawn.values(), audit_figure(audits)):
        for panel in figure.panels:
            for rule in (mark for mark in panel.marks if isinstance(mark, Rule)):
                axis = panel.y if rule.level else panel.x
                assert 0 <= axis.share(rule.at) <= 1


@pytest.mark.parametrize("t", [0.1, 0.9, 1.5, 2.9, 8.0])
@pytest.mark.parametrize("width", [300.0, 360.0, 720.0])
def test_the_first_result_stands_beside_its_mark(t: float, width: float) -> None:
    """Where the words had no room on the right, they were moved over the mark."""
    (plot,) = plots(repeats_figure(rc.replicate(t=t, folds=10), width))
    mark = next(m for m in plot.panel.marks if isinstance(m, Dots) and m.key)
    x, _ = plot.place(mark.x[0], mark.y[0])
    words = plot.box(
        next(word for word in plot.words if " 0.0" in word.text or "p = " in word.text)
    )
    assert x + mark.radius <= words.left + 1 or words.right - 1 <= x - mark.radius


# --------------------------------------------------------------------------- parts
def test_ticks() -> None:
    assert [t.label for t in round_ticks(-3.9, 10.9)] == ["0", "5", "10"]
    assert [t.label for t in round_ticks(-0.2, 0.21)] == ["−0.2", "−0.1", "0.0", "0.1", "0.2"]
    assert [t.label for t in log_ticks(1, 300)] == ["1", "10", "100"]
    assert [t.label for t in log_ticks(1, 6)] == ["1", "2", "5"]
    assert sorted(t.label for t in pvalue_ticks(1e-5, 1)) == [
        "0.00001", "0.0001", "0.001", "0.01", "0.05", "0.2", "1",
    ]  # fmt: skip
    crowded = Axis(1, 1e-7, pvalue_ticks(1e-6, 1), scale="log")
    assert "0.05" in shown_ticks(crowded, 120)
    assert len(shown_ticks(crowded, 120)) < len(shown_ticks(crowded, 900)) == 8


def shown_ticks(axis: Axis, width: float) -> list[str]:
    (plot,) = plots(Figure("", "", (Panel(axis, Axis(0, 1), ()),), width=width))
    return [tick.label for tick, _ in plot.ticks]


@pytest.mark.parametrize("wins", range(24, 34))
@pytest.mark.parametrize("width", [300.0, 320.0, 360.0])
def test_the_words_of_ticks_stand_apart(wins: int, width: float) -> None:
    """A word that was moved in from the edge lay on the one beside it."""
    found = rc.replicate(wins=wins, datasets=44, ties=11)
    (plot,) = plots(repeats_figure(found, width))
    boxes = [
        plot.box(Label(plot.panel.x.share(tick.at), 0, tick.label, anchor=side, of="panel"))
        for tick, side in plot.ticks
    ]
    boxes.sort(key=lambda box: box.left)
    assert all(one.right < other.left for one, other in pairwise(boxes))


def test_no_line_crosses_words() -> None:
    found = rc.replicate(wins=29, datasets=44, ties=11)
    (plot,) = plots(repeats_figure(found, 302))
    rules = [mark for mark in plot.panel.marks if isinstance(mark, Rule)]
    parts = [(rule.at, part) for rule in rules for part in plot.rule(rule)]
    assert len(parts) > len(rules) == 2  # one is broken where the first result has its words
    for at, part in parts:
        x = plot.place(at, 0)[0]
        low, high = (plot.place(at, y)[1] for y in part.y)
        for box in map(plot.box, plot.words):
            assert not (box.left < x < box.right and high < box.bottom - 1 and box.top < low - 1)


def test_a_bare_picture_has_no_title() -> None:
    result = rc.compare(pair())
    whole, bare = (picture(result, ".svg", width="column", bare=bare) for bare in (False, True))
    assert b">seen: svm" in whole  # letters, not their outlines
    assert b">seen: svm" not in bare
    assert b">difference in points" in bare


def test_names_cannot_break_out_of_the_picture() -> None:
    hostile = '"><script>alert(1)</script>'
    figure = Figure(
        hostile, hostile,
        (Panel(Axis(0, 1), Axis(0, 1), (Label(0, 0, hostile), Dots((0,), (0,), said=(hostile,)))),),
        data=Data((hostile,), ((hostile,),)),
    )  # fmt: skip
    assert "<script" not in svg(figure)
    table = '{% from "_chart.html.j2" import behind %}{{ behind(data, "x") }}'
    assert "<script" not in environment().from_string(table).render(data=figure.data)
    assert not set('<>"') & set(csv_link(figure.data))


def test_colours_stand_in_one_place() -> None:
    hexes = re.compile(r"#[0-9a-fA-F]{6}\b")
    for path in SOURCE.rglob("*"):
        if path.suffix in (".py", ".css", ".j2", ".js") and path.name != "palette.py":
            assert not hexes.search(path.read_text("utf-8")), path
    used = re.findall(
        r"var\(--([\w-]+)", "".join(p.read_text("utf-8") for p in SOURCE.rglob("*.css"))
    )
    assert set(used) <= {*PALETTE, "under"}


def test_paper_is_always_light() -> None:
    """Printed in dark mode, pages were once pale grey on white."""
    for selector in (":root", ".replicast"):
        for rule in style_sheet(selector).splitlines():
            if PALETTE["ink"][1] in rule:
                assert rule.startswith("@media screen")


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("tone", ["ink", "soft", "accent", "warm", "good", "error"])
def test_text_stands_out(tone: Any, mode: int) -> None:
    for under in ("page", "card"):
        a, b = sorted(_luminance(PALETTE[each][mode]) for each in (tone, under))
        assert (b + 0.05) / (a + 0.05) >= 4.5


def test_dots_and_the_data_behind_them_name_their_datasets() -> None:
    table = rc.read_scores("src/replicast/data/example-datasets.csv", metric="accuracy")
    pair = table.pair("c45", "naive-bayes")
    figure = differences_figure(rc.compare(pair))
    assert [row[0] for row in figure.data.rows] == list(table.datasets)
    said = [word for mark in figure.panels[0].marks if isinstance(mark, Dots) for word in mark.said]
    words = dict(word.split(": ", 1) for word in said if ": " in word)
    for name, gap in zip(table.datasets, pair.differences, strict=True):
        points, _, favoured = words[name].partition(" points for ")
        assert float(points) == pytest.approx(abs(gap), abs=0.051), name
        assert favoured == ("c45" if gap > 0 else "naive-bayes")
    unnamed = rc.compare(replace(pair, case_names=()))
    assert [row[0] for row in differences_figure(unnamed).data.rows] == list(range(1, 27))


# --------------------------------------------------------------------------- seen, and on other axes
def plots_of(names: Any) -> dict[str, Any]:
    """Return every public plot, each as a function of the axes it is to be drawn on."""
    rng = np.random.default_rng(3)
    tested = {
        test: rc.Replicability.from_pvalues(10 ** rng.uniform(-7, -0.3, (1, 10)), np.ones((1, 10)),
                                            test=test)
        for test in ("5x2cv-t", "corrected-cv-10", "corrected-splits-100")
    }  # fmt: skip
    audits = Audit(tests=tested, names=names, dataset=names[0])
    first = rc.replicate(t=2.9, folds=10)
    few, found = many(6, names=names), rc.compare(pair(names=names))
    judged = rc.judge(predictions(names), pair(names=names))
    return {
        "audit": audits.plot,
        "matrix": lambda ax: few.plot(ax, figure="matrix"),
        "ranks": few.plot,
        "differences": lambda ax: found.plot(ax, figure="differences"),
        "judgement": judged.plot,
        "plan": rc.plan(first, probability=0.8, vary="cases").plot,
        "parts": rc.side_by_side(dict.fromkeys(names, found), by="site").plot,
        "repeats": lambda ax: found.plot(ax, figure="repeats"),
        "curve": lambda ax: first.plot(ax, figure="curve"),
    }


PLOTS = {kind: plots_of(NAMES[kind]) for kind in ("plain", "long")}


def words_on(ax: Any) -> list[Any]:
    ticks = [*ax.get_xticklabels(), *ax.get_yticklabels()]
    return [t for t in (*ax.texts, *ticks, ax.xaxis.label) if t.get_text().strip()]


def covers(box: Any, other: Any) -> bool:
    wide = min(box.x1, other.x1) - max(box.x0, other.x0)
    high = min(box.y1, other.y1) - max(box.y0, other.y0)
    return bool(wide > 2 and high > 0.4 * box.height)


@pytest.mark.parametrize("name", list(PLOTS["plain"]))
@pytest.mark.parametrize("kind", PLOTS)
@pytest.mark.parametrize("size", [8, 10])
def test_no_word_is_lost_in_a_column_of_a_paper(name: str, kind: str, size: int) -> None:
    """At 3.25 inches the names of classifiers were once cut off, and the title lay on other words."""
    import matplotlib.pyplot as plt

    with plt.rc_context({"font.size": size, "font.family": "serif"}):
        sheet, ax = plt.subplots(figsize=(3.25, 2.2))
        assert PLOTS[kind][name](ax) is ax
        sheet.canvas.draw()
    boxes = {text: text.get_window_extent() for text in words_on(ax)}
    for text, box in boxes.items():
        assert box.x0 >= -1, text
        assert box.x1 <= sheet.bbox.x1 + 1, text
        assert box.y0 >= -1, text
        assert box.y1 <= sheet.bbox.y1 + 1, text
        assert text.get_fontfamily()[0] == "serif"
        for other, behind in boxes.items():
            assert other is text or not covers(box, behind), (text, other)
    assert ax.get_title() == ax.get_title(loc="left") == ""
    assert ax.xaxis.label.get_fontsize() == size
    large = {text.get_fontsize() for text in boxes if text in ax.texts}
    assert large <= {size} or name == "matrix"  # whose letters fill cells


def test_three_plots_side_by_side_do_not_meet() -> None:
    import matplotlib.pyplot as plt

    with plt.rc_context({"font.size": 7}):
        sheet, axes = plt.subplots(1, 3, figsize=(6.75, 2.2))
        for ax, name in zip(axes, ("differences", "repeats", "curve"), strict=True):
            PLOTS["plain"][name](ax)
        sheet.canvas.draw()
    one, other = (text.get_window_extent() for text in axes[0].texts if "better" in text.get_text())
    assert not covers(one, other)  # the first plot had more room before the others came
    for left, right in pairwise(axes):
        end = max(text.get_window_extent().x1 for text in words_on(left))
        assert end <= min(text.get_window_extent().x0 for text in words_on(right))


def test_the_callers_own_layout_is_kept() -> None:
    import matplotlib.pyplot as plt

    by_hand = plt.figure(figsize=(6, 4))
    ax = by_hand.add_axes((0.3, 0.3, 0.5, 0.5))
    PLOTS["plain"]["differences"](ax)
    adjusted, panel = plt.subplots()
    adjusted.subplots_adjust(left=0.4)
    PLOTS["plain"]["differences"](panel)
    for sheet in (by_hand, adjusted):
        assert sheet.get_layout_engine() is None
    assert ax.get_position().bounds == pytest.approx((0.3, 0.3, 0.5, 0.5))
    removed = plt.figure().add_subplot()
    removed.remove()
    with pytest.raises(rc.InvalidArgumentError, match="axes of a figure"):
        PLOTS["plain"]["differences"](removed)


@pytest.mark.parametrize(
    ("before", "open_figures"),
    [
        ("", 0),  # a script that only writes files
        ("import matplotlib.pyplot", 2),
        ("sys.ps1 = '>>> '", 2),  # as notebooks and prompts set it
        ("import matplotlib; matplotlib.use('TkAgg'); import matplotlib.pyplot", 0),
    ],
    ids=["script", "pyplot", "prompt", "no screen"],
)
def test_a_plot_is_seen_where_someone_looks(before: str, open_figures: int) -> None:
    """Figures were once made outside pyplot: notebooks and `plt.show()` showed nothing."""
    lines = (
        "import os, sys", "import replicast as rc", before,
        "found = rc.replicate(t=2.9, folds=10)",
        "for figure in ('again', 'curve'):",
        "    found.plot(figure=figure).get_figure().savefig(os.devnull, format='png')",
        "shown = sys.modules.get('matplotlib.pyplot')",
        "print(len(shown.get_fignums()) if shown else 0)",
    )  # fmt: skip
    no_screen = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(lines)],
        env={**no_screen, "MPLBACKEND": "Agg"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert int(told.stdout) == open_figures


def test_files_open_no_figure() -> None:
    """A report written in a notebook is not a plot to be shown."""
    import matplotlib.pyplot as plt

    for ending in (".png", ".svg", ".pdf"):
        assert rendered(rc.compare(pair()), ending)
        assert rendered(many(3), ending)
    assert plt.get_fignums() == []
