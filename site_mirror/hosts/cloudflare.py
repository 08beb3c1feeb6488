"""Cloudflare: a worker before static assets, none of which is served without it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import orjson

from api.contract import BUDGET
from api.headers import NO_STORE, Headers
from catalogue import addresses
from site_mirror.headers import VARY_NEGOTIATED
from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.cloudflare_tables import LARGEST, parts, policies, tables
from site_mirror.hosts.folder import Files
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import API, SITE, Release
from site_mirror.snapshot.files import reading_whole

PROGRAMS = ("worker.js", "rules.js")
ASSETS = "assets"
COMPATIBLE = "2026-10-01"
"""The day whose rules of the runtime the worker was written for."""
NOTICE = b"// Serves one release. Generated from its manifest: generate it again, do not edit it.\n"
INDENTED = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
UNKNOWN_METHODS = "the runtime answers 501 to a method that it does not know, and asks no worker"


class Cloudflare:
    """Workers with static assets; `wrangler` uploads the folder."""

    name = "cloudflare"
    cannot: Mapping[Ability, str] = {
        Ability.UNKNOWN_METHODS: UNKNOWN_METHODS,
        Ability.METHOD_CASE: UNKNOWN_METHODS,
        Ability.UPWARD_PATHS: "Cloudflare resolves dots before it asks a worker",
    }
    adds = frozenset({"cf-ray", "cf-cache-status", "nel", "report-to"})

    def files(self, release: Release, place: Place) -> Files:
        here = Path(__file__).parent
        found = tables(release)
        return {
            "wrangler.jsonc": NOTICE + orjson.dumps(project(release, place), option=INDENTED),
            "site.json": orjson.dumps(site(release, len(found)), option=INDENTED),
            **{name: (here / name).read_bytes() for name in PROGRAMS},
            **{f"{ASSETS}/tables/{number}.json": table for number, table in enumerate(found)},
            **{f"{ASSETS}/files/{name}": content for name, content in assets(release)},
        }


def assets(release: Release) -> Iterator[tuple[str, bytes | Path]]:
    """Each file of the release, by name; in parts if it is too large for an asset."""
    for entry in release.documents:
        sizes = [(entry.file, entry.size), *((part.file, part.size) for part in entry.encodings)]
        for file, size in sizes:
            names = parts(file, size)
            whole = release.public / file
            yield from zip(names, cut(whole) if len(names) > 1 else [whole], strict=True)


def cut(file: Path) -> Iterator[bytes]:
    with reading_whole(file) as whole:
        yield from iter(lambda: whole.read(LARGEST), b"")


def project(release: Release, place: Place) -> dict[str, Any]:
    """What `wrangler` reads: the worker, its assets, its budget, and where it answers."""
    address, _, port = place.listen.rpartition(":")
    return {
        "name": named(release),
        "main": "worker.js",
        "compatibility_date": COMPATIBLE,
        "assets": {
            "directory": ASSETS,
            "binding": "ASSETS",
            "run_worker_first": True,
            "html_handling": "none",
            "not_found_handling": "none",
        },
        "ratelimits": [budget(release)],
        "routes": routes(release),
        "workers_dev": False,
        "preview_urls": False,
        "observability": {"enabled": False},
        "send_metrics": False,
        "dev": {"ip": address.strip("[]"), "port": int(port)},
    }


def named(release: Release) -> str:
    """The worker's name, of the site's host: at most 63 letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", host(release).lower()).strip("-")[:63]


def host(release: Release) -> str:
    return urlsplit(release.root).hostname or ""


def budget(release: Release) -> dict[str, Any]:
    """Counted by client; the counters of an account are told apart by a number for each site."""
    return {
        "name": "BUDGET",
        "namespace_id": str(crc32(release.root.encode())),
        "simple": {"limit": BUDGET.requests, "period": BUDGET.window_seconds},
    }


def routes(release: Release) -> list[dict[str, Any]]:
    """The site's own domain; who publishes without TLS has none at Cloudflare."""
    published = release.root.startswith("https://")
    return [{"pattern": host(release), "custom_domain": True}] if published else []


def site(release: Release, number_of_tables: int) -> dict[str, Any]:
    """What the worker knows of the whole site."""
    mirrored = answers.not_acceptable(release, "{page}", "{mirror}").decode()
    return {
        "root": release.root,
        "host": host(release),
        "description": addresses.OPENAPI,
        "base": addresses.API,
        "tables": number_of_tables,
        "policies": [dict(shared) for shared in policies(release)],
        "ofABody": answers.OF_A_BODY,
        "negotiated": VARY_NEGOTIATED,
        "moved": of_a_move(release),
        "preflight": answers.preflight(release, SITE),
        "announced": answers.lifecycle(release),
        "notAcceptable": {"headers": answers.not_acceptable_headers(release), "body": mirrored},
        "errors": {scope: errors(release, scope) for scope in (API, SITE)},
    }


def of_a_move(release: Release) -> Headers:
    headers = answers.moved(release, SITE, "")
    del headers["Location"], headers["Content-Length"]
    return headers


def errors(release: Release, scope: str) -> dict[str, dict[str, Any]]:
    return {str(status): refusal(release, scope, status) for status in answers.STATUSES}


def refusal(release: Release, scope: str, status: int) -> dict[str, Any]:
    """An error's text and headers; none but the headers where the manifest has no text."""
    known = release.known(scope, status)
    error = known or release.error(scope, 404)
    headers = {name: error.headers[name] for name in error.headers if name != "Content-Length"}
    if known is None:
        without = answers.unannounced(headers)
        return {"headers": {**without, **NO_STORE}, "body": "", "announced": False}
    body = release.bodies[known.scope, status].decode()
    announced = answers.is_announced(known)
    return {"headers": answers.unannounced(headers), "body": body, "announced": announced}
