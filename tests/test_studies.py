"""Studies: the same bytes everywhere, nothing finished is lost, mistakes in words."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.cli.output import set_table
from replicast.errors import ReplicastError
from replicast.presentation.pictures.studies import study_figures
from replicast.presentation.study import write_report
from replicast.studies.execution import run_block, run_study
from replicast.studies.library import STUDIES, find_study
from replicast.studies.plan import Cell, Study
from replicast.studies.reports import read_findings, summarise
from replicast.studies.scenarios import SCENARIOS, find_scenario
from replicast.studies.store import DirectoryStore, StoreError, decode
from replicast.studies.summary import Mean, Rate
from stores import fresh_store

SMALL = Study(
    name="small",
    scenario="scenario_for_tests:shifted",
    factors={"shift": (0.0, 0.5, 1.0)},
    constants={"seconds": 0},
    replicates=40,
    block=10,
    seed=3,
)


def contents(store: DirectoryStore) -> list[tuple[str, bytes]]:
    return list(store.read())


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    here = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([here, os.environ.get("PYTHONPATH", "")]))


# --------------------------------------------------------------------------- plan
def test_cells_and_blocks() -> None:
    assert [cell.levels["shift"] for cell in SMALL.cells()] == [0.0, 0.5, 1.0]
    blocks = list(SMALL.blocks())
    assert len(blocks) == 12
    assert len({block.key for block in blocks}) == 12
    assert sum(len(block.replicates) for block in blocks) == 120


def test_adding_levels_or_replicates_renames_nothing() -> None:
    more = replace(SMALL, factors={"shift": (-1.0, 0.0, 0.5, 1.0)}, replicates=60)
    assert {b.key for b in SMALL.blocks()} < {b.key for b in more.blocks()}
    assert more.fingerprint == SMALL.fingerprint
    one, two = (next(b for b in s.blocks() if b.cell.levels["shift"] == 0.5) for s in (SMALL, more))
    assert run_block(SMALL, one) == run_block(more, two)
    for changed in (
        replace(SMALL, seed=4),
        replace(SMALL, block=20),
        replace(SMALL, constants={"seconds": 1}),
        replace(SMALL, scenario="normal-differences"),
    ):
        assert changed.fingerprint != SMALL.fingerprint


def test_toml_round_trip(tmp_path: Path) -> None:
    for study in (SMALL, *STUDIES.values()):
        assert Study.from_toml(study.to_toml()) == study
    path = tmp_path / "mine.toml"
    path.write_text(SMALL.to_toml(), encoding="utf-8")
    assert Study.read(path) == SMALL


def test_seeds_depend_on_the_place_alone() -> None:
    block = next(SMALL.blocks())
    assert SMALL.rng(block).random() == SMALL.rng(block).random()
    draws = {SMALL.rng(block).random() for block in SMALL.blocks()}
    assert len(draws) == 12
    assert Cell({"a": 1, "b": 2}).key == Cell({"b": 2, "a": 1}).key


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("scenario = [", "expected valid TOML"),
        ("name = 'x'", "expected a scenario"),
        ("scenario = 'oracle'\nrepeats = 3", "got 'repeats'"),
        ("scenario = 'oracle'\nreplicates = 30\nblock = 20", "`replicates` must be a multiple"),
        ("scenario = 'oracle'\nblock = 0", "`block` must be an integer"),
        ("scenario = 'oracle'\n[factors]\na = []", "`factors` must be levels for every"),
        ("scenario = 'oracle'\n[factors]\na = [1, 1]", "`factors` must be different levels"),
    ],
)
def test_wrong_toml(text: str, match: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=match):
        Study.from_toml(text)


def test_finding_things() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="Did you mean berrar-1"):
        find_study("berar-1")
    with pytest.raises(rc.InvalidArgumentError, match="Did you mean oracle"):
        find_scenario("oracel")
    with pytest.raises(rc.InvalidArgumentError, match="one of a module that is there"):
        find_scenario("no_such_module:function")
    with pytest.raises(rc.InvalidArgumentError, match="a function that is marked as a scenario"):
        find_scenario("scenario_for_tests:nothing")
    assert all(callable(find_scenario(name)) for name in SCENARIOS)
    with pytest.raises(
        rc.InvalidArgumentError, match=r"gone\.toml: expected a file that can be read"
    ):
        Study.read("gone.toml")


# --------------------------------------------------------------------------- data run nothing
MODULE = """
from pathlib import Path
{imports}
Path({trace!r}).touch()

