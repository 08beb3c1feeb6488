"""nginx: tables by address, one short list of rules, one location for each set of headers.

A request is looked up and sent on to an internal location, so that an address which is in no
table is unknown. Answers without a file come from `try_files`, which is after the counting of
requests; `return` would be before it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from api.contract import BUDGET
from api.headers import NO_STORE
from catalogue import addresses
from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Place
from site_mirror.hosts.nginx_maps import of_the_api, policies, tabled, tables
from site_mirror.hosts.nginx_text import (
    block,
    directive,
    header,
    headers,
    media_type,
    quoted,
    text,
)
from site_mirror.hosts.release import API, SITE, Release
from site_mirror.snapshot.layout import ERRORS, PUBLIC

PROGRAMS = ("rules.js", "nginx.js")
MODULES = "/usr/lib/nginx/modules"
NEEDED = ("ngx_http_js_module.so", "ngx_http_headers_more_filter_module.so")
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""Folders that nginx makes when it starts; in its own folder, anybody may start it."""
PARTS = {API: "api", SITE: "site"}
UNREADABLE = "400 414 494"
"""What nginx calls requests that it cannot read: broken, or with too long an address or header."""
FAULTS = "403 500 501 502 503 504"
NOWHERE = "try_files /~"
"""No file: the code that follows is the answer."""
UNCHANGED = 'more_set_input_headers "If-None-Match: *";'
"""What nginx itself answers with 304, without a length."""
CONDITIONS = '"If-Match" "If-Unmodified-Since" "If-None-Match" "If-Modified-Since" "Range"'

RULES = (
    ("$request_method = OPTIONS", "/~preflight"),
    ("$astray", "/~moved"),
    ("$writes", "/~refused"),
    ("$former", "/~moved"),
    ('$document = ""', "/~unknown"),
    ("$wanted = none", "/~unacceptable"),
    ("$condition = 412", "/~precondition"),
    ("$condition = 304", "/~unchanged/$policy/$variant"),
)
"""Each request is sent to where the first rule that fits says; the rest are documents."""


