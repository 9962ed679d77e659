# Everything works from a fresh clone; nothing is installed outside this folder.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.installed-core
STAMP := $(VENV)/.installed
# the lock was made for this version of Python; others resolve for themselves
LOCK := $(shell $(PYTHON) -c 'import sys; print("--constraint requirements-dev.lock" * (sys.version_info[:2] == (3, 11)))')

.PHONY: help demo test test-all explore lint slow bench calibration field docs screenshots coverage mutants claims claims-changed variants fuzz test-lowest test-pythons lock dist clean

help:  ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 18

demo: $(CORE)  ## install the core alone, compare classifiers on real scores, write plots to demo-output/
	$(BIN)/replicast demo --output demo-output

test: $(STAMP)  ## the tests to run after every change
	$(BIN)/python -m pytest -n 2 -m "not slow and not thorough"

test-all: test  ## the same, then those that it leaves out: studies, sweeps, fuzzing, browsers, documentation
	$(BIN)/python -m pytest -n 2 -m "thorough and not slow"

lint: $(STAMP)  ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

explore: $(STAMP)  ## the tests that draw their examples, with other draws than `make test`
	$(BIN)/python -m pytest -n 2 $$(grep -rl --include='*.py' 'from hypothesis' tests) --hypothesis-seed=$$(date +%s)

slow: $(STAMP)  ## tests that take minutes
	$(BIN)/python -m pytest -n 2 -m slow

bench: $(STAMP)  ## what a user feels of speed and memory, each with floor and aim; on an idle machine
	$(BIN)/python -m benchmarks

calibration: $(STAMP)  ## rerun the calibration study and rewrite docs/calibration.md; resumable
	$(BIN)/python -m calibration

field: $(STAMP)  ## learn the priors from published results again and rewrite docs/track-record.md
	$(BIN)/python -m calibration.field

docs: $(STAMP)  ## build the documentation into site/; figures and examples: docs/make_*.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

screenshots: $(STAMP)  ## retake the pictures of the pages; needs Chromium
	$(BIN)/python docs/images/make.py

# ignored: uncompiled, kernels overflow and divide by zero where compiled ones do so in silence
coverage: $(STAMP)  ## lines and branches of src/ that the tests reach; compiled kernels as plain Python
	$(BIN)/coverage erase
	$(BIN)/python -m pytest -n 2 --cov --cov-report=
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --cov --cov-append --cov-report= -W ignore::RuntimeWarning \
	    tests/kernels tests/properties tests/test_fast_learners.py tests/test_weka_learners.py \
	    -k "not of_weka and not forests_repeat and not horse-colic and not autos and not glass"
	$(BIN)/coverage json --quiet -o coverage.json
	$(BIN)/python tests/coverage_floors.py coverage.json

mutants: $(STAMP)  ## change the kernels in every small way; rewrite docs/mutants.md
	PYTHONPATH=tests $(BIN)/python -m mutants

claims: $(STAMP)  ## make every claim of docs/trust.md false in turn; its test must fail
	PYTHONPATH=tests $(BIN)/python -m claims

claims-changed: $(STAMP)  ## the same for the claims whose code or test has changed since
	PYTHONPATH=tests $(BIN)/python -m claims --changed

variants: $(STAMP)  ## files with other words, numbers and programs, five seeds; none may be misread
	PYTHONPATH=tests $(BIN)/python -m variants --seeds 5

fuzz: $(STAMP)  ## random files against every reader, a minute each; quicker with pip install '.[fuzz]'
	$(BIN)/python -m fuzz --seconds 60

# ignored: old versions warn of what newer ones have left behind
test-lowest:  ## run the tests on the lowest versions that pyproject.toml allows
	test -x .venv-lowest/bin/python || $(PYTHON) -m venv .venv-lowest
	$(PYTHON) tests/lowest.py > .venv-lowest/constraints.txt
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check \
	    --constraint .venv-lowest/constraints.txt --editable '.[all,dev]'
	NUMBA_CACHE_DIR=.venv-lowest/numba .venv-lowest/bin/python -m pytest -n 2 -p no:cacheprovider \
	    -W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning

test-pythons:  ## run the tests on every Python from 3.11 on that this machine has
	$(PYTHON) tests/pythons.py

lock:  ## pin what development uses in requirements-dev.lock
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check '.[all,dev]'
	.venv-lock/bin/python -m pip freeze --exclude replicast > requirements-dev.lock
	rm -rf .venv-lock

dist: $(STAMP)  ## build wheel and sdist, install the wheel into an empty environment and try it
	rm -rf dist .venv-dist
	$(BIN)/python -m build --outdir dist
	$(PYTHON) -m venv .venv-dist
	.venv-dist/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[web]"
	.venv-dist/bin/python tests/smoke.py dist/*.whl
	rm -rf .venv-dist

clean:  ## remove what was made and installed
	rm -rf $(VENV) .venv-3.* .venv-lowest .venv-lock .venv-dist demo-output calibration-output fuzz-output dist site

# the package alone, without extras: enough for the demo
$(CORE): pyproject.toml requirements-dev.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	test -e $(STAMP) || $(PYTHON) tests/timed.py $(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCK) --editable .
	touch $@

$(STAMP): pyproject.toml requirements-dev.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(LOCK) --editable '.[all,dev]'
	touch $(CORE) $@
