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


@pytest.mark.parametrize(("command", "expected"), CONSOLE, ids=[c for c, _ in CONSOLE])
def test_console_blocks(command: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "80", "NO_COLOR": "1"})
    shown = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    assert shown.strip() == expected.strip()


def test_python_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = "\n".join(re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner().run(test).failed == 0
