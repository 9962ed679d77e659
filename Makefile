# Everything works from a fresh clone; nothing is installed outside this folder.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint slow bench calibration screenshots clean

demo: $(STAMP)  ## compare classifiers on real scores, write a plot to demo-output/
	$(BIN)/replicast demo --output demo-output

test: $(STAMP)  ## run the tests and the examples of the documentation
	$(BIN)/python -m pytest -n 2

lint: $(STAMP)  ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

slow: $(STAMP)  ## tests that take minutes
	$(BIN)/python -m pytest -n 2 -m slow

bench: $(STAMP)  ## speed as ratios, measured in one run
	$(BIN)/python -m benchmarks

calibration: $(STAMP)  ## rerun the calibration study and rewrite docs/calibration.md; resumable
	$(BIN)/python -m calibration

screenshots: $(STAMP)  ## retake the pictures of the pages; needs Chromium
	$(BIN)/python docs/images/make.py

clean:
	rm -rf $(VENV) demo-output calibration-output

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,dev]'
	touch $@
