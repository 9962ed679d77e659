"""The pytest plugin and the assertion behind it, as a user's own suite meets them."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import replicast as rc

ROOT = Path(__file__).parents[1]
SUITE = """
import numpy as np
import replicast as rc

OLD = np.repeat([1, 0], [700, 300])

def changed(lost, gained=0):
    new = OLD.copy()
    new[:lost], new[-gained or len(new):] = 0, 1
    return new

def test_passes(assert_not_worse):
    assert assert_not_worse(changed(10, 8), OLD, margin=0.02).outcome == "pass"

def test_fails(assert_not_worse):
    assert_not_worse(changed(90), OLD, margin=0.02, names=("new", "old"))

def test_cannot_tell(assert_not_worse):
    assert_not_worse(changed(25, 5), OLD, margin=0.02)

def test_may_be_skipped(assert_not_worse):
    assert_not_worse(changed(25, 5), OLD, margin=0.02, unsure="skip")

def test_may_pass(assert_not_worse):
    assert_not_worse(changed(25, 5), OLD, margin=0.02, unsure="pass")

def test_folds(assert_not_worse):
    new = np.array([0.81, 0.82, 0.80, 0.83, 0.81, 0.80, 0.82, 0.81, 0.83, 0.80])
    assert_not_worse(new, np.roll(new, 1), margin=0.04, design=rc.KFold(10))
"""


def test_a_suite_with_gates(tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "test_suite.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = " ".join(done.stdout.split())
    assert "2 failed, 3 passed, 1 skipped" in told, done.stdout + done.stderr
    assert "FAIL new is worse than old by more than 2 points" in told
    assert "replicast gates" in told
    assert told.count("candidate passes") >= 6
    assert "test_suite.py::test_passes: PASS candidate is not worse than baseline" in told


def test_the_plugin_is_announced_and_light() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"replicast": "replicast.pytest_plugin"}
    script = "import sys, replicast.pytest_plugin; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_the_assertion_itself() -> None:
    new, old = [1] * 500, [1] * 480 + [0] * 20
    assert rc.assert_not_worse(new, old, margin=0.02).outcome == "pass"
    with pytest.raises(AssertionError, match="FAIL  candidate is worse than baseline"):
        rc.assert_not_worse(old, new, margin=0.01)
    with pytest.raises(AssertionError, match="CANNOT TELL"):
        rc.assert_not_worse([1] * 20, [1] * 20, margin=0.02)
    unsure = rc.assert_not_worse([1] * 20, [1] * 20, margin=0.02, unsure="pass")
    assert unsure.outcome == "cannot tell"
    with pytest.raises(rc.InvalidArgumentError, match="0 or 1 for every case"):
        rc.assert_not_worse([0.5, 0.7], [0.4, 0.6], margin=0.02)
    with pytest.raises(rc.InvalidArgumentError, match="one of fail, pass"):
        rc.assert_not_worse(new, old, margin=0.02, unsure="skip")
