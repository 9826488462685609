# Everything anyone runs. A virtual environment is made on first use; `make clean-venv` forgets it.
#
#   make serve                             serve the model inside over HTTP
#   make serve MODEL=path/to/checkpoint    serve another one (ARGS="--port 8080 …")
#   make chat                              chat with the model inside, in the terminal
#   make test                              the tests, the fast ones first; a quarter of an hour
#   make test-long                         those that take minutes: kills, layouts on Ray, draws of speculation, python -O
#   make check                             lint, formatting, types, import levels
#   make bench                             measurements against transformers, and of the scheduler
#   make docs                              write docs/reference again
#   make evaluate                          what the embedded models reach on held-out questions
#   make retrain                           make the embedded models anew, on a GPU (see training/)

PYTHON ?= python3
VENV   ?= .venv
MODEL  ?=
ARGS   ?=
JOBS   ?= 3

PY    := $(VENV)/bin/python
QUIRE := $(VENV)/bin/quire
ALONE  = $(shell grep -rl --include='*.py' 'mark\.alone' tests | sort)

.PHONY: serve chat test test-long check bench docs evaluate retrain clean-venv
.DEFAULT_GOAL := test

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Quire needs Python 3.11 or later; name one with PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A stamp for each set of packages: pip runs again only when pyproject.toml changes.
$(VENV)/.installed-%: pyproject.toml | $(PY)
	$(PY) -m pip install --disable-pip-version-check --quiet --editable '.$(if $(filter run,$*),,[$*])'
	@touch $@

serve: $(VENV)/.installed-run
	@$(QUIRE) serve $(MODEL) $(ARGS)

chat: $(VENV)/.installed-run
	@$(QUIRE) chat $(MODEL) $(ARGS)

# Three processes share the files, as some of them wait; what measures time or load comes after them, alone: to collect
# only the files that have such tests saves a quarter of a minute. 5: no test was chosen.
test: $(VENV)/.installed-test
	$(PY) -m pytest -n $(JOBS) --dist loadfile -m "not alone and not long" $(ARGS)
	$(PY) -m pytest -m "alone and not long" $(or $(ARGS),$(ALONE)) || test $$? -eq 5

test-long: $(VENV)/.installed-test
	QUIRE_KILLS=10 $(PY) -m pytest -m long $(ARGS)

check: $(VENV)/.installed-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m pytest tests/unit/test_architecture.py

bench: $(VENV)/.installed-test
	$(PY) benchmarks/vs_transformers.py $(ARGS)
	$(PY) benchmarks/scheduler.py

evaluate: $(VENV)/.installed-test
	$(PY) -m training.evaluate $(ARGS)

retrain: $(VENV)/.installed-test
	$(PY) -m training --out build/models $(ARGS)
	cp -r build/models/. src/quire/embedded/

docs: $(VENV)/.installed-run
	$(PY) scripts/generate_docs.py

clean-venv:
	rm -rf $(VENV)
