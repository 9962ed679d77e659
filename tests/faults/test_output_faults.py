"""Reports and plots on machines that fail: the old file or the new one, never a half."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import replicast as rc
from faults.test_study_faults import mounted
from patience import PATIENCE
from replicast.presentation.writing import write_whole

WRITE = """
import sys
from pathlib import Path
from replicast.presentation.writing import write_whole
path = Path(sys.argv[1])
print("begun", flush=True)
while True:
    for letter in (b"a", b"b"):
        write_whole(path, letter * 3_000_000)
"""


def test_twenty_kills_while_a_report_or_a_plot_is_written(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    draw = random.Random(0)
    for _ in range(20):
        run = subprocess.Popen([sys.executable, "-c", WRITE, str(path)], stdout=subprocess.PIPE)
        assert run.stdout is not None
        run.stdout.readline()
        end = time.monotonic() + PATIENCE
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(draw.random() / 50)
        run.kill()
        run.wait()
        run.stdout.close()
        content = path.read_bytes()
        assert len(content) == 3_000_000
        assert len(set(content)) == 1


def test_a_report_on_a_disk_that_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=64k"):
        path = disk / "report.html"
        write_whole(path, b"old")
        with pytest.raises(rc.InvalidArgumentError, match="No space left on device"):
            write_whole(path, b"x" * 100_000)
        assert path.read_bytes() == b"old"
        assert [one.name for one in disk.iterdir()] == ["report.html"]
