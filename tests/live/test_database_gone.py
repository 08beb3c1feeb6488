"""The live origin while its database is unreachable, and after it is back."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.freeze.processes import PROJECT, environment
from tests.live_origins import Origin, run_origin
from tests.ports import free_port
from tests.postgresql import run_controlled_server

pytestmark = pytest.mark.server

MANAGE = [sys.executable, "manage.py"]
FILL = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("load_content")
"""
DOCUMENTS = {
    "application/problem+json": ("/api/v1/", "/api/v1/apps", "/api/v1/health", "/openapi.json"),
    "text/markdown; charset=utf-8": ("/", "/about.md", "/llms.txt"),
}
WITHOUT_CONTENT = {"/api/v1/nope": 404, "/api/v1/apps/": 308, "/nope": 404, "/vi/nope": 404}


@contextmanager
def serve_database(address: str) -> Iterator[Origin]:
    """Run a live origin with the shipped content in a database, and yield it."""
    port = free_port()
    variables = {"SITE_ROOT": f"http://127.0.0.1:{port}", "DATABASE_URL": address}
    surroundings = environment(Path(), RATE_LIMIT="0", RESPONSE_CACHE_MB="0", **variables)
    subprocess.run([sys.executable, "-c", FILL], cwd=PROJECT, env=surroundings, check=True)
    with run_origin([*MANAGE, "serve", "--port", str(port)], port, surroundings) as origin:
        yield origin


def assert_is_gone(origin: Origin) -> None:
    for media_type, paths in DOCUMENTS.items():
        for path in paths:
            answer = origin.ask(path)
            body = answer.read()
            assert (answer.status, answer.headers["content-type"]) == (503, media_type)
            assert answer.headers["retry-after"] == "30"
            assert answer.headers["cache-control"] == "no-store"
            assert body.startswith(b"# 503 ") or json.loads(body)["status"] == 503
    for path, expected in WITHOUT_CONTENT.items():
        answer = origin.ask(path)
        assert (answer.status, answer.length) == (expected, len(answer.read()))


def assert_is_back(origin: Origin) -> None:
    for path in ("/api/v1/health", "/api/v1/apps", "/", "/about.md"):
        assert origin.status(path) == 200


def test_the_origin_survives_every_fault_of_an_sqlite_file(tmp_path: Path) -> None:
    file, kept = tmp_path / "catalogue.sqlite3", tmp_path / "kept"
    with serve_database(f"sqlite:///{file}") as origin:
        assert_is_back(origin)
        for fault in ("missing", "noise", "a folder"):
            file.rename(kept)
            if fault == "noise":
                file.write_bytes(b"This is not a database. " * 1000)
            elif fault == "a folder":
                file.mkdir()
            assert_is_gone(origin)
            if file.is_dir():
                file.rmdir()
            kept.replace(file)
            assert_is_back(origin)


def test_the_origin_survives_a_postgresql_that_stops_and_starts() -> None:
    with (
        run_controlled_server() as (address, control),
        serve_database(f"{address}/postgres") as origin,
    ):
        assert_is_back(origin)
        control("stop")
        assert_is_gone(origin)
        control("start")
        assert_is_back(origin)
