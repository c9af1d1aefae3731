# Two commands are enough: `make demo` and `make test`. Both set up what they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help

# Container images often set this. Then each of the hundreds of processes of a test run compiles
# every module anew, which doubles what it costs to start one.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: $(shell sed -nE 's/^([a-z][a-z-]*):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help:  ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# What is installed is written down with hashes in requirements/dev.txt (`make lock`): nothing else gets in.
$(READY): pyproject.toml setup.py requirements/dev.txt $(wildcard telusur/*/native/*)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Telusur needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || \
	  { echo "Python cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

# What the map of the workbench is drawn with; without it the map is a picture.
VENDOR := telusur/web/static/vendor/d3-view.js
$(VENDOR): package-lock.json scripts/vendor.py
	@if command -v npm >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  echo "Installing npm for the map of the workbench ..." && \
	  { apt-get install -y -q npm >/dev/null 2>&1 || { apt-get update -q >/dev/null && apt-get install -y -q npm >/dev/null; }; }; }; then \
	  npm ci --silent && $(PYTHON) scripts/vendor.py; \
	else \
	  echo "The moving map of the workbench needs npm once; on Debian: sudo apt-get install npm. Without it the map is a picture." >&2; \
	fi

setup: $(READY) $(VENDOR)  ## Make .venv with Telusur and the tools of the workshop

demo: $(READY) $(VENDOR)  ## Crawl a small web that Telusur serves itself, and open a search page on it
	$(BIN)/telusur demo

# A file at a time, in the order of tests/conftest.py: the longest first. One process more than there
# are cores, for many tests wait: for a delay, a browser, another process.
WORKERS := $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder

test: $(READY) $(VENDOR) chromium  ## Run the tests, but for those that show at length what others show in short
	$(PYTEST) -m "not slow"

test-slow: $(READY) $(VENDOR) chromium  ## Run the tests that `make test` leaves out
	$(PYTEST) -m slow

test-all: $(READY) $(VENDOR) chromium  ## Run all tests
	$(PYTEST)

lint: $(READY)  ## Check style, types and generated documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python scripts/make_docs.py --check

fmt: $(READY)  ## Format the code and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY)  ## Write docs/settings.md and docs/cli.md anew from the code
	$(BIN)/python scripts/make_docs.py

screenshots: $(READY) $(VENDOR) chromium  ## Take the pictures of docs/images anew from the demo
	$(BIN)/python scripts/demo_pictures.py docs/images

conformance: $(READY)  ## Run public suites of URLs, robots.txt, encodings, feeds and sitemaps: make conformance DATA=DIR
	@test -n "$(DATA)" || { echo "Where are the suites? make conformance DATA=DIR" >&2; exit 2; }
	$(BIN)/python bench/conformance.py $(DATA)
	$(BIN)/python bench/conformance_encodings.py $(DATA)
	$(BIN)/python bench/conformance_feeds.py $(DATA)

hostile: $(READY)  ## Crawl a web of traps and broken servers: make hostile DATA=DIR
	@test -n "$(DATA)" || { echo "Where is the hostile web? make hostile DATA=DIR" >&2; exit 2; }
	$(BIN)/python bench/hostile.py $(DATA)

SECONDS ?= 60
fuzz: $(READY)  ## Try broken input on every parser, compiled with sanitizers: make fuzz [SECONDS=60] [SEED=x]
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

extraction-limits: $(READY)  ## Extract whole, cut, damaged and hostile pages within limits: make extraction-limits DATA=DIR
	@test -n "$(DATA)" || { echo "Where are the pages? make extraction-limits DATA=DIR" >&2; exit 2; }
	$(BIN)/python bench/extraction_limits.py $(DATA)

bench-crawl: $(READY)  ## Compare crawlers on 10,000 real pages: make bench-crawl CACHE=DIR
	@test -n "$(CACHE)" || { echo "Where may pages and peers be kept? make bench-crawl CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.crawl_speed $(CACHE)

bench-pipeline: $(READY)  ## Compare the whole pipeline, article and index on, with Scrapy: make bench-pipeline CACHE=DIR
	@test -n "$(CACHE)" || { echo "Where may pages and peers be kept? make bench-pipeline CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.crawl_speed $(CACHE) --only telusur-default --only scrapy

PEERS := telusur-default telusur scrapy scrapy-resiliparse scrapy-trafilatura requests
bench-peers: $(READY)  ## Compare with what a user would build instead, on equal pages: make bench-peers CACHE=DIR [PAGES=N]
	@test -n "$(CACHE)" || { echo "Where may pages and peers be kept? make bench-peers CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.crawl_speed $(CACHE) --stop-after $(or $(PAGES),3000) $(addprefix --only ,$(PEERS))

bench-cores: $(READY)  ## Work out how fast a machine of many cores would crawl: make bench-cores CACHE=DIR [PAGES=N]
	@test -n "$(CACHE)" || { echo "Where may pages be kept? make bench-cores CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.many_cores $(CACHE) $(if $(PAGES),--pages $(PAGES))

bench-long: $(READY)  ## Draw speed and memory over a crawl of 100,000 pages: make bench-long NEW=DIR [PAGES=N] [SVG=FILE]
	@test -n "$(NEW)" || { echo "Where may the collection be made? make bench-long NEW=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.long_crawl $(NEW) $(or $(SVG),docs/images/long-crawl.svg) --pages $(or $(PAGES),100000)

bench-before: $(READY)  ## Compare the cost of two commits: make bench-before OTHER=CHECKOUT CACHE=DIR
	@test -n "$(OTHER)" -a -n "$(CACHE)" || { echo "Where is the other checkout, and where may pages be kept? make bench-before OTHER=CHECKOUT CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.before $(OTHER) $(CACHE)

bench-extraction: $(READY)  ## Compare extractors on sets of pages that our models never saw: make bench-extraction DATA=DIR CACHE=DIR [PAGES=N] [MORE="--groups 4"]
	@test -n "$(DATA)" -a -n "$(CACHE)" || { echo "Where are the pages, and where may peers be kept? make bench-extraction DATA=DIR CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.extraction $(DATA) $(CACHE) --train "$(TEXT_SETS) $(SENTENCE_SETS)" $(if $(PAGES),--pages $(PAGES)) $(MORE)

bench-relevance: $(READY)  ## Compare rankings on test collections: make bench-relevance DATA=DIR [CACHE=DIR]
	@test -n "$(DATA)" || { echo "Where are the collections? make bench-relevance DATA=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.relevance $(DATA) $(or $(CACHE),build/bench)

bench-links: $(READY)  ## Rank a web with links, Python's documentation: make bench-links CACHE=DIR
	@test -n "$(CACHE)" || { echo "Where may pages and peers be kept? make bench-links CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.documentation_web $(CACHE)

bench-search: $(READY)  ## Compare search engines on 12,000 pages: make bench-search CACHE=DIR
	@test -n "$(CACHE)" || { echo "Where may pages and peers be kept? make bench-search CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.search_speed $(CACHE)

bench-load: $(READY)  ## Let fifty people search while a crawl runs: make bench-load CACHE=DIR
	@test -n "$(CACHE)" || { echo "Where may pages and the index be kept? make bench-load CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.load $(CACHE)

bench-crowd: $(READY)  ## Let fifty people search while others hold half-open connections and event streams
	$(BIN)/python -m bench.crowd

bench-million: $(READY)  ## Search a million made-up documents: make bench-million NEW=DIR [DOCUMENTS=N]
	@test -n "$(NEW)" || { echo "Where may the collection be made? make bench-million NEW=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.million $(NEW) --documents $(or $(DOCUMENTS),1000000)

bench-freshness: $(READY)  ## Measure how long after its answer a page can be found
	$(BIN)/python -m bench.freshness

bench-kill: $(READY)  ## Kill crawls, parsers and indexers a hundred times, and see that nothing is lost: make bench-kill [KILLS=N]
	$(BIN)/python -m bench.kills --kills $(or $(KILLS),100)
	$(BIN)/python -m bench.kill_indexer

bench-broken: $(READY)  ## Crawl a site of which a tenth is broken, and the same site whole: make bench-broken [DELAY=SECONDS]
	$(BIN)/python -m bench.broken_site $(if $(DELAY),--delay $(DELAY))

bench-fairness: $(READY)  ## Check politeness and fairness of a crawl by the log of its servers
	$(BIN)/python bench/fairness $(PARTS)

bench-frontier: $(READY)  ## Measure what the frontier costs a URL, up to 5 million URLs
	$(BIN)/python bench/frontier.py

bench-memory: $(READY)  ## Crawl a web without end and watch the memory: make bench-memory NEW=DIR
	@test -n "$(NEW)" || { echo "Where may the collection be made? make bench-memory NEW=DIR" >&2; exit 2; }
	$(BIN)/python bench/endless_web.py $(NEW) --urls $(or $(URLS),5000000)

bench-odd-queries: $(READY)  ## Ask a small index 10,000 odd questions, each to be answered within 100 ms
	$(BIN)/python bench/odd_queries.py

bench-map: $(READY) $(VENDOR) chromium  ## Count the frames of a map of 5,000 pages in a browser: make bench-map NEW=DIR
	@test -n "$(NEW)" || { echo "Where may the collections be made? make bench-map NEW=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.map_frames $(NEW)

bench-roots: $(READY)  ## Compare words by root with dictionaries: make bench-roots DATA=DIR CACHE=DIR
	@test -n "$(DATA)" -a -n "$(CACHE)" || { echo "Where are the texts, and where may dictionaries be kept? make bench-roots DATA=DIR CACHE=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.roots $(DATA) $(CACHE)

bench-focus: $(READY)  ## Let strategies look for topics in an encyclopedia: make bench-focus DATA=DIR [CACHE=DIR] [STRATEGIES=a,b]
	@test -n "$(DATA)" || { echo "Where are the pages? make bench-focus DATA=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.focus $(DATA) $(or $(CACHE),build/focus) $(if $(STRATEGIES),--strategies $(STRATEGIES))

bench-robots: $(READY)  ## Compare the link-focused and the topic-selective robot on five topics: make bench-robots DATA=DIR [CACHE=DIR]
	@test -n "$(DATA)" || { echo "Where are the pages? make bench-robots DATA=DIR" >&2; exit 2; }
	$(BIN)/python -m bench.focus.robots $(DATA) $(or $(CACHE),build/focus)

bench-strategies: $(READY)  ## Compare what strategies cost: make bench-strategies [PAGES=N] [STRATEGIES=a,b]
	$(BIN)/python -m bench.strategies --pages $(or $(PAGES),2000) $(if $(STRATEGIES),--strategies $(STRATEGIES))

# The sets that train the shipped model: those whose licences allow it. All others only test it.
TEXT_SETS := wcxb_dev news_articles magic_article magic_forum harvest listing blocks newspaper4k id_news zh_clean
SENTENCE_SETS := trafilatura mercury snacktory goose htmldate recipes
sets_of = $(patsubst %,$(DATA)/extraction/%.jsonl.xz,$(1))
LESSONS = $(call sets_of,$(TEXT_SETS) $(SENTENCE_SETS)) --witnesses $(CACHE)/witnesses.jsonl

$(CACHE)/witnesses.jsonl: $(READY)
	$(BIN)/python -m bench.extraction.witnesses $(CACHE) $@ $(call sets_of,$(SENTENCE_SETS))

witnesses: $(if $(CACHE),$(CACHE)/witnesses.jsonl)  ## Ask other extractors about pages without a true text: make witnesses DATA=DIR CACHE=DIR
	@test -n "$(DATA)" -a -n "$(CACHE)" || { echo "Where are the pages, and where may peers be kept? make witnesses DATA=DIR CACHE=DIR" >&2; exit 2; }

train: $(if $(CACHE),$(CACHE)/witnesses.jsonl)  ## Train the model that is shipped anew from labelled pages: make train DATA=DIR CACHE=DIR
	@test -n "$(DATA)" -a -n "$(CACHE)" || { echo "Where are labelled pages, and where may peers be kept? make train DATA=DIR CACHE=DIR" >&2; exit 2; }
	$(BIN)/telusur train $(LESSONS) --out telusur/extract/content/model.npz

lock: $(READY)  ## Write the lock files anew: make lock [UPGRADE=1]
	$(BIN)/python scripts/lock.py $(if $(UPGRADE),--upgrade)

audit: $(READY) $(VENDOR)  ## Look up known holes in the packages that are locked; says so when nobody can be asked
	$(BIN)/python scripts/audit.py

check: lint test  ## Everything a change must pass

# Some tests drive a real browser. As root on Debian it is installed; elsewhere we say what to run.
chromium:
	@command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Chromium for the browser tests ..." && \
	    { apt-get install -y -q chromium >/dev/null 2>&1 || \
	      { apt-get update -q >/dev/null && apt-get install -y -q chromium >/dev/null; }; }; \
	  else \
	    echo "The browser tests need Chromium; on Debian: sudo apt-get install chromium" >&2; exit 1; \
	  fi; }

clean:  ## Remove everything that make made
	rm -rf $(VENV) node_modules telusur/web/static/vendor build dist .mypy_cache .ruff_cache .pytest_cache