class Nginx:
    """nginx 1.22 or newer with two of its modules, as Debian packages them."""

    name = "nginx"
    cannot: Mapping[Ability, str] = {
        Ability.METHOD_CASE: "nginx answers 400 to a method in lower case before any rule is asked",
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> dict[str, bytes]:
        here = Path(__file__).parent
        return {
            "nginx.conf": text(*whole(release, place)),
            "tables.conf": text(*http(release, place)),
            "site.conf": text(*site(release, place)),
            "errors.conf": text(*errors(release, place)),
            **{name: (here / name).read_bytes() for name in PROGRAMS},
        }


def whole(release: Release, place: Place) -> Iterator[list[str]]:
    """A complete configuration; behind one of your own, include the other files."""
    yield [
        "# Serves one release. Generated from its manifest: generate it again, do not edit it.",
        *(directive("load_module", f"{MODULES}/{name}") for name in NEEDED),
        "worker_processes auto;",
        "pid nginx.pid;",
        "error_log stderr warn;",
        "events { worker_connections 1024; }",
    ]
    stranger = block(
        "server",
        [
            f"listen {place.listen} default_server;",
            *included(place, "errors"),
            "location / { try_files /~ =400; }",
        ],
    )
    ours = block("server", [f"listen {place.listen};", *included(place, "site")])
    yield block(
        "http",
        [
            "access_log off;",
            "server_tokens off;",
            "sendfile on;",
            "tcp_nopush on;",
            *(f"{name}_temp_path {name}-temp;" for name in TEMPORARY),
            *included(place, "tables"),
            *stranger,
            *ours,
        ],
    )


def included(place: Place, name: str) -> list[str]:
    return [directive("include", quoted(str(place.configuration / f"{name}.conf")))]


def http(release: Release, place: Place) -> Iterator[list[str]]:
    """What belongs into nginx's `http` block: programs, tables, the budget."""
    yield [
        directive("js_path", quoted(str(place.configuration))),
        "js_import nginx.js;",
        "js_set $asked_representation nginx.representation;",
        "js_set $asked_coding nginx.coding;",
        "js_set $asked_condition nginx.condition;",
        "js_set $asked_destination nginx.destination;",
    ]
    yield from tables(release)
    yield [
        "map $former $destination {",
        "    default $former;",
        f'    "" {quoted(release.root, then="$asked_destination")};',
        "}",
    ]
    yield from of_the_version(release)
    yield [f"limit_req_zone $client zone=budget:10m rate={BUDGET.requests}r/m;"]


def of_the_version(release: Release) -> Iterator[list[str]]:
    """The announced end of the version, on answers that the site and the API share."""
    for name, value in answers.lifecycle(release).items():
        yield of_the_api(f"announced_{name.lower()}", quoted(value), addresses.API)


def announcements(release: Release) -> list[str]:
    return [header(name, f"$announced_{name.lower()}") for name in answers.lifecycle(release)]


def site(release: Release, place: Place) -> Iterator[list[str]]:
    """What belongs into the `server` block of the site."""
    yield [
        directive("server_name", urlsplit(release.root).hostname or '""'),
        directive("root", quoted(str(place.release / PUBLIC))),
        f"limit_req zone=budget burst={BUDGET.requests - 1} nodelay;",
        "limit_req_status 429;",
        # A refusal names the client, and the levels of error logs leave this one out.
        "limit_req_log_level info;",
    ]
    yield included(place, "errors")
    sent = [f"if ({test}) {{ rewrite ^ {where} last; }}" for test, where in RULES]
    yield block("location /", [*sent, "rewrite ^ /~document/$policy/$variant last;"])
    yield internal("= /~moved", [f"{NOWHERE} =308;"])
    yield internal("= /~refused", [f"{NOWHERE} =405;"])
    yield internal("= /~unknown", [f"{NOWHERE} =404;"])
    yield internal("= /~precondition", [f"{NOWHERE} =412;"])
    yield internal("= /~preflight", preflight(release))
    yield internal("= /~unacceptable", unacceptable(release))
    yield from documents(release, place)


def internal(where: str, lines: list[str]) -> list[str]:
    return block(f"location {where}", ["internal;", *lines])


def preflight(release: Release) -> list[str]:
    values = answers.preflight(release, SITE)
    return [*headers(values), *announcements(release), f"{NOWHERE} =204;"]


def unacceptable(release: Release) -> list[str]:
    """The 406: the one text that names the page which was asked for."""
    values = dict(answers.not_acceptable_headers(release))
    kind = values.pop("Content-Type")
    body = answers.not_acceptable(release, "$page", "$mirror_address").decode()
    sentence = quoted(body).replace("${dollar}page", "$page")
    sentence = sentence.replace("${dollar}mirror_address", "$mirror_address")
    return [*media_type(kind), *headers(values), f"return 406 {sentence};"]


def documents(release: Release, place: Place) -> Iterator[list[str]]:
    """For each set of headers a location of its files, and one of their 304."""
    files = directive("alias", quoted(f"{place.release / PUBLIC}/"))
    forgotten = f"more_clear_input_headers {CONDITIONS};"
    for shared, number in policies(release).items():
        values = dict(shared)
        unchanged = answers.not_modified(values)
        kind = values.pop("Content-Type")
        coding = header("Content-Encoding", "$coding")
        whole = [files, *media_type(kind), forgotten, *representation(values), coding]
        yield internal(f"^~ /~document/{number}/", whole)
        same = [files, forgotten, UNCHANGED, *representation(unchanged)]
        yield internal(f"^~ /~unchanged/{number}/", same)


def representation(shared: Mapping[str, str]) -> list[str]:
    """The headers of a document, those that it shares and those of its own."""
    return [*headers(shared), *tabled(), header("Content-Location", "$content_location")]


def errors(release: Release, place: Place) -> Iterator[list[str]]:
    """What belongs into every `server` block: the bodies of errors."""
    yield [
        # Of a configuration of one's own, which may compress: the manifest has every coding.
        "gzip off;",
        "merge_slashes off;",
        "etag off;",
        "if_modified_since off;",
        "max_ranges 0;",
        "error_page 308 /~moved-on;",
        f"error_page {UNREADABLE} =400 /~error/$part/400;",
        "error_page 404 /~error/$part/404;",
        "error_page 405 413 =405 /~error/$part/405;",
        "error_page 412 /~error/$part/412;",
        "error_page 429 /~error/$part/429;",
        f"error_page {FAULTS} =500 /~error/$part/500;",
    ]
    yield internal("= /~moved-on", [*empty(), *moved_on(release)])
    for scope, part in PARTS.items():
        for status in answers.STATUSES:
            where = f"= /~error/{part}/{status}"
            yield internal(where, refusal(release, place, scope, status))


def empty() -> list[str]:
    """A body of no bytes; the status is that of the error that led here."""
    return ["types {}", 'default_type "";', 'return 200 "";']


def moved_on(release: Release) -> list[str]:
    values = answers.moved(release, SITE, "")
    del values["Location"], values["Content-Length"]
    location = header("Location", "$destination")
    return [*headers(values), *announcements(release), location]


def refusal(release: Release, place: Place, scope: str, status: int) -> list[str]:
    """An error's text and headers; none but the headers where the manifest has no text."""
    known = release.known(scope, status)
    error = known or release.error(scope, 404)
    values = answers.unannounced(error.headers)
    del values["Content-Length"]
    kind = values.pop("Content-Type")
    if known is None:
        return [*empty(), *headers({**values, **NO_STORE})]
    file = directive("alias", quoted(str(place.release / ERRORS / error.file)))
    announced = announcements(release) if answers.is_announced(known) else []
    return [file, *media_type(kind), *headers(values), *announced]
