"""Figures for Prometheus: requests, kept responses, and the age of the published release.

The workers write them to files of a folder (`PROMETHEUS_MULTIPROC_DIR`), and the parent process of
`manage.py serve` answers for all of them. No figure has an address or a client.
"""

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector

from catalogue import addresses
from site_mirror.live.admin_middleware import ADMIN_PREFIX
from site_mirror.live.response_cache import KEPT_ENTRY, ResponseCache

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REQUESTS = Counter("catalogue_requests", "Requests by part of the site.", ["part", "status"])
KEPT = Counter("catalogue_kept_responses", "Requests that kept responses answered.")
MEMORY = Gauge("catalogue_kept_bytes", "Memory of kept responses.", multiprocess_mode="livesum")


class Metrics:
    """A WSGI application that counts the requests to another one, which may be a cache."""

    def __init__(self, application: "WSGIApplication") -> None:
        self.application = application
        for file in Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).glob("gauge_live*.db"):
            try:
                os.kill(int(file.stem.rpartition("_")[2]), 0)
            except OSError:
                file.unlink(missing_ok=True)  # The memory of a worker that this one may replace.

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        part = part_of_site(environ["PATH_INFO"])

        def respond(status: str, *more: Any) -> Any:
            REQUESTS.labels(part, status[:3]).inc()
            return start_response(status, *more)

        response = self.application(environ, respond)
        if KEPT_ENTRY in environ:
            KEPT.inc()
        elif isinstance(self.application, ResponseCache):
            MEMORY.set(kept_bytes(self.application))
        return response


def kept_bytes(cache: ResponseCache) -> int:
    found = cache.generation
    return found.documents.used + found.others.used if found else 0


def part_of_site(path: str) -> str:
    if addresses.is_of_api(path):
        return "api"
    return "admin" if path.startswith((ADMIN_PREFIX, "/static/")) else "site"


def serve_metrics(host: str, port: int, target: Path | None) -> None:
    """Answer Prometheus in a thread; the age is that of the release which `target` serves."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    if target:
        age = Gauge("catalogue_release_age_seconds", "Time since a release.", registry=registry)
        age.set_function(lambda: release_age(target))
    start_http_server(port, host, registry)


def release_age(target: Path) -> float:
    """Return the seconds since the link to the served release was replaced; NaN without one."""
    try:
        return time.time() - (target / "current").lstat().st_mtime
    except OSError:
        return float("nan")