{mark}
def mine(levels, replicates, rng):
    Path({trace!r}).touch()
    return {{"a": [0] * len(replicates)}}
"""


@pytest.fixture
def write_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Write a module that leaves a trace when it is run, and have the Python path find it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    trace = tmp_path / "trace"

    def write(name: str, imports: str = "", mark: str = "") -> Path:
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(MODULE.format(imports=imports, mark=mark, trace=str(trace)), "utf-8")
        return trace

    yield write
    for name in set(sys.modules) - known:
        del sys.modules[name]


@pytest.mark.parametrize(
    "scenario",
    [
        "distutils.spawn:spawn", "subprocess:run", "os:system", "unittest.mock:call", "pydoc:pipepager",
        "antigravity:webbrowser", "builtins:exec", "replicast:scenario", ".x:y", "a..b:c", ":", "os:",
    ],
)  # fmt: skip
def test_a_study_file_runs_no_function_without_the_mark(scenario: str, tmp_path: Path) -> None:
    """`distutils.spawn:spawn` once took the keys of the constants for a command, and ran it."""
    loaded = set(sys.modules)
    file = tmp_path / "evil.toml"
    file.write_text(
        f'name = "shared"\nscenario = "{scenario}"\nreplicates = 1\nblock = 1\n'
        f'[constants]\n"touch" = 1\n"{tmp_path / "made"}" = 1\n',
        "utf-8",
    )
    told = CliRunner().invoke(app, ["study", "run", str(file), "--store", str(tmp_path / "store")])
    assert told.exit_code == 2
    assert "`scenario` must be" in " ".join(told.output.split())
    assert os.listdir(tmp_path) == ["evil.toml"]
    module = scenario.partition(":")[0]
    assert module in loaded or module not in sys.modules  # to import it is to run it


@pytest.mark.parametrize(
    ("imports", "mark"),
    [
        ("", ""),
        ("def scenario(f): return f", "@scenario"),
        ("from pytest import fixture as scenario", "@scenario"),
        ("from replicast import scenario", ""),
        ("from replicast import scenario", "@scenario\ndef other(): pass\n"),
        ("import replicast as rc", "@rc.compare"),
    ],
)
@pytest.mark.parametrize("name", ["plain_module", "package_of/inner_module"])
def test_a_module_without_the_mark_is_not_even_imported(
    write_module: Any, imports: str, mark: str, name: str
) -> None:
    if "/" in name:
        write_module("package_of/__init__")
    trace = write_module(name, imports, mark)
    with pytest.raises(rc.InvalidArgumentError, match="marked as a scenario"):
        find_scenario(f"{name.replace('/', '.')}:mine")
    assert not trace.exists()


@pytest.mark.parametrize(
    ("imports", "mark"),
    [
        ("from replicast import scenario", "@scenario"),
        ("from replicast import scenario as marked", "@marked"),
        ("import replicast", "@replicast.scenario"),
        ("import replicast as rc", "@rc.scenario"),
    ],
)
@pytest.mark.parametrize("name", ["marked_module", "marked_package/inner_module"])
def test_a_marked_function_is_found(write_module: Any, imports: str, mark: str, name: str) -> None:
    if "/" in name:
        write_module("marked_package/__init__")
    trace = write_module(name, imports, mark)
    found = find_scenario(f"{name.replace('/', '.')}:mine")
    assert found({}, range(3), np.random.default_rng(0)) == {"a": [0, 0, 0]}
    assert trace.exists()


def test_a_function_of_a_loaded_module_needs_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook, where scenarios are typed into `__main__`."""

    def typed(levels: Any, replicates: range, rng: np.random.Generator) -> dict[str, Any]:
        return {"a": [0] * len(replicates)}

    monkeypatch.setattr(sys.modules["__main__"], "typed", typed, raising=False)
    with pytest.raises(rc.InvalidArgumentError, match="marked as a scenario"):
        find_scenario("__main__:typed")
    assert rc.scenario(typed) is typed
    assert find_scenario("__main__:typed") is typed
    with pytest.raises(rc.InvalidArgumentError, match="a function written in Python"):
        rc.scenario(len)


