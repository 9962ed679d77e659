"""Make every claim false, one at a time, and see that its test fails: `make claims`."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from claims import CLAIMS, Claim

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).with_name("results.json")


def main(only: list[str]) -> int:
    chosen = [claim for claim in CLAIMS if not only or any(part in claim.test for part in only)]
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        python = prepare(copy)
        for claim in chosen:
            known[claim.text] = verdict = proven(claim, copy, python)
            print(f"{verdict:<14} {claim.text} ({claim.test})", flush=True)
    texts = [claim.text for claim in CLAIMS]
    kept = {text: known[text] for text in texts if text in known}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return int(any(known[claim.text] != "test failed" for claim in chosen))


def prepare(copy: Path) -> Path:
    """Copy what git knows; return a Python that sees the copy and all that is installed here."""
    names = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in names.stdout.splitlines():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    venv.create(copy / ".venv", with_pip=False)
    (packages,) = (copy / ".venv" / "lib").glob("python*/site-packages")
    installed = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "copy.pth").write_text("\n".join([str(copy / "src"), *installed]) + "\n")
    return copy / ".venv" / "bin" / "python"


def proven(claim: Claim, copy: Path, python: Path) -> str:
    """Return what the claim's test says without the fault and with it."""
    if run(claim, copy, python):
        return "fails without"
    file = copy / "src" / "replicast" / claim.fault.file
    text = file.read_text(encoding="utf-8")
    assert text.count(claim.fault.old) == 1, claim
    file.write_text(text.replace(claim.fault.old, claim.fault.new), encoding="utf-8")
    try:
        return "test failed" if run(claim, copy, python) else "NOT NOTICED"
    finally:
        file.write_text(text, encoding="utf-8")


def run(claim: Claim, copy: Path, python: Path) -> int:
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-m",
        "slow or not slow",
        claim.test,
    ]
    environment = {**os.environ, "REQUIRE_BROWSER": "1"}
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode not in (0, 1) or " skipped" in done.stdout.splitlines()[-1]:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
