"""Cloudflare: a worker that answers all requests, with the files of the release as its assets."""

import re
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import orjson

from api.contract import BUDGET
from catalogue import addresses
from site_mirror.documents.headers import BODY_HEADERS, VARY_NEGOTIATED
from site_mirror.hosts import responses
from site_mirror.hosts.cloudflare.tables import HEADERS_IN_ROWS, worker_tables
from site_mirror.hosts.folder import Files
from site_mirror.hosts.host import Deployment, Host, list_policies, read_program, render_template
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE, VIETNAMESE_SCOPE, ServedRelease

ASSETS_FOLDER = "assets"
JSON_OPTIONS = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


class Cloudflare(Host):
    """Workers with static assets; `wrangler` uploads the folder."""

    name = "cloudflare"
    adds = frozenset({"cf-ray", "cf-cache-status", "nel", "report-to"})

    def files(self, release: ServedRelease, deployment: Deployment) -> Files:
        tables = worker_tables(release)
        return {
            "wrangler.jsonc": render_template(
                "cloudflare/wrangler.jsonc", wrangler_values(release, deployment)
            ),
            "site.json": orjson.dumps(worker_data(release, len(tables)), option=JSON_OPTIONS),
            "worker.js": read_program("cloudflare/worker.js"),
            "rules.js": read_program("rules.js"),
            **{
                f"{ASSETS_FOLDER}/tables/{number}.json": table
                for number, table in enumerate(tables)
            },
            **{
                f"{ASSETS_FOLDER}/files/{file}": release.public / file
                for entry in release.documents
                for file in entry.files
            },
        }


def wrangler_values(release: ServedRelease, deployment: Deployment) -> dict[str, Any]:
    """Return what the configuration of `wrangler` needs."""
    address, _, port = deployment.listen.rpartition(":")
    host = site_host(release)
    return {
        # At most 63 letters, digits and hyphens.
        "name": re.sub(r"[^a-z0-9]+", "-", host.lower()).strip("-")[:63],
        # Sites of one account would share a budget under one number.
        "namespace": crc32(release.root.encode()),
        "budget": BUDGET,
        "host": host,
        "is_https": release.root.startswith("https://"),
        "address": address.strip("[]"),
        "port": port,
    }


def site_host(release: ServedRelease) -> str:
    return urlsplit(release.root).hostname or ""


def worker_data(release: ServedRelease, number_of_tables: int) -> dict[str, Any]:
    """Return the data of the whole site for the worker."""
    return {
        "root": release.root,
        "host": site_host(release),
        "description": addresses.OPENAPI,
        "base": addresses.API,
        "health": addresses.HEALTH,
        "tables": number_of_tables,
        "policies": [dict(policy) for policy in list_policies(release, HEADERS_IN_ROWS)],
        "bodyHeaders": BODY_HEADERS,
        "negotiated": VARY_NEGOTIATED,
        "moved": responses.moved_headers(release, SITE_SCOPE),
        "preflight": responses.options_headers(release, SITE_SCOPE),
        "announced": responses.lifecycle_headers_of(release),
        "notAcceptable": {
            scope: {
                "headers": responses.not_acceptable_headers(release, scope),
                "body": responses.not_acceptable_text(
                    release, scope, "/{page}", "/{mirror}"
                ).decode(),
            }
            for scope in (SITE_SCOPE, VIETNAMESE_SCOPE)
        },
        "errors": {
            scope: {
                str(status): worker_error(release, scope, status)
                for status in responses.ERROR_STATUSES
            }
            for scope in (API_SCOPE, SITE_SCOPE, VIETNAMESE_SCOPE)
        },
    }


def worker_error(release: ServedRelease, scope: str, status: int) -> dict[str, Any]:
    error = release.error(scope, status)
    return {
        "headers": responses.shared_error_headers(error),
        "body": release.bodies[error.scope, status].decode(),
        "announced": responses.is_announced(error),
    }