def test_a_module_that_fails_is_told_in_a_sentence(write_module: Any) -> None:
    write_module(
        "failing_module", "from replicast import scenario\nraise SystemError('no')", "@scenario"
    )
    with pytest.raises(rc.InvalidArgumentError, match=r"can be imported, got .*SystemError: no"):
        find_scenario("failing_module:mine")


# --------------------------------------------------------------------------- stores and executors
def test_every_store_and_executor_gives_the_same_bytes(tmp_path: Path) -> None:
    memory, serial, processes = fresh_store(), DirectoryStore(tmp_path / "s"), tmp_path / "p"
    run_study(SMALL, memory)
    run_study(SMALL, serial)
    run_study(SMALL, DirectoryStore(processes), executor="processes", jobs=2)
    assert contents(memory) == contents(serial) == contents(DirectoryStore(processes))
    url = f"file://{tmp_path / 'u'}"
    run_study(SMALL, DirectoryStore(url))
    assert contents(DirectoryStore(url)) == contents(memory)


def test_block_order_does_not_matter() -> None:
    blocks = list(SMALL.blocks())
    assert [run_block(SMALL, b) for b in blocks] == [run_block(SMALL, b) for b in blocks[::-1]][
        ::-1
    ]


def test_dask_gives_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="distributed comes with the extra cluster")
    memory = fresh_store()
    run_study(SMALL, memory)
    script = (
        "from replicast.studies.execution import run_study\n"
        "from replicast.studies.plan import Study\n"
        "from replicast.studies.store import DirectoryStore\n"
        "if __name__ == '__main__':\n"
        "    study = Study.read('study.toml')\n"
        "    run_study(study, DirectoryStore('d'), executor='dask', jobs=2)\n"
    )
    (tmp_path / "study.toml").write_text(SMALL.to_toml(), encoding="utf-8")
    (tmp_path / "go.py").write_text(script, encoding="utf-8")
    subprocess.run([sys.executable, "go.py"], cwd=tmp_path, check=True, capture_output=True)
    assert contents(DirectoryStore(tmp_path / "d")) == contents(memory)


def test_resuming_computes_only_what_is_missing(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    first = run_study(SMALL, store)
    assert (first.computed, first.found) == (12, 0)
    again = run_study(SMALL, store)
    assert (again.computed, again.found) == (0, 12)
    more = run_study(replace(SMALL, replicates=60), store)
    assert (more.computed, more.found) == (6, 12)


def test_an_unfinished_store_says_what_is_missing(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path / "store")
    run_study(SMALL, store)
    assert "Unfinished" not in "".join(summarise(store).notes)
    for path in [*(tmp_path / "store" / "blocks").glob("*.parquet")][:5]:
        path.unlink()
    page = write_report(store, tmp_path / "report").read_text(encoding="utf-8")
    assert f"Unfinished: {5 * SMALL.block} experiments are missing." in page


def test_files_are_plain_parquet(tmp_path: Path) -> None:
    run_study(SMALL, DirectoryStore(tmp_path))
    frame = pd.concat(pd.read_parquet(path) for path in (tmp_path / "blocks").glob("*.parquet"))
    assert len(frame) == 120
    assert {"shift", "replicate", "differences", "largest"} == set(frame.columns)
    assert frame.groupby("shift")["replicate"].nunique().tolist() == [40, 40, 40]


def test_progress() -> None:
    seen: list[int] = []
    run_study(SMALL, fresh_store(), progress=seen.append)
    assert seen == list(range(1, 13))


def test_a_changed_study_is_refused(tmp_path: Path) -> None:
    for store in (fresh_store(), DirectoryStore(tmp_path)):
        run_study(SMALL, store)
        with pytest.raises(StoreError, match="holds blocks of another study"):
            run_study(replace(SMALL, seed=9), store)
        assert len(store.finished()) == 12


@pytest.mark.parametrize("damage", ["truncate", "alter", "empty"])
def test_damaged_blocks_are_found_and_repaired(tmp_path: Path, damage: str) -> None:
    store = DirectoryStore(tmp_path)
    run_study(SMALL, store)
    before = contents(store)
    victim = sorted((tmp_path / "blocks").iterdir())[4]
    content = victim.read_bytes()
    changed = {"truncate": content[:-7], "alter": b"X" + content[1:], "empty": b""}[damage]
    victim.write_bytes(changed)
    with pytest.raises(StoreError, match="is damaged"):
        contents(store)
    report = run_study(SMALL, store)
    assert report.repaired == (victim.name.split(".")[0],)
    assert report.computed == 1
    assert contents(store) == before


def test_leftover_drafts_are_ignored(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path)
    run_study(SMALL, store)
    (tmp_path / "blocks" / ".half.parquet.1.tmp").write_bytes(b"half")
    assert len(store.finished()) == 12
    assert run_study(SMALL, store).computed == 0


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreError, match="Finished blocks are safe"):
        run_study(SMALL, DirectoryStore(tmp_path / "file"))


