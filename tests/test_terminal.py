"""Every command as a person meets it: on a terminal of 80 or 60 columns, with colours and without,
and interrupted."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from patience import PATIENCE
from replicast.cli import app
from replicast.cli.terminal import SECTIONS

ROOT = Path(__file__).parents[1]
FOLDS = "src/replicast/data/breast-cancer-10x10.csv"
CASES = "examples/scores/livebench.csv.gz"
MODELS = ("gpt-4o-2024-08-06", "gpt-4o-2024-05-13")
COMMANDS = {
    "help": (0, ["help"]),
    "compare": (0, ["compare", FOLDS, "--first", "svm", "--second", "naive-bayes", "--more"]),
    "rank": (0, ["rank", FOLDS]),
    "replicate": (0, ["replicate", "--t", "2.9", "--folds", "10", "--more"]),
    "plan": (0, ["plan", "--t", "2.4", "--folds", "10", "--vary", "runs", "--probability", "0.8"]),
    "judge": (0, ["judge", "--original", "3.1,1.2", "--replication", "2.0,1.0", "--ledger", "{}/l"]),
    "ledger": (0, ["ledger", "{}/l"]),
    "gate": (0, ["gate", CASES, "--candidate", MODELS[0], "--baseline", MODELS[1], "--margin", "2"]),
    "stop": (3, ["stop", CASES, "--first", MODELS[0], "--second", MODELS[1], "--total", "278"]),
    "written": (0, ["compare", FOLDS, "--first", "svm", "--second", "naive-bayes", "-o", "{}/r.md"]),
    "audit": (0, ["audit", "iris", "--first", "naive-bayes", "--second", "1-nn", "--reruns", "2"]),
    "datasets": (0, ["datasets"]),
    "study": (0, ["study", "list"]),
    "completion": (0, ["completion", "fish", "--help"]),
    "mistake": (2, ["compare", FOLDS, "--first", "svm", "--second", "nbb"]),
    "usage": (2, ["datasets", "--jsn"]),
}  # fmt: skip


class Terminal:
    """A process on a pseudo-terminal of so many columns."""

    def __init__(self, words: list[str], columns: int, **environment: str) -> None:
        self.screen, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in _DECIDING}

        def take_the_terminal() -> None:
            os.setsid()
            signal.signal(
                signal.SIGINT, signal.SIG_DFL
            )  # ignored where tests run in the background
            fcntl.ioctl(inside, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [sys.executable, "-c", "from replicast.cli import main; main()", *words],
            stdin=inside, stdout=inside, stderr=inside, cwd=ROOT, close_fds=True,
            env={**kept, "TERM": "xterm-256color", **environment},
            preexec_fn=take_the_terminal,  # no threads here, and a terminal needs it
        )  # fmt: skip
        os.close(inside)
        self.text = ""
        self.closed = False

    def read(self, until: str | None = None, seconds: float = PATIENCE) -> str:
        """Return what stands on the screen at the end, or once `until` is there."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends and (until is None or until not in self.text):
            if select.select([self.screen], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.screen, 65536).decode("utf-8", "replace")
                except OSError:  # the other side is closed
                    self.closed = True
                    break
        return self.text

    def interrupt(self) -> None:
        """Press Ctrl-C until the screen is closed; one that meets a compiler can be lost."""
        for _ in range(10):
            os.write(self.screen, b"\x03")
            self.read(seconds=60)
            if self.closed:
                break

    def end(self, seconds: float = PATIENCE) -> int:
        """Wait for the process."""
        self.read(seconds=seconds)
        code = self.process.wait(seconds)
        os.close(self.screen)
        return code


_DECIDING = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM", "CI", "BROWSER", "DISPLAY")
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_COLOURS = re.compile(r"\x1b\[[0-9;]*\b(3[0-7]|9[0-7]|38)\b[0-9;]*m")


