# Everything runs in .venv, which the launcher makes and keeps up to date: a fresh machine needs no other step.
PYTHON := .venv/bin/python
SOURCES := src tests tools benchmarks examples

.PHONY: help setup check test test-all measure layers pictures bench demo

help:
	@echo "make setup     make .venv with the tools for development"
	@echo "make check     ruff, mypy, layers"
	@echo "make test      check, and every test that takes seconds"
	@echo "make test-all  check, and every test"
	@echo "make measure   the compass: lengths, comments, tests, cycles"
	@echo "make layers    the table of layers in CONTRIBUTING.md, from the rows of the layer test"
	@echo "make pictures  the pictures of README and docs, anew, with Chromium"
	@echo "make bench     speed and memory"
	@echo "make demo      a few questions and their answers"

setup:
	@EXPOUND_EXTRAS=dev ./expound --version

check: setup
	$(PYTHON) -m ruff check $(SOURCES)
	$(PYTHON) -m ruff format --check $(SOURCES)
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest tests/test_layers.py

# Tests fetch model files once per run, into EXPOUND_HOME: set it to keep them for the next run.
define pytest
	@home="$$EXPOUND_HOME"; \
	if [ -z "$$home" ]; then home=$$(mktemp -d); trap 'rm -rf "$$home"' EXIT; fi; \
	EXPOUND_HOME="$$home" $(PYTHON) -m pytest $(1)
endef

test: check
	$(call pytest,-m "not slow" -n auto)

test-all: check
	@EXPOUND_EXTRAS=dev,browser,train,cluster,careful,store-server ./expound --version
	$(call pytest,-n auto --hypothesis-profile default)

measure: setup
	@$(PYTHON) tools/measure.py

layers: setup
	@$(PYTHON) tests/test_layers.py

pictures: setup
	@EXPOUND_EXTRAS=dev,browser,report ./expound --version
	$(PYTHON) tools/docs_pictures.py

bench: setup
	$(PYTHON) -m pip install -qq -e .[bench,browser]
	$(PYTHON) benchmarks/run.py --million
	$(PYTHON) benchmarks/rouge_speed.py
	$(PYTHON) benchmarks/profiles.py
	OMP_NUM_THREADS=1 $(PYTHON) benchmarks/metrics.py
	$(PYTHON) benchmarks/support_documents.py --questions 200
	$(PYTHON) benchmarks/all_pairs.py --questions 30000
	$(PYTHON) benchmarks/build_speed.py
	$(PYTHON) benchmarks/oracle_beam.py
	$(PYTHON) benchmarks/audit.py
	$(PYTHON) benchmarks/meta_page.py
	$(PYTHON) benchmarks/report_page.py
	OMP_NUM_THREADS=1 $(PYTHON) benchmarks/writer_speed.py
	$(PYTHON) benchmarks/study_load.py --judgments 1000
	OMP_NUM_THREADS=1 $(PYTHON) benchmarks/serve_load.py

demo: setup
	./expound ask "Who was the ruler of France in 1830?"
	./expound ask "How do jellyfish function without brains?"
	./expound ask "Why are most boats white?"