def test_a_full_disk_loses_no_finished_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DirectoryStore(tmp_path)
    real = os.fsync
    calls = []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) > 12:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match=r"No space left on device\. Finished blocks are safe"):
        run_study(SMALL, store)
    monkeypatch.setattr(os, "fsync", real)
    kept = len(store.finished())
    assert kept > 0
    assert not list((tmp_path / "blocks").glob(".*"))
    assert run_study(SMALL, store).found == kept
    memory = fresh_store()
    run_study(SMALL, memory)
    assert contents(store) == contents(memory)


def test_failures_are_records() -> None:
    failing = replace(SMALL, constants={"seconds": 0, "fail_at": 15})
    store = fresh_store()
    said = "ValueError: this block does not work"
    assert run_study(failing, store).failed == (said, said, said)
    assert run_study(failing, store).failed == ()  # they are there; nothing was computed
    tables = [decode(content) for _, content in contents(store)]
    errors = [t.column("error").to_pylist() for t in tables if "error" in t.column_names]
    assert sum(map(len, errors)) == 30
    assert errors[0][0] == said
    found = summarise(store)
    assert found.numbers[0]["experiments"] == 30
    assert "30 experiments failed" in found.notes[-1]
    hopeless = fresh_store()
    run_study(replace(failing, replicates=10, constants={"seconds": 0, "fail_at": 5}), hopeless)
    with pytest.raises(rc.InvalidArgumentError, match=r"got 30 that failed\. Mend what they say"):
        summarise(hopeless)
    wrong = Study(name="w", scenario="scenario_for_tests:lopsided", replicates=2, block=2)
    with pytest.raises(rc.InvalidArgumentError, match="columns of equal length"):
        run_study(wrong, fresh_store())


def killed_and_resumed(tmp_path: Path, times: int) -> None:
    """Kill a run at random moments, resume it, and compare with an uninterrupted one."""
    study = replace(SMALL, constants={"seconds": 0.05}, replicates=200)
    toml = tmp_path / "study.toml"
    toml.write_text(study.to_toml(), encoding="utf-8")
    command = [sys.executable, "-c", "from replicast.cli import main; main()", "study", "run",
               str(toml), "--store", str(tmp_path / "killed")]  # fmt: skip

    def files() -> set[tuple[str, int]]:
        found = (tmp_path / "killed" / "blocks").glob("*.parquet")
        return {(file.name, file.stat().st_ino) for file in found}

    finished: set[tuple[str, int]] = set()
    for number, moment in enumerate(np.random.default_rng(0).uniform(0, 0.15, size=times)):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while number % 4 != 3 and process.poll() is None and len(files()) <= len(finished):
            time.sleep(0.01)  # else it is killed before it has begun
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert finished <= files()  # what was there is there, and the same file
        finished = files()
    assert finished
    subprocess.run(command, check=True, capture_output=True)
    assert finished <= files()
    whole = DirectoryStore(tmp_path / "whole")
    run_study(study, whole)
    assert contents(DirectoryStore(tmp_path / "killed")) == contents(whole)