def shown(text: str) -> list[str]:
    """Return the lines that stay on the screen: of one that was written over, the last version."""
    return [line.rstrip("\r").split("\r")[-1] for line in _CODES.sub("", text).split("\n")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("terminal")
    done = CliRunner().invoke(
        app, ["judge", "--original", "3.1,1.2", "--replication", "2,1", "--ledger", f"{place}/l"]
    )
    assert done.exit_code == 0, done.output
    return place


@pytest.mark.parametrize(("columns", "colours"), [(80, True), (60, False)])
@pytest.mark.parametrize("name", COMMANDS)
def test_commands_on_a_terminal(name: str, columns: int, colours: bool, folder: Path) -> None:
    code, words = COMMANDS[name]
    words = [word.replace("{}", str(folder)) for word in words]
    terminal = Terminal(words, columns, **({} if colours else {"NO_COLOR": "1"}))
    text = terminal.read()
    assert terminal.end() == code, shown(text)[-8:]
    assert "Traceback" not in text
    lines = shown(text)
    assert any(lines)
    assert max(map(len, lines)) <= columns, max(lines, key=len)
    if not colours:
        assert not _COLOURS.search(text)


def test_every_command_is_tried_and_stands_in_one_section() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    names = {one.name or one.callback.__name__ for one in app.registered_commands if one.callback}
    assert sorted(listed) == sorted(names | {"study"})
    assert names - set(COMMANDS) == {"demo", "serve", "warm"}  # below, or run elsewhere


@pytest.mark.parametrize("name", ["audit", "rank", "study", "serve", "serve, answering", "warm"])
def test_ctrl_c_ends_without_a_traceback(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = tmp_path / "many.csv"
    names = ",".join(f"m{i}" for i in range(150))
    rows = [",".join([f"d{i}", *(f"{x:.4f}" for x in rng.random(150))]) for i in range(30)]
    table.write_text("\n".join([f"dataset,{names}", *rows]), encoding="utf-8")
    study = tmp_path / "long.toml"  # nothing compiles in it: there, an interrupt can be lost
    study.write_text(
        'name = "long"\nscenario = "normal-differences"\nreplicates = 10000000\nblock = 1000\n'
        "[factors]\neffect = [0.0, 0.5]\n[constants]\nn = 20\n"
    )
    words, sign = {
        "audit": (["audit", "vowel", "--first", "sklearn.ensemble:RandomForestClassifier()",
                   "--second", "tree", "--engine", "refit"], "reruns on"),
        "rank": (["rank", str(table), "--metric", "accuracy"], "comparing 150 classifiers"),
        "study": (["study", "run", str(study), "--store", str(tmp_path / "s")], "exper"),
        "serve": (["serve", "--port", "0"], "Ctrl-C ends it"),
        "warm": (["warm"], "compil"),
    }[name.partition(",")[0]]  # fmt: skip
    terminal = Terminal(words, 80, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    text = terminal.read(until=sign)
    assert sign in text
    if name == "serve, answering":
        (address,) = re.findall(r"http://127\.0\.0\.1:\d+", text)
        assert httpx.get(f"{address}/health", timeout=PATIENCE).status_code == 200
    terminal.interrupt()
    code = terminal.end()
    assert "Traceback" not in terminal.text, shown(terminal.text)[-20:]
    assert code in (1, 130)


def test_an_interrupt_where_garbage_is_freed_is_not_lost() -> None:
    """There Python prints a traceback and goes on."""
    script = """
import time
import replicast.cli as cli
class Freed:
    def __del__(self):
        raise KeyboardInterrupt
def app():
    Freed()
    time.sleep(300)
cli.app = app
cli.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_serve_opens_the_page_it_announces(tmp_path: Path) -> None:
    """A browser of our own writes down the address it was called with."""
    heard = tmp_path / "heard"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {heard}\n', encoding="utf-8")
    browser.chmod(0o755)
    for opening, opened in (("auto", True), ("never", False)):
        terminal = Terminal(
            ["serve", "--port", "0", "--open", opening], 80, BROWSER=f"{browser} %s"
        )
        text = terminal.read(until="ends it")
        ends = time.monotonic() + PATIENCE
        while opened and not (heard.exists() and heard.read_text()) and time.monotonic() < ends:
            time.sleep(0.1)
        terminal.interrupt()
        assert terminal.end() == 130
        if opened:
            assert heard.read_text(encoding="utf-8").strip() in text
            heard.unlink()
        assert not heard.exists()


@pytest.mark.parametrize("words", [["compare", FOLDS, "--first", "svm", "--second", "logistic"],
                                   ["replicate", "--t", "2", "--folds", "10"]], ids=str)  # fmt: skip
def test_piped_text_has_no_trailing_blanks(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(app, words, env={"COLUMNS": "80"})
    assert done.exit_code == 0
    assert [line for line in done.output.splitlines() if line != line.rstrip()] == []


def test_help_has_no_types_and_sets_examples_as_examples() -> None:
    for names in SECTIONS.values():
        for name in names:
            text = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "80"}).stdout
            assert "<bool>" not in text
            assert "-------" not in text
            assert "…" not in text
            lines, _, examples = text.partition("\n  Examples:\n")
            assert max(map(len, lines.splitlines())) <= 80
            assert all(line.startswith("    replicast ") for line in examples.splitlines())
    text = CliRunner().invoke(app, ["compare", "--help"], env={"COLUMNS": "80"}).stdout
    assert "\n  Examples:\n    replicast compare scores.csv --first svm --second nb\n" in text
    order = CliRunner().invoke(app, ["--help"]).stdout
    assert order.index("compare") < order.index("replicate") < order.index("datasets")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["comapre"], "Did you mean 'compare'?"),
        (["compare", FOLDS, "--frist", "svm"], "--first"),
        (["compare", FOLDS, "--first", "svm", "--second", "nbb"], "Did you mean naive-bayes?"),
        (["compare", FOLDS, "--first", "svm", "--second", "logistic", "--method", "corected-ttest"],
         "Did you mean corrected-ttest?"),
        (["compare", FOLDS, "--columns", "classifier=clasifier"], "Did you mean classifier?"),
        (["gate", FOLDS, "--candidate", "smv", "--baseline", "logistic"], "`--candidate` must be one"),
        (["audit", "vot", "--first", "tree", "--second", "svm"], "`DATA` must be one of"),
        (["compare", "missing.csv"], "`SCORES` must be a readable file"),
        (["rank", FOLDS, "-o", "x.htm"], "Did you mean .html?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_did_you_mean(words: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("compare", "Missing argument 'SCORES'."),
        ("compare x.csv --frist svm", "No such option: --frist (Possible options: --first"),
        ("cmpare x.csv", "No such command 'cmpare'. Did you mean 'compare'?"),
        ("study rn", "No such command 'rn'. Did you mean 'run'?"),
        ("replicate --t", "Option '--t' requires an argument."),
        ("replicate --t abc --folds 10", "`--t` must be a number, got 'abc'."),
        ("replicate --t 2 --folds 1.5", "`--folds` must be a whole number, got '1.5'."),
        ("rank x.csv --top 0", "`--top` must be at least 1, got '0'."),
        ("serve --port 70000", "`--port` must be at least 0 and at most 65535, got '70000'."),
        ("datasets --json=3", "Option '--json' does not take a value."),
        ("datasets all", "Got unexpected extra argument(s) (all)"),
    ],
)
def test_mistakes_in_the_words_of_a_command_are_told(words: str, sentence: str) -> None:
    done = CliRunner().invoke(app, words.split())
    assert done.exit_code == 2
    assert f"Error: {sentence}" in " ".join(done.stderr.split())
    assert done.stdout == ""


def test_help_breaks_no_value_in_the_middle() -> None:
    told = CliRunner().invoke(app, ["compare", "--help"]).stdout
    told = told.partition("\n  Examples:\n")[0]  # commands stay on one line, to be copied
    assert max(map(len, told.splitlines())) <= 80
    words = {word.rstrip(".,") for word in told.split()}
    assert "classifier=params.model" in {part for word in words for part in word.split(",")}
    assert not told.endswith("\n\n\n")


def test_long_names_leave_room_on_a_narrow_terminal() -> None:
    words = ["rank", str(ROOT / "examples/scores/instructions.csv.gz"), "--higher-is-better"]
    told = CliRunner().invoke(app, words, env={"COLUMNS": "60"}).stdout
    assert max(map(len, told.splitlines())) <= 60
    names = re.findall(r"^  (\S+) +7\d\.\d%", told, flags=re.M)
    assert len(names) == len(set(names)) == 4  # cut in the middle, and still not the same


@pytest.mark.parametrize("shell", [(), ("bash",), ("zsh",)])
def test_completion_writes_into_no_start_file(tmp_path: Path, shell: tuple[str, ...]) -> None:
    """`--install-completion` once appended to ~/.bashrc without a question."""
    home = tmp_path / "home"
    home.mkdir()
    (home / ".bashrc").write_text("# mine\n")
    program = "from replicast.cli import main; main()"
    environment = {**os.environ, "HOME": str(home), "SHELL": "/bin/bash"}
    told = subprocess.run(
        [sys.executable, "-c", program, "--install-completion", *shell],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert "No such option: --install-completion" in " ".join(told.stderr.split())
    assert [path.name for path in home.rglob("*")] == [".bashrc"]
    assert (home / ".bashrc").read_text() == "# mine\n"
