"""One target under atheris: `python -m fuzz.one NAME CORPUS [libFuzzer options]`."""

import sys

import atheris

with atheris.instrument_imports(include=["replicast.reading"], enable_loader_override=False):
    from fuzz.targets import TARGETS

if __name__ == "__main__":
    target = TARGETS[sys.argv[1]][0]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target)
    atheris.Fuzz()