def test_killed_and_resumed(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 3)


@pytest.mark.slow
def test_killed_twenty_times(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 20)


@pytest.mark.slow
def test_a_dask_worker_dies(tmp_path: Path) -> None:
    """Kill a worker in the middle of a run: the run completes with the same bytes."""
    pytest.importorskip("distributed", reason="distributed comes with the extra cluster")
    study = replace(SMALL, constants={"seconds": 0.2}, replicates=200)
    (tmp_path / "study.toml").write_text(study.to_toml(), encoding="utf-8")
    script = """
import os, signal, sys, threading, time
from pathlib import Path
from distributed import Client, LocalCluster
from replicast.studies.execution import run_study
from replicast.studies.plan import Study
from replicast.studies.store import DirectoryStore

def assassinate(cluster):
    while not list(Path("d/blocks").glob("*.parquet")):
        time.sleep(0.01)
    victim = next(iter(cluster.workers.values()))
    os.kill(victim.process.pid, signal.SIGKILL)

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        threading.Thread(target=assassinate, args=(cluster,), daemon=True).start()
        study = Study.read("study.toml")
        run_study(study, DirectoryStore("d"), executor="dask", scheduler=cluster.scheduler_address)
"""
    (tmp_path / "go.py").write_text(script, encoding="utf-8")
    subprocess.run([sys.executable, "go.py"], cwd=tmp_path, check=True, capture_output=True)
    memory = fresh_store()
    run_study(study, memory)
    assert contents(DirectoryStore(tmp_path / "d")) == contents(memory)


def test_status_reads_names_not_blocks(tmp_path: Path) -> None:
    study = replace(SMALL, replicates=33_340, block=10)
    store = DirectoryStore(tmp_path)
    store.claim(study)
    for block in study.blocks():
        (tmp_path / "blocks" / f"{block.key}.{'0' * 16}.parquet").touch()
    done = CliRunner().invoke(app, ["study", "status", str(tmp_path), "--json"])
    assert json.loads(done.stdout) == {"study": "small", "blocks": 10_002, "finished": 10_002}


# --------------------------------------------------------------------------- summaries
def test_rates_and_means() -> None:
    rate = Rate(50, 1000)
    assert rate.value == 0.05
    assert rate.error == pytest.approx(0.0069, abs=2e-4)
    assert rate.interval().low < 0.05 < rate.interval().high
    assert Rate(0, 100).error > 0
    mean = Mean.of(np.arange(10.0))
    assert mean.value == 4.5
    assert mean.error == pytest.approx(np.arange(10.0).std(ddof=1) / np.sqrt(10))


def test_a_users_own_study() -> None:
    store = fresh_store()
    run_study(replace(SMALL, replicates=400), store)
    found = summarise(store)
    null, _, strong = found.numbers
    assert null["paired-ttest"]["rate"] == pytest.approx(0.05, abs=0.04)
    assert strong["paired-ttest"]["rate"] > 0.5
    assert "signed-rank" in found.headings
    json.dumps(found.to_dict(), allow_nan=False)
    empty = fresh_store()
    empty.claim(SMALL)
    with pytest.raises(
        rc.InvalidArgumentError, match="`store` must be a store with records, got none yet"
    ):
        summarise(empty)


TINY = {
    "berrar-1": {"factors": {"a": (290, 340, 390)}, "replicates": 25, "block": 25,
                 "constants": {"datasets": 20, "bootstrapped": 1, "resamples": 20}},
    "berrar-2": {"factors": {"a": (70, 260)}, "replicates": 25, "block": 25,
                 "constants": {"datasets": 44, "bootstrapped": 1, "resamples": 5}},
    "berrar-3": {"factors": {"q": (3, 7)}, "replicates": 50},
    "berrar-4": {"factors": {"features": (11, 24)}, "replicates": 4, "block": 4,
                 "constants": {"rows": 1000, "trees": 30}},
}  # fmt: skip


