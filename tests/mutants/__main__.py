"""Run the tests of each kernel against its mutants and rewrite docs/mutants.md.

`make mutants` runs everything; `PYTHONPATH=tests .venv/bin/python -m mutants ranks student` reruns
some modules and keeps the recorded results of the others; `--survivors` only tries those again that
survived, unless their module has changed. A mutant is killed if a test fails, the module cannot be
imported, or the tests take far longer than usual. The kernels run uncompiled.
"""

import os

os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"

import ast
import gc
import hashlib
import json
import math
import resource
import shutil
import signal
import sys
import tempfile
import time
import types
from pathlib import Path
from typing import Any

import pytest

from mutants.operators import Mutant, mutants
from mutants.report import RESULTS, write_page

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "src" / "replicast" / "kernels"
MEMORY = 6 * 2**30  # bytes of address space: a mutant that asks for more is killed
PATIENCE = 2.0  # seconds of computing on top of four times the usual
LONGEST = 120.0  # seconds on the clock
OPTIONS = [
    "-o",
    "addopts=",
    "--import-mode=importlib",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:terminal",
]

Survivors = list[dict[str, Any]]


class Examination:
    """A pytest plugin that collects the tests of one module once and runs them for every mutant."""

    def __init__(self, module: str, source: str, recorded: Survivors | None) -> None:
        self.module, self.source = module, source
        self.wanted = recorded and {(each["old"], each["new"]) for each in recorded}
        self.all = recorded is None
        self.found: dict[str, list[Mutant]] = {"killed": [], "timeout": [], "survived": []}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Fork for each mutant; the child changes the module in place and runs the tests."""
        gc.collect()
        gc.freeze()
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        if session.testsfailed or self._outcome(session, ast.parse(self.source), 60) != "survived":
            raise SystemExit(f"{self.module}: its tests fail without any mutation")
        usual = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        limit = math.ceil(PATIENCE + 4 * usual)
        for mutant in mutants(self.source):
            tried = self.all or (self.wanted and (mutant.old, mutant.new) in self.wanted)
            outcome = self._outcome(session, mutant.tree, limit) if tried else "killed"
            self.found[outcome].append(mutant)
        return True

    def _outcome(self, session: pytest.Session, tree: ast.Module, limit: int) -> str:
        """Return how the tests end with a changed tree."""
        child = os.fork()
        if child == 0:
            self._run_tests(session, tree, limit)
        deadline = time.monotonic() + LONGEST
        pause = 0.001
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
                return {0: "survived", -signal.SIGXCPU: "timeout"}.get(code, "killed")
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "timeout"
            time.sleep(pause)
            pause = min(0.02, pause * 1.3)

    def _run_tests(self, session: pytest.Session, tree: ast.Module, limit: int) -> None:
        """Change the module, run the tests up to the first that fails and leave the process."""
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
            silence = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(silence, stream)
            kernel = sys.modules[f"replicast.kernels.{self.module}"]
            exec(compile(tree, "mutant", "exec"), kernel.__dict__)
            for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    os._exit(1)
            os._exit(0)
        finally:
            os._exit(2)


def examine(module: str, source: str, recorded: Survivors | None) -> dict[str, Any]:
    """Return the counts of one module and its survivors."""
    start = time.monotonic()
    tests = ROOT / "tests" / "kernels" / f"test_{module}.py"
    examination = Examination(module, source, recorded)
    pytest.main([*OPTIONS, "--rootdir", str(ROOT), str(tests)], plugins=[examination])
    found = examination.found
    counts = {outcome: len(group) for outcome, group in found.items()}
    if not any(counts.values()):
        raise SystemExit(f"{module}: its tests cannot be run")
    _say(f"{module}: {counts}, {time.monotonic() - start:.0f} s")
    for mutant in found["survived"]:
        _say(f"  {mutant.function}:{mutant.line}\n    - {mutant.old}\n    + {mutant.new}")
    names = ("function", "line", "old", "new")
    left = [{name: getattr(mutant, name) for name in names} for mutant in found["survived"]]
    return {**counts, "survivors": left, "source": _digest(source)}


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(words: list[str]) -> None:
    """Examine the named modules, or all of them."""
    again = "--survivors" in words
    names = [word for word in words if not word.startswith("-")]
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if names or again else {}
    every = sorted(path.stem for path in KERNELS.glob("*.py") if path.stem != "__init__")
    results = {module: found for module, found in results.items() if module in every}
    with tempfile.TemporaryDirectory() as folder:  # an edit of the sources does not disturb a run
        copied = Path(folder) / "kernels"
        shutil.copytree(KERNELS, copied, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy2(KERNELS.parent / "arrays.py", folder)
        package = types.ModuleType("replicast")  # without its __init__, which imports everything
        package.__path__ = [folder]
        sys.modules["replicast"] = package
        for module in names or every:
            source = (copied / f"{module}.py").read_text(encoding="utf-8")
            last = results.get(module, {})
            unchanged = again and last.get("source") == _digest(source)
            recorded = last["survivors"] if unchanged else None
            results[module] = examine(module, source, recorded)
            if unchanged:  # those that were too slow were not tried again
                results[module]["timeout"] += last["timeout"]
                results[module]["killed"] -= last["timeout"]
            text = json.dumps(results, indent=1, sort_keys=True) + "\n"
            RESULTS.write_text(text, encoding="utf-8")
    write_page(results)


if __name__ == "__main__":
    main(sys.argv[1:])
