"""What the pages show is what happens, and what they list is all there is."""

import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from docs import make_cli, make_examples, site_hooks
from docs.make_examples import CONSOLE, DOCS, PAGES, PYTHON
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.formatting import format_percent
from replicast.replication.repeats import hundred, outcomes, repeats_of

ROOT = DOCS.parent
NAMES = [str(path.relative_to(DOCS)) for path in PAGES]
CALLS = [
    pytest.param(command, output, id=f"{name}: {command}")
    for name in NAMES
    for command, output in CONSOLE.findall((DOCS / name).read_text(encoding="utf-8"))
]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(("command", "expected"), CALLS)
def test_console_blocks(command: str, expected: str) -> None:
    assert make_examples.run_console(command).strip() == expected.strip()


@pytest.mark.parametrize("name", NAMES)
def test_python_blocks(name: str) -> None:
    blocks = PYTHON.findall((DOCS / name).read_text(encoding="utf-8"))
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_example_is_run() -> None:
    for path in DOCS.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        shown = text.count("```console\n") + len(re.findall(r"```python\n>>>", text))
        assert shown == len(CONSOLE.findall(text)) + len(PYTHON.findall(text)), path.name
    assert len(CALLS) > 15


def test_the_json_of_the_page() -> None:
    from replicast.web.api import paper
    from replicast.web.forms import PaperQuestion

    text = (DOCS / "web.md").read_text(encoding="utf-8")
    shown = json.loads(re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)[0])
    answer = paper(PaperQuestion(t=2.4, folds=10)).model_dump(exclude={"replication"})
    needed = [one.pop("pvalue") for one in answer["required"]]
    assert [one.pop("pvalue") for one in shown["required"]] == pytest.approx(needed, rel=1e-4)
    assert shown == answer


def test_the_command_line_page_is_up_to_date() -> None:
    remedy = "run python docs/make_cli.py"
    assert make_cli.PAGE.read_text(encoding="utf-8") == make_cli.page(), remedy


@pytest.mark.parametrize(("name", "context"), list(make_cli.commands()))
def test_the_command_line_page_says_what_help_says(name: str, context: Any) -> None:
    said = CliRunner().invoke(app, [*name.split()[1:], "--help"], env={"COLUMNS": "300"}).output
    told = make_cli.records(context)
    taken = {flag for one in context.command.params for flag in (*one.opts, *one.secondary_opts)}
    flags = {flag for shown, _ in told for flag in re.findall(r"(?<![\w-])-[-\w]+", shown)}
    assert flags == {flag for flag in taken if flag.startswith("-")} - {"-h", "--help"}
    for shown, words in told:
        assert f"  {shown}" in said
        assert "".join(words.split()) in "".join(said.split())  # broken at blanks and hyphens


def test_the_reference_has_every_public_name() -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    text = site_hooks.on_page_markdown(page)
    listed = re.findall(r"^::: replicast\.(\w+)$", text, flags=re.MULTILINE)
    assert sorted({*listed, "__version__"} - {"datasets"}) == sorted(rc.__all__)
    assert set(site_hooks.documented()) > set(listed)  # records and effects, by their homes


def test_the_pages_tell_no_secrets() -> None:
    for path in [ROOT / "mkdocs.yml", *DOCS.rglob("*.md")]:
        assert not re.search(r"/(work|home|root|tmp|Users)/", path.read_text(encoding="utf-8"))


def test_percent_signs_stand_at_their_number() -> None:
    shown = [ROOT / "README.md", *DOCS.rglob("*.md"), *(ROOT / "src").rglob("*.j2")]
    for path in shown:
        assert not re.search(r"\d %(?![\w}])", path.read_text(encoding="utf-8")), path.name
    for chance in (0.0, 0.004, 0.57, 0.999):
        assert " %" not in format_percent(chance)


def test_options_in_prose_exist() -> None:
    """Commands that are shown in a sentence or a cell are not run, but have the options they name."""
    commands: Any = typer.main.get_command(app).commands
    everywhere = {"--help", "--quiet", "--version"}
    for path in PAGES:
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for words in re.findall(r"`(?:replicast )?([a-z]+(?: [^`]*)?)`", text):
            command = commands.get(words.split()[0])
            if command is None or hasattr(command, "commands"):
                continue
            known = {word for one in command.params for word in (*one.opts, *one.secondary_opts)}
            named = set(re.findall(r"(?<!\S)--[a-z-]+", words))
            assert named <= known | everywhere, f"{path.name}: {words}"


def test_numbers_in_prose_are_those_of_this_version() -> None:
    """What paragraphs say of the two results that run through the pages is computed again."""
    paper = rc.replicate(t=2.4, folds=10)
    low, high = (format_percent(limit) for limit in paper.interval)
    table = rc.read_scores("src/replicast/data/breast-cancer-10x10.csv")
    first = rc.replicate(table.pair("svm", "naive-bayes"))
    other = rc.replicate(t=2.9, folds=10).by_test
    assert other is not None
    _, lost, won = outcomes(hundred(repeats_of(paper)))
    seen = rc.detectable_difference(rc.KFold(10), method="corrected-ttest")
    large = rc.power(0.8, rc.RepeatedKFold(runs=10, folds=10), method="corrected-ttest").power
    said = {
        "concepts/power-and-effect.md": (
            f"takes about {rc.sample_size(0.5, probability=0.8)} datasets for a power of 80%; one "
            f"10-fold cross-validation reliably sees only effects of {seen:.2f} and more",
            f"ten runs see a large one in {format_percent(large)} of experiments.",
        ),
        "concepts/winners-curse.md": (
            f"The truths that fit this result have chances from {low} to {high}.",
            f"100 repeats of a result with p = {paper.first_pvalue:.3f}: {won} dots are significant "
            f"this way, {lost} are not",
        ),
        "index.md": (f"Of 100 repeats, {100 * first.probability:.0f} would find it again.",),
        "faq.md": (
            f"it says {format_percent(paper.probability)}?",
            f"{100 * other.corrected:.0f} in 100, or {100 * other.ordinary:.0f} |",
        ),
    }
    for page, sentences in said.items():
        text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
        for sentence in sentences:
            assert sentence in text


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_headings_of_a_page_differ(path: Path) -> None:
    """Two headings with one name have one anchor: a link reaches only the first."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, flags=re.M)
    assert len(headings) == len(set(headings))
