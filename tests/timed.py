"""Run an installation and print how long it took and how large the environment is: `make demo`."""

import subprocess
import sys
import time
from pathlib import Path

NOT_COUNTED = ("pip", "setuptools", "_distutils_hack")  # of every environment, not of the package


def size(folder: Path) -> int:
    """Return the bytes of all packages in a folder, byte code included."""
    parts = [one for one in folder.iterdir() if not one.name.startswith(NOT_COUNTED)]
    files = [file for part in parts for file in ([part] if part.is_file() else part.rglob("*"))]
    return sum(file.stat().st_size for file in files if file.is_file())


def main(command: list[str]) -> None:
    begun = time.monotonic()
    subprocess.run(command, check=True)
    took = time.monotonic() - begun
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    told = subprocess.run([command[0], "-c", where], capture_output=True, text=True, check=True)
    megabytes = size(Path(told.stdout.strip())) / 1e6
    print(f"installed in {took:.0f} s, {megabytes:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
