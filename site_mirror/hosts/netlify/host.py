"""Netlify: the files of the release, and an edge function that runs before them.

Without the function, responses are right except for those that depend on a request's headers:
`_headers` and `_redirects` have rules for all addresses.
"""

from collections.abc import Iterator, Mapping

import orjson

from site_mirror.hosts import reasons
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.cloudflare.host import worker_data
from site_mirror.hosts.cloudflare.tables import worker_tables
from site_mirror.hosts.folder import Files
from site_mirror.hosts.host import Deployment
from site_mirror.hosts.programs import read_program
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE, ServedRelease
from site_mirror.snapshot.entries import Entry, ErrorBody

PUBLISH_FOLDER, FUNCTION_FILE, FUNCTION_FOLDER = (
    "public",
    "netlify/edge-functions/answer.js",
    "netlify/site",
)
RESERVED_HEADERS = (
    *("Accept-Ranges", "Age", "Allow", "Alt-Svc", "Connection", "Content-Encoding"),
    *("Content-Length", "Content-Range", "Date", "Location", "Server", "Set-Cookie", "Trailer"),
    *("Transfer-Encoding", "Upgrade", "ETag", "Last-Modified"),
)
"""Headers that `_headers` cannot set (Netlify Docs, “Custom headers”), and Netlify's validators."""

FILE_FORMS = ("{}", "{}.html", "{}/index.html", "{}index.html")
"""Files that Netlify finds at an address without a rule."""

PROJECT = """\
# Serves one release. Generated from its manifest: generate it again, do not edit it.
[build]
publish = "public"

[build.processing]
skip_processing = true

[[edge_functions]]
path = "/*"
function = "answer"
"""


class Netlify:
    """Netlify with an edge function; `netlify deploy` uploads the folder."""

    name = "netlify"
    cannot: Mapping[Capability, str] = {
        Capability.VARIANTS: reasons.OWN_COMPRESSION,
        Capability.WRONG_HOST: "it also serves a release under names of its own, as a preview",
        Capability.RATE_LIMIT: "its limit of requests answers with an HTML page of its own",
    }
    adds = frozenset(
        {
            "cache-status",
            "netlify-vary",
            "x-nf-edge-functions",
            "x-nf-fetch-timing",
            "x-nf-invocation-metrics",
            "x-nf-request-id",
        }
    )

    def files(self, release: ServedRelease, deployment: Deployment) -> Files:
        return {
            "netlify.toml": PROJECT.encode(),
            **function_files(release),
            **published_files(release),
        }


def function_files(release: ServedRelease) -> Files:
    tables = worker_tables(release)
    worker = read_program("cloudflare/worker.js")
    return {
        FUNCTION_FILE: read_program("netlify/netlify.js"),
        f"{FUNCTION_FOLDER}/worker.js": worker.replace(b"./site.json", b"./site.js"),
        f"{FUNCTION_FOLDER}/rules.js": read_program("rules.js"),
        f"{FUNCTION_FOLDER}/site.js": export_default(worker_data(release, len(tables))),
        f"{FUNCTION_FOLDER}/tables.js": export_default([table.decode() for table in tables]),
    }


def export_default(value: object) -> bytes:
    return b"export default " + orjson.dumps(value, option=orjson.OPT_INDENT_2) + b";\n"


def published_files(release: ServedRelease) -> Files:
    return {
        f"{PUBLISH_FOLDER}/_headers": join_lines(header_rules(release)),
        f"{PUBLISH_FOLDER}/_redirects": join_lines(redirect_rules(release)),
        **{
            f"{PUBLISH_FOLDER}/errors/{one.file}": release.bodies[one.scope, 404]
            for one in not_found_errors(release)
        },
        **{
            f"{PUBLISH_FOLDER}/{entry.file}": release.public / entry.file
            for entry in release.documents
        },
    }


def not_found_errors(release: ServedRelease) -> list[ErrorBody]:
    """Return the 404 of the API and that of the site."""
    return [release.error(scope, 404) for scope in (API_SCOPE, SITE_SCOPE)]


def join_lines(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def header_rules(release: ServedRelease) -> Iterator[str]:
    """Yield a rule for each address, because Netlify joins the values of matching rules."""
    for address, entry in release.by_address.items():
        yield address
        for name, value in entry.headers.items():
            if name not in RESERVED_HEADERS:
                yield f"  {name}: {value}"


def redirect_rules(release: ServedRelease) -> Iterator[str]:
    """Yield rules for former addresses, files with other names, and unknown addresses."""
    for redirect in release.redirects:
        yield f"{redirect.address} {redirect.location} {redirect.status}!"
    for address, entry in release.by_address.items():
        if not finds_file(address, entry):
            yield f"{address} /{entry.file} 200!"
    for error in not_found_errors(release):
        yield f"{error.scope}* /errors/{error.file} 404"


def finds_file(address: str, entry: Entry) -> bool:
    return f"/{entry.file}" in [form.format(address) for form in FILE_FORMS]
