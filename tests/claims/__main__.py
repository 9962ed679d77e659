"""Make every claim false, one at a time, and see that its test fails: `make claims`.

With `--changed`, only the claims whose code or test is no longer what it was when they were proven.
"""

import ast
import hashlib
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
PROVEN = "test failed"


def main(only: list[str]) -> int:
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if only == ["--changed"]:
        chosen = [claim for claim in CLAIMS if known.get(claim.text) != proof(claim)]
        print(
            f"{len(chosen)} of {len(CLAIMS)} claims have changed since they were proven", flush=True
        )
    else:
        chosen = [claim for claim in CLAIMS if not only or any(part in claim.test for part in only)]
    if not chosen:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        python = prepare(copy)
        for claim in chosen:
            verdict = proven(claim, copy, python)
            known[claim.text] = proof(claim) if verdict == PROVEN else verdict
            print(f"{verdict:<14} {claim.text} ({claim.test})", flush=True)
            keep(known)
    return int(any(known[claim.text] != proof(claim) for claim in chosen))


def keep(known: dict[str, str]) -> None:
    """Write what is known of the claims that stand; it is not lost when a run is interrupted."""
    texts = [claim.text for claim in CLAIMS]
    kept = {text: known[text] for text in texts if text in known}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def proof(claim: Claim) -> str:
    """Return what stands in the results for a proven claim: its verdict and a hash of its code."""
    name = claim.test.partition("::")
    text = (ROOT / name[0]).read_text(encoding="utf-8")
    test = next(
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.name == name[2]
    )
    source = (ROOT / "src" / "replicast" / claim.fault.file).read_text(encoding="utf-8")
    code = "\0".join((ast.get_source_segment(text, test) or "", source, *claim.fault))
    return f"{PROVEN} {hashlib.sha256(code.encode()).hexdigest()[:16]}"


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
        return PROVEN if run(claim, copy, python) else "NOT NOTICED"
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