@pytest.mark.parametrize("name", TINY)
def test_berrar_in_small(name: str, tmp_path: Path) -> None:
    study = replace(STUDIES[name], **TINY[name])
    store = DirectoryStore(tmp_path / "store")
    run_study(study, store)
    found = summarise(store)
    json.dumps(found.to_dict(), allow_nan=False)
    if name.startswith("berrar-3"):
        third = next(row for row in found.numbers if row["level"] == 3)
        assert third["mean_statistic"] == pytest.approx(2.493, abs=0.6)
        assert third["P"] == pytest.approx(0.604, abs=0.2)
    page = write_report(store, tmp_path / "report")
    text = page.read_text(encoding="utf-8")
    assert "printed" in text
    for line in text.splitlines():
        if line.startswith("!["):
            assert (page.parent / line.rpartition("(")[2].rstrip(")")).stat().st_size > 5000
    assert Study.read(page.parent / "study.toml") == study


def test_what_is_printed_stands_beside_a_study_by_another_name() -> None:
    store = fresh_store()
    study = replace(STUDIES["berrar-4"], **{**TINY["berrar-4"], "replicates": 2, "block": 2})
    run_study(study, store)
    found = read_findings(store)
    for name in ("berrar-4", "berrar-4-as-described", "mine"):
        named = replace(found, study=replace(study, name=name))
        shown = "\n".join(named.tables)
        assert ("d11: mean_T" in shown) == ("printed, d=24" in shown) == (name != "mine")
        assert len(study_figures(named)) == 1


