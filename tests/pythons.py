"""Run the whole suite on every Python from 3.11 on that this machine has: `make test-pythons`.

Arguments are handed to pytest, so a part of the suite can be chosen.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIRST = 11


def found() -> dict[str, str]:
    """Return the path of each version that starts, from the search path and from pyenv."""
    candidates = [shutil.which(f"python3.{minor}") for minor in range(FIRST, 30)]
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates += sorted(str(path) for path in home.glob("versions/3.*/bin/python3"))
    pythons: dict[str, str] = {}
    for path in filter(None, candidates):
        told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        version = re.fullmatch(r"Python (3\.(\d+))\..*", told.stdout.strip())
        if told.returncode == 0 and version and int(version[2]) >= FIRST:
            pythons.setdefault(version[1], path)
    return pythons


def main(options: list[str]) -> int:
    failed = []
    for version, path in sorted(found().items(), key=lambda item: int(item[0].split(".")[1])):
        place = ROOT / f".venv-{version}"
        python = place / "bin" / "python"
        if not python.exists():
            subprocess.run([path, "-m", "venv", place], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--editable", ".[all,dev]"], cwd=ROOT, check=True)
        print(f"Python {version}", flush=True)
        cache = {**os.environ, "NUMBA_CACHE_DIR": str(place / "numba")}
        command = [python, "-m", "pytest", "-n", "2", "-q", "-p", "no:cacheprovider", *options]
        if subprocess.run(command, cwd=ROOT, env=cache, check=False).returncode:
            failed.append(version)
    print(f"failed on {', '.join(failed)}" if failed else "passed on all")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
