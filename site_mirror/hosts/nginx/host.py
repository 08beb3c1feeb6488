"""nginx: maps by address, a list of rules, and a location for each policy.

A request is looked up in the maps and rewritten to an internal location; an address that is in no
map is unknown. Responses without a file use `try_files`, because nginx counts requests before
`try_files` and after `return`.
"""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from api.contract import BUDGET
from api.headers import NO_STORE
from catalogue import addresses
from site_mirror.hosts import responses
from site_mirror.hosts.host import Deployment, Host, read_program
from site_mirror.hosts.nginx.maps import all_maps, api_map, own_header_lines, policy_numbers
from site_mirror.hosts.nginx.text import (
    block_lines,
    directive,
    header_line,
    header_lines,
    join_blocks,
    media_type_lines,
    quote,
)
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE, ServedRelease
from site_mirror.snapshot.layout import ERRORS, PUBLIC

MODULES_FOLDER = "/usr/lib/nginx/modules"
NEEDED_MODULES = ("ngx_http_js_module.so", "ngx_http_headers_more_filter_module.so")
TEMPORARY_FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""Folders that nginx creates when it starts: below its prefix, any user can start it."""
PART_OF_SCOPE = {API_SCOPE: "api", SITE_SCOPE: "site"}
UNREADABLE_STATUSES = "400 414 494"
"""nginx's statuses of requests that are malformed or have too long a line or header."""
FAULT_STATUSES = "403 500 501 502 503 504"
TRY_NO_FILE = "try_files /~"
"""A file that does not exist; the status that follows is that of the response."""
FORCE_NOT_MODIFIED = 'more_set_input_headers "If-None-Match: *";'
"""A condition that makes nginx itself send a 304, which then has no length."""
CONDITION_HEADERS = '"If-Match" "If-Unmodified-Since" "If-None-Match" "If-Modified-Since" "Range"'

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
"""Conditions and locations: the first condition that holds applies, else it is a document."""


class Nginx(Host):
    """nginx 1.22 or newer with two of its modules, as Debian packages them."""

    name = "nginx"

    def files(self, release: ServedRelease, deployment: Deployment) -> dict[str, bytes]:
        return {
            "nginx.conf": join_blocks(*complete_configuration(release, deployment)),
            "tables.conf": join_blocks(*http_configuration(release, deployment)),
            "site.conf": join_blocks(*site_configuration(release, deployment)),
            "errors.conf": join_blocks(*error_configuration(release, deployment)),
            "rules.js": read_program("rules.js"),
            "nginx.js": read_program("nginx/nginx.js"),
        }


def complete_configuration(release: ServedRelease, deployment: Deployment) -> Iterator[list[str]]:
    """Yield a complete configuration; one of your own includes the other files instead."""
    yield [
        "# Serves one release. Generated from its manifest: generate it again, do not edit it.",
        *(directive("load_module", f"{MODULES_FOLDER}/{name}") for name in NEEDED_MODULES),
        "worker_processes auto;",
        "pid nginx.pid;",
        "error_log stderr warn;",
        "events { worker_connections 1024; }",
    ]
    stranger = block_lines(
        "server",
        [
            f"listen {deployment.listen} default_server;",
            *include_lines(deployment, "errors"),
            "location / { try_files /~ =400; }",
        ],
    )
    ours = block_lines(
        "server", [f"listen {deployment.listen};", *include_lines(deployment, "site")]
    )
    yield block_lines(
        "http",
        [
            "access_log off;",
            "server_tokens off;",
            "sendfile on;",
            "tcp_nopush on;",
            *(f"{name}_temp_path {name}-temp;" for name in TEMPORARY_FOLDERS),
            *include_lines(deployment, "tables"),
            *stranger,
            *ours,
        ],
    )


def include_lines(deployment: Deployment, name: str) -> list[str]:
    return [directive("include", quote(str(deployment.configuration / f"{name}.conf")))]


def http_configuration(release: ServedRelease, deployment: Deployment) -> Iterator[list[str]]:
    """Yield the contents of the `http` block: programs, maps, the request budget."""
    yield [
        directive("js_path", quote(str(deployment.configuration))),
        "js_import nginx.js;",
        "js_set $asked_representation nginx.chooseRepresentation;",
        "js_set $asked_coding nginx.chooseCoding;",
        "js_set $asked_condition nginx.evaluateCondition;",
        "js_set $asked_destination nginx.canonicalTarget;",
    ]
    yield from all_maps(release)
    yield [
        "map $former $destination {",
        "    default $former;",
        f'    "" {quote(release.root, then="$asked_destination")};',
        "}",
    ]
    yield from announcement_maps(release)
    yield [f"limit_req_zone $client zone=budget:10m rate={BUDGET.requests}r/m;"]


def announcement_maps(release: ServedRelease) -> Iterator[list[str]]:
    """Yield maps of the lifecycle headers, for locations that the site and the API share."""
    for name, value in responses.lifecycle_headers_of(release).items():
        yield api_map(f"announced_{name.lower()}", quote(value), addresses.API)


def announcement_lines(release: ServedRelease) -> list[str]:
    return [
        header_line(name, f"$announced_{name.lower()}")
        for name in responses.lifecycle_headers_of(release)
    ]


