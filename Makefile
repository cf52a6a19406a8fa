# make demo        the whole road on sample reports, on a CPU, then the drafting page
# make test        all tests           make test-fast   those that a person runs while working
# make check       style, types, and the walls between rooms
#
# Each sets up what it needs: a virtual environment in .venv, from the versions in constraints.txt.

PYTHON ?= python3
BIN := .venv/bin
# Where pip already knows a wheel of torch on this disk, take it; elsewhere uv picks the build for the card or the CPU.
TORCH := $(if $(PIP_FIND_LINKS),--find-links $(PIP_FIND_LINKS),--torch-backend auto)

# Most tests keep one core busy; what shares costly fixtures stays with one worker (tests/conftest.py).
TWO_WORKERS := -n 2 --no-loadscope-reorder

.PHONY: demo test test-fast check format clean

demo: .venv/ready
	$(BIN)/memoria demo $(if $(NO_BROWSER),--no-browser) $(if $(PORT),--port $(PORT)) $(if $(MODEL),--model $(MODEL))

test: check
	$(BIN)/pytest $(TWO_WORKERS)

test-fast: .venv/ready
	$(BIN)/pytest $(TWO_WORKERS) -m "not slow"

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy pipeline copilot flows data
	$(BIN)/lint-imports

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet uv==$(shell sed -n 's/^uv==//p' constraints.txt)
	$(BIN)/uv pip install --quiet --python $(BIN)/python $(TORCH) -c constraints.txt -e '.[train,app,flows,serve,dev]'
	touch $@

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .hypothesis .import_linter_cache
