"""What the README shows is what happens."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from replicast.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ replicast (.*?)\n(.*?)```", README, flags=re.DOTALL)


def test_it_is_short() -> None:
    assert len(README.encode()) <= 8 * 1024
    assert README.index("## Install") < README.index("## One table")


@pytest.mark.parametrize(("command", "expected"), CONSOLE, ids=[c for c, _ in CONSOLE])
def test_console_blocks(
    command: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table,) = re.findall(r"```csv\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "scores.csv").write_text(table, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "80", "NO_COLOR": "1"})
    shown = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    assert shown.strip() == expected.strip()


def test_python_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = "\n".join(re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner().run(test).failed == 0


def test_its_commands_exist() -> None:
    verbs = re.findall(r"^\| `replicast (\w+)", README, flags=re.MULTILINE)
    names = {one.name or one.callback.__name__ for one in app.registered_commands if one.callback}
    assert set(verbs) <= names
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).exists(), target
