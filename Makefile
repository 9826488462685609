# Everything anyone runs. A virtual environment is made on first use; `make clean-venv` forgets it.
#
#   make serve MODEL=path/to/checkpoint    chat with a model in the terminal
#   make test                              every test, the fast ones first
#   make check                             lint, formatting, types, import levels
#   make bench                             measurements against transformers, and of the scheduler
#   make docs                              write docs/reference again

PYTHON ?= python3
VENV   ?= .venv
MODEL  ?=
ARGS   ?=

PY    := $(VENV)/bin/python
QUIRE := $(VENV)/bin/quire
NOISE := build/random-model

.PHONY: serve test check bench docs clean-venv
.DEFAULT_GOAL := test

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Quire needs Python 3.11 or later; name one with PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A stamp for each set of packages: pip runs again only when pyproject.toml changes.
$(VENV)/.installed-%: pyproject.toml | $(PY)
	$(PY) -m pip install --disable-pip-version-check --quiet --editable '.$(if $(filter run,$*),,[$*])'
	@touch $@

serve: $(VENV)/.installed-run $(if $(MODEL),,$(NOISE)/config.json)
ifeq ($(MODEL),)
	@echo
	@echo "  No model was named, so this is a small model with RANDOM weights: its words are noise."
	@echo "  That is so until a small trained model ships with Quire; the engine is the real one."
	@echo "  To talk to a real model, name a checkpoint folder:"
	@echo
	@echo "      make serve MODEL=path/to/checkpoint"
	@echo
endif
	@$(QUIRE) chat $(or $(MODEL),$(NOISE)) $(ARGS)

$(NOISE)/config.json: scripts/random_checkpoint.py | $(VENV)/.installed-run
	@$(PY) scripts/random_checkpoint.py $(NOISE)

test: $(VENV)/.installed-test
	$(PY) -m pytest $(ARGS)

check: $(VENV)/.installed-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m pytest tests/unit/test_architecture.py

bench: $(VENV)/.installed-test
	$(PY) benchmarks/vs_transformers.py $(ARGS)
	$(PY) benchmarks/scheduler.py

docs: $(VENV)/.installed-run
	$(PY) scripts/generate_docs.py

clean-venv:
	rm -rf $(VENV)