def site_configuration(release: ServedRelease, deployment: Deployment) -> Iterator[list[str]]:
    """Yield the contents of the `server` block of the site."""
    yield [
        directive("server_name", urlsplit(release.root).hostname or '""'),
        directive("root", quote(str(deployment.release / PUBLIC))),
        f"limit_req zone=budget burst={BUDGET.requests - 1} nodelay;",
        "limit_req_status 429;",
        # The message names the client, so its level is below that of the error log.
        "limit_req_log_level info;",
    ]
    yield include_lines(deployment, "errors")
    rewrites = [f"if ({test}) {{ rewrite ^ {where} last; }}" for test, where in RULES]
    yield block_lines("location /", [*rewrites, "rewrite ^ /~document/$policy/$variant last;"])
    yield internal_location("= /~moved", [f"{TRY_NO_FILE} =308;"])
    yield internal_location("= /~refused", [f"{TRY_NO_FILE} =405;"])
    yield internal_location("= /~unknown", [f"{TRY_NO_FILE} =404;"])
    yield internal_location("= /~precondition", [f"{TRY_NO_FILE} =412;"])
    yield internal_location("= /~preflight", preflight_lines(release))
    yield internal_location("= /~unacceptable", not_acceptable_lines(release))
    yield from document_locations(release, deployment)


def internal_location(where: str, lines: list[str]) -> list[str]:
    return block_lines(f"location {where}", ["internal;", *lines])


def preflight_lines(release: ServedRelease) -> list[str]:
    values = responses.options_headers(release, SITE_SCOPE)
    return [*header_lines(values), *announcement_lines(release), f"{TRY_NO_FILE} =204;"]


def not_acceptable_lines(release: ServedRelease) -> list[str]:
    """Return the 406, whose text has the address of the page."""
    values = dict(responses.not_acceptable_headers(release))
    kind = values.pop("Content-Type")
    body = responses.not_acceptable_body(release, "$page", "$mirror_address").decode()
    sentence = quote(body).replace("${dollar}page", "$page")
    sentence = sentence.replace("${dollar}mirror_address", "$mirror_address")
    return [*media_type_lines(kind), *header_lines(values), f"return 406 {sentence};"]


def document_locations(release: ServedRelease, deployment: Deployment) -> Iterator[list[str]]:
    """Yield a location of the files of each policy, and one of their 304."""
    files = directive("alias", quote(f"{deployment.release / PUBLIC}/"))
    without_conditions = f"more_clear_input_headers {CONDITION_HEADERS};"
    for shared, number in policy_numbers(release).items():
        values = dict(shared)
        unchanged = responses.not_modified_headers(values)
        kind = values.pop("Content-Type")
        coding = header_line("Content-Encoding", "$coding")
        document = [
            files,
            *media_type_lines(kind),
            without_conditions,
            *representation_lines(values),
            coding,
        ]
        yield internal_location(f"^~ /~document/{number}/", document)
        not_modified = [
            files,
            without_conditions,
            FORCE_NOT_MODIFIED,
            *representation_lines(unchanged),
        ]
        yield internal_location(f"^~ /~unchanged/{number}/", not_modified)


def representation_lines(shared: Mapping[str, str]) -> list[str]:
    """Return the headers of a document, those of its policy and its own."""
    return [
        *header_lines(shared),
        *own_header_lines(),
        header_line("Content-Location", "$content_location"),
    ]


def error_configuration(release: ServedRelease, deployment: Deployment) -> Iterator[list[str]]:
    """Yield the contents of all `server` blocks: the errors."""
    yield [
        # A configuration of one's own may compress, but the manifest has all codings.
        "gzip off;",
        "merge_slashes off;",
        "etag off;",
        "if_modified_since off;",
        "max_ranges 0;",
        "error_page 308 /~moved-on;",
        f"error_page {UNREADABLE_STATUSES} =400 /~error/$part/400;",
        "error_page 404 /~error/$part/404;",
        "error_page 405 413 =405 /~error/$part/405;",
        "error_page 412 /~error/$part/412;",
        "error_page 429 /~error/$part/429;",
        f"error_page {FAULT_STATUSES} =500 /~error/$part/500;",
    ]
    yield internal_location("= /~moved-on", [*empty_body_lines(), *redirect_lines(release)])
    for scope, part in PART_OF_SCOPE.items():
        for status in responses.ERROR_STATUSES:
            where = f"= /~error/{part}/{status}"
            yield internal_location(where, error_lines(release, deployment, scope, status))


def empty_body_lines() -> list[str]:
    """Return an empty body; the status is that of the error that selected the location."""
    return ["types {}", 'default_type "";', 'return 200 "";']


def redirect_lines(release: ServedRelease) -> list[str]:
    values = responses.location_headers(release, SITE_SCOPE, "")
    del values["Location"], values["Content-Length"]
    location = header_line("Location", "$destination")
    return [*header_lines(values), *announcement_lines(release), location]


def error_lines(
    release: ServedRelease, deployment: Deployment, scope: str, status: int
) -> list[str]:
    """Return the text and the headers of an error; only headers if the manifest has no text."""
    own_error = release.find_error(scope, status)
    error = own_error or release.error(scope, 404)
    values = responses.without_announcement(error.headers)
    del values["Content-Length"]
    kind = values.pop("Content-Type")
    if own_error is None:
        return [*empty_body_lines(), *header_lines({**values, **NO_STORE})]
    file = directive("alias", quote(str(deployment.release / ERRORS / error.file)))
    announced = announcement_lines(release) if responses.is_announced(own_error) else []
    return [file, *media_type_lines(kind), *header_lines(values), *announced]