def test_a_report_reads_and_resamples_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks were once read twice for a report, and every bootstrap run three times."""
    from replicast.studies import reports
    from replicast.studies.published import berrar

    store = fresh_store()
    study = replace(STUDIES["berrar-1"], **TINY["berrar-1"])
    run_study(study, store)
    calls = {"read_study": 0, "bootstrap_z": 0}

    def counted(module: Any, name: str) -> None:
        plain = getattr(module, name)

        def count(*arguments: Any) -> Any:
            calls[name] += 1
            return plain(*arguments)

        monkeypatch.setattr(module, name, count)

    counted(reports, "read_study")
    counted(berrar, "bootstrap_z")
    write_report(store, tmp_path)
    experiments = len(study.factors["a"]) * study.replicates
    assert calls == {"read_study": 1, "bootstrap_z": experiments}


# --------------------------------------------------------------------------- command line
def invoke(*arguments: str) -> object:
    return CliRunner().invoke(app, ["study", *arguments], env={"COLUMNS": "100"})


def test_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "berrar-4" in invoke("list").stdout
    shown = invoke("show", "berrar-3").stdout
    assert Study.from_toml(shown) == STUDIES["berrar-3"]
    Path("mine.toml").write_text(SMALL.to_toml(), encoding="utf-8")
    done = invoke("run", "mine.toml", "--store", "s", "--replicates", "15")
    assert "6 blocks computed" in done.stdout
    assert "20 replicates instead of 15: this study runs in blocks of 10." in done.stderr
    following = done.stdout.splitlines()[-1].removeprefix("Next: replicast study ").split()
    assert "Report written to reports/small/README.md" in invoke(*following).stdout
    assert "6 of 6 blocks" in invoke("status", "s").stdout
    assert "Share of experiments" in invoke("summary", "s").stdout
    assert json.loads(invoke("summary", "s", "--json").stdout)["rows"]
    assert "Report written" in invoke("report", "s", "--output", "r").stdout
    assert Path("r/README.md").exists()


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("run", "berrar-9", "--store", "x"), "Did you mean berrar-"),
        (("run", "berrar-3", "--store", "x", "--jobs", "0"), "`--jobs` must be"),
        (("run", "berrar-3", "--store", "x", "--replicates", "0"), "must be at least 1"),
        (("run", "berrar-3", "--store", "x", "--executor", "magic"), "must be one of serial"),
        (("status", "nowhere"), "holds no study"),
        (("summary", "nowhere"), "holds no study"),
    ],
)
def test_command_line_mistakes(
    arguments: tuple[str, ...], match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert match in " ".join(done.stderr.split())
    assert issubclass(StoreError, ReplicastError)


def test_the_documented_study(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[1]
    monkeypatch.syspath_prepend(str(root / "examples"))
    study = Study.read(root / "examples" / "skewed.toml")
    store = fresh_store()
    run_study(study, store)
    rows = {(row["n"], row["effect"]): row for row in summarise(store).numbers}
    assert rows[30, 0.0]["paired-ttest"]["rate"] == pytest.approx(0.08, abs=0.04)
    assert rows[30, 0.5]["paired-ttest"]["rate"] > 0.5


def test_records_without_differences_are_said() -> None:
    wordless = replace(SMALL, scenario="scenario_for_tests:wordless")
    store = fresh_store()
    run_study(wordless, store)
    with pytest.raises(rc.InvalidArgumentError, match="`scenario` must be a column differences"):
        summarise(store)
    ragged = replace(SMALL, scenario="scenario_for_tests:ragged")
    store = fresh_store()
    run_study(ragged, store)
    with pytest.raises(rc.InvalidArgumentError, match="lists of several lengths"):
        summarise(store)


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (
            "scenario_for_tests:empty",
            "`scenario` must be a function that returns columns by name, got none.",
        ),
        ("scenario_for_tests:overfull", "returns 10 records or names their replicate, got 11."),
    ],
)
def test_scenarios_that_return_too_little_or_too_much(scenario: str, sentence: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=sentence):
        run_study(replace(SMALL, scenario=scenario), fresh_store())


def test_the_simplest_world() -> None:
    study = Study(
        name="ideal", scenario="normal-differences", factors={"effect": (0.0, 2.0), "n": (12,)},
        replicates=200, block=100, seed=1,
    )  # fmt: skip
    store = fresh_store()
    run_study(study, store)
    null, strong = summarise(store).numbers
    assert null["paired-ttest"]["rate"] < 0.12
    assert strong["paired-ttest"]["rate"] > 0.95


def test_stores_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere://x cannot be used as a store"):
        DirectoryStore("nowhere://x")
    with pytest.raises(rc.InvalidArgumentError, match="block: expected a Parquet file, got"):
        decode(b"PAR1 but not really")


def test_records_as_one_line() -> None:
    cell = Cell({"a": 1, "b": "x"})
    assert str(cell) == "a = 1, b = x"
    assert str(Cell({})) == "all"
    assert str(Mean.of(np.array([0.0, 1.0, 0.0, 1.0]))).startswith("0.500 ± 0.")


def test_interrupted_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    study = tmp_path / "small.toml"
    study.write_text(SMALL.to_toml())
    store = tmp_path / "store"
    first = invoke("run", str(study), "--store", str(store))
    assert first.exit_code == 0, first.output
    block = sorted((store / "blocks").iterdir())[0]
    block.write_bytes(b"damaged")
    again = invoke("run", str(study), "--store", str(store))
    assert "1 damaged block" in again.output
    monkeypatch.setattr("replicast.studies.execution.run_study", interrupted)
    stopped = invoke("run", str(study), "--store", str(store))
    assert stopped.exit_code == 130
    assert "Finished blocks are safe in" in stopped.output


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_wide_summary_is_cut_between_columns(width: int) -> None:
    """Numbers broken over two lines read as others: 0.277 above 17."""
    rows = [["group", *(f"measure number {at}" for at in range(9))]]
    rows += [[str(line), *(f"0.{line}{at}717 ± 0.019" for at in range(9))] for line in range(8)]
    parts = [part.splitlines() for part in set_table(rows, width)]
    cells = [[re.split(r"  +", line.strip()) for line in part] for part in parts]
    assert [cell for part in cells for cell in part[1][1:]] == rows[1][1:]
    for part in cells:
        assert [row[0] for row in part] == [row[0] for row in rows]
    assert max(len(line) for part in parts for line in part) <= width
