# Two commands: `make run` and `make test`. The others are theirs, by themselves.

PORT ?= 8000
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
SNAPSHOT := var/snapshot
BENCH ?= freeze
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
PROGRAMS := browser or server or npm or disk

ifndef SITE_ROOT
export SITE_ROOT := http://127.0.0.1:$(PORT)
export ALLOWED_HOSTS ?= 127.0.0.1,localhost
endif
export SECRET_KEY ?= $(shell cat var/secret-key 2>/dev/null)

.PHONY: help run own-studio port prepare database snapshot serve freeze test test-integration test-postgresql test-all bench lint types messages lock

LABELS := --locale vi --no-location --no-obsolete --ignore .venv --ignore tests --ignore benchmarks --ignore var

help:  ## List the commands.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

run: port prepare  ## Set everything up and serve the live origin on 127.0.0.1:PORT.
	@$(MAKE) --no-print-directory serve

# A freeze that is refused, for example for a dead link, must not keep the editor from the admin.
prepare: database
	@$(MANAGE) collectstatic --no-input --verbosity 0
	@$(MAKE) --no-print-directory snapshot || echo "The snapshot stays as it was. The live origin starts."
	@$(MANAGE) demo

own-studio: port .venv/run var/secret-key  ## Begin a studio of your own, without the shipped content (docs/start.md).
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) load_content --api-only
	@$(MANAGE) collectstatic --no-input --verbosity 0
	@$(MANAGE) demo
	@$(MAKE) --no-print-directory serve

# Another server on the port would share it, and answer every other request.
port:
	@$(PYTHON) -c "import socket; socket.create_server(('127.0.0.1', $(PORT)))" 2>/dev/null || \
		{ echo "Port $(PORT) is in use. Choose another: make run PORT=9000"; exit 1; }

database: .venv/run var/secret-key
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) load_content

snapshot:
	@$(MANAGE) freeze $(SNAPSHOT) || test $$? -eq 3

serve:
	@echo
	@echo "Open      $(SITE_ROOT)/"
	@echo "API       $(SITE_ROOT)/api/v1/"
	@echo "Admin     $(SITE_ROOT)/admin/"
	@echo "Snapshot  $(SNAPSHOT)/current/public"
	@echo
	@exec $(MANAGE) serve --port $(PORT) --publish

freeze: database  ## Freeze the site into var/snapshot.
	@$(MAKE) --no-print-directory snapshot

test: .venv/dev  ## Run the tests that need nothing but Python: about five minutes on two cores.
	@$(PYTEST) -m "not ($(PROGRAMS) or exhaustive)"

# The tests of a file share servers, so one process runs them. They wait for pages and servers
# almost half of their time, so there are three processes on two cores.
test-integration: .venv/dev  ## Run one pass through browser, nginx, workerd, Redis, PostgreSQL's programs and an S3 server.
	@$(PYTEST) --numprocesses $$(($$(nproc) * 3 / 2)) --dist loadscope --reruns 1 -m "($(PROGRAMS)) and not exhaustive"

test-postgresql: .venv/dev  ## Run the tests of rules that the database keeps, on a PostgreSQL server of their own.
	@.ci/with-postgresql $(PYTEST) --reruns 1 -m "postgresql and not exhaustive"

test-all: .venv/dev  ## Run every test, on both databases, with measurements and Lighthouse: about an hour (CONTRIBUTING.md).
	@.ci/test-all

bench: .venv/run  ## Measure, for example BENCH="freeze --posts 1000" (docs/performance.md).
	@$(BIN)/python -m benchmarks $(BENCH)

lint: .venv/dev  ## Check style and templates.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/djlint --check --lint catalogue site_mirror/desk
	@$(BIN)/djlint --check --lint --profile jinja --extend-exclude site_mirror/desk site_mirror

types: .venv/dev  ## Check types, strictly.
	@DEBUG=1 $(BIN)/mypy

messages: .venv/dev var/secret-key  ## Collect the labels of pages, desk and scripts and compile their translations (needs gettext).
	@$(MANAGE) makemessages $(LABELS) --extension py,html,txt
	@$(MANAGE) makemessages $(LABELS) --domain djangojs --ignore assets
	@$(MANAGE) compilemessages --ignore .venv

lock:  ## Resolve the dependencies again (needs uv).
	uv lock
	uv export --quiet --frozen --no-dev --no-header --output-file requirements.lock
	uv export --quiet --frozen --no-header --output-file requirements-dev.lock

.venv/bin/python:
	@$(PYTHON) -m venv .venv

.venv/run: requirements.lock | .venv/bin/python
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	@touch $@

.venv/dev: requirements-dev.lock | .venv/bin/python
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-dev.lock
	@touch $@ .venv/run

var/secret-key:
	@mkdir -p var
	@$(PYTHON) -c "import secrets; print(secrets.token_urlsafe(48))" > $@
	@chmod 600 $@
