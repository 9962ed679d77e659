"""Fuzz every reader for a while, several at once; finds are kept and printed.

atheris does it where it is installed (the extra `fuzz`), else a mutator of our own, `fuzz.mutator`.

    python -m fuzz [--seconds 60] [--jobs 2] [target ...]

What is found goes to fuzz-output/finds/<target>/; move a file to tests/golden/fuzz/<target>/ with its
mending, where a test reads it from then on.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from fuzz.targets import TARGETS

OUTPUT = Path("fuzz-output")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time")
    asked = parser.parse_args()
    names = asked.targets or list(TARGETS)
    with ThreadPoolExecutor(asked.jobs) as pool:
        told = list(pool.map(lambda name: fuzz(name, asked.seconds), names))
    report = OUTPUT / "report.json"
    known = json.loads(report.read_text()) if report.exists() else {}
    known.update(dict(zip(names, told, strict=True)))
    report.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    finds = sum(one["finds"] for one in told)
    print(f"{sum(one['inputs'] for one in told):,} inputs, {finds} finds")
    return 1 if finds else 0


def fuzz(name: str, seconds: int) -> dict[str, int]:
    """Fuzz one target; after a find, go on until the time is up."""
    corpus, finds = OUTPUT / "corpus" / name, OUTPUT / "finds" / name
    for folder in (corpus, finds):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS[name][1]):
        (corpus / f"seed-{number}").write_bytes(seed)
    inputs, end = 0, time.monotonic() + seconds
    while (left := int(end - time.monotonic())) >= 2 and len(list(finds.iterdir())) < 50:
        if find_spec("atheris") is None:
            command = [
                sys.executable,
                "-m",
                "fuzz.mutator",
                name,
                str(corpus),
                str(finds),
                str(left),
            ]
        else:
            command = [
                sys.executable, "-m", "fuzz.one", name, str(corpus), f"-max_total_time={left}",
                f"-artifact_prefix={finds}/", "-dict=fuzz/words.dict", "-max_len=20000",
                "-timeout=20", "-rss_limit_mb=3000",
            ]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
        log = done.stdout + done.stderr
        OUTPUT.joinpath(name.replace("/", "-") + ".log").write_text(log[-20_000:])
        counted = re.findall(r"^#(\d+)", log, flags=re.MULTILINE)
        inputs += int(counted[-1]) if counted else 0
    found = len(list(finds.iterdir()))
    print(f"{name:<16} {inputs:>10,} inputs, {found} finds", flush=True)
    return {"inputs": inputs, "finds": found, "seconds": seconds}


if __name__ == "__main__":
    sys.exit(main())
