"""Netlify: files as they are, and before them an edge function that decides by the request.

What Netlify serves without the function is right but for what depends on a request's headers:
`_headers` and `_redirects` name every address, and no rule stands for one that is not there.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.cloudflare import site
from site_mirror.hosts.cloudflare_tables import tables
from site_mirror.hosts.folder import Files
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import API, SITE, Release
from site_mirror.snapshot.entries import Entry, ErrorBody

PUBLIC, FUNCTION, PARTS = "public", "netlify/edge-functions/answer.js", "netlify/site"
OF_NETLIFY = (
    *("Accept-Ranges", "Age", "Allow", "Alt-Svc", "Connection", "Content-Encoding"),
    *("Content-Length", "Content-Range", "Date", "Location", "Server", "Set-Cookie", "Trailer"),
    *("Transfer-Encoding", "Upgrade", "ETag", "Last-Modified"),
)
"""Names that `_headers` cannot set (Netlify Docs, “Custom headers”), and its own validators'."""

FOUND = ("{}", "{}.html", "{}/index.html", "{}index.html")
"""Files that Netlify looks for at an address without being told."""

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
    """`netlify deploy` uploads the folder."""

    name = "netlify"
    cannot: Mapping[Ability, str] = {
        Ability.VARIANTS: "it compresses by itself, and lets no function choose",
        Ability.WRONG_HOST: "its previews of a release answer under names of its own",
        Ability.TRACE: "its functions cannot be asked so",
        Ability.METHOD_CASE: "its functions are asked in capital letters",
        Ability.UPWARD_PATHS: "dots in a path are resolved before it looks for anything",
        Ability.RATE_LIMIT: "its limits answer with a page of its own",
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

    def files(self, release: Release, place: Place) -> Files:
        return {"netlify.toml": PROJECT.encode(), **program(release), **published(release)}


def program(release: Release) -> Files:
    here = Path(__file__).parent
    found = tables(release)
    worker = (here / "worker.js").read_bytes()
    return {
        FUNCTION: (here / "netlify.js").read_bytes(),
        f"{PARTS}/worker.js": worker.replace(b"./site.json", b"./site.js"),
        f"{PARTS}/rules.js": (here / "rules.js").read_bytes(),
        f"{PARTS}/site.js": exported(site(release, len(found))),
        f"{PARTS}/tables.js": exported([table.decode() for table in found]),
    }


def exported(value: object) -> bytes:
    return b"export default " + orjson.dumps(value, option=orjson.OPT_INDENT_2) + b";\n"


def published(release: Release) -> Files:
    return {
        f"{PUBLIC}/_headers": text(headers(release)),
        f"{PUBLIC}/_redirects": text(redirects(release)),
        **{
            f"{PUBLIC}/errors/{one.file}": release.bodies[one.scope, 404]
            for one in missing(release)
        },
        **{f"{PUBLIC}/{entry.file}": release.public / entry.file for entry in release.documents},
    }


def missing(release: Release) -> list[ErrorBody]:
    """What is said where nothing is, below the API and elsewhere."""
    return [release.error(scope, 404) for scope in (API, SITE)]


def text(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def headers(release: Release) -> Iterator[str]:
    """Every address by its name: Netlify joins the values of rules that both fit."""
    for address, entry in release.by_address.items():
        yield address
        for name, value in entry.headers.items():
            if name not in OF_NETLIFY:
                yield f"  {name}: {value}"


def redirects(release: Release) -> Iterator[str]:
    """Former addresses, addresses whose file has another name, and at last what is nowhere."""
    for redirect in release.redirects:
        yield f"{redirect.address} {redirect.location} {redirect.status}!"
    for address, entry in release.by_address.items():
        if not is_found(address, entry):
            yield f"{address} /{entry.file} 200!"
    for error in missing(release):
        yield f"{error.scope}* /errors/{error.file} 404"


def is_found(address: str, entry: Entry) -> bool:
    return f"/{entry.file}" in [form.format(address) for form in FOUND]
