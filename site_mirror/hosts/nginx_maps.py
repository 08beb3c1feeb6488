"""What nginx looks up: a table for each thing that an answer needs, by address or by file.

nginx finds a value in a table whatever its case; `document` asks again where case matters.
"""

import re
from collections.abc import Iterator
from itertools import chain

from catalogue import addresses
from site_mirror.headers import VARY_NEGOTIATED
from site_mirror.hosts.nginx_text import block, directive, header, mapping, quoted
from site_mirror.hosts.release import API, Release
from site_mirror.snapshot.entries import Entry

IN_TABLES = ("ETag", "Last-Modified", "Link", "Vary", "Content-Length")
"""Headers that each document has a value of its own for; nginx itself sends the length."""

OWN = {"Last-Modified": "last_modified", "Link": "link", "Vary": "own_vary"}

ROOM = 192
"""Bytes of a table's slot beside its key."""


def policy(entry: Entry) -> tuple[tuple[str, str], ...]:
    """The headers that an entry shares with others."""
    return tuple(item for item in entry.headers.items() if item[0] not in IN_TABLES)


def policies(release: Release) -> dict[tuple[tuple[str, str], ...], str]:
    """Every set of shared headers, and its number."""
    found = dict.fromkeys(policy(entry) for entry in release.documents)
    return {headers: str(number) for number, headers in enumerate(found, start=1)}


def tables(release: Release) -> Iterator[list[str]]:
    """All tables, for nginx's `http` block."""
    yield sizes(release)
    yield ['geo $dollar { default "$"; }']
    yield from of_a_request()
    yield from of_addresses(release)
    yield from of_documents(release)
    yield from of_variants(release)


def sizes(release: Release) -> list[str]:
    """Room for the tables: slots for every row, each as long as the longest key."""
    longest = max(
        map(len, chain(release.by_address, *(entry.files for entry in release.documents)))
    )
    rows = sum(len(entry.files) + len(entry.aliases) for entry in release.documents)
    return [
        directive("map_hash_bucket_size", str(power_of_two(longest + ROOM))),
        directive("map_hash_max_size", str(power_of_two(2 * rows))),
    ]


def power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


def of_a_request() -> Iterator[list[str]]:
    api, index = API.rstrip("/"), addresses.VERSION_INDEX.pattern
    description = re.escape(addresses.OPENAPI)
    yield ["map $request_uri $path {", '    "~^(?<asked>[^?]*)" $asked;', "}"]
    yield [
        "# Errors before there is an address go by the request line.",
        "map $request $part {",
        "    default site;",
        f'    "~^[^ ]+ (?:[a-z]+://[^/ ]*)?(?:{api}[/? ]|{description}[? ])" api;',
        "}",
    ]
    yield [
        "map $path $astray {",
        '    default "";',
        '    "~*%2f" "";',
        f'    "~^{index}$" "";',
        '    "~//" 1;',
        '    "~./$" 1;',
        "}",
    ]
    yield [
        "# Paths that nginx would resolve or decode to those of others, and that name nothing.",
        "map $path $dotted {",
        '    default "";',
        '    "~*(?:^|/)(?:\\.|%2e){1,2}(?:/|$)" 1;',
        '    "~*%2f" 1;',
        "}",
    ]
    yield ["map $request_method $writes { default 1; GET 0; HEAD 0; OPTIONS 0; }"]
    yield from of_conditions()
    yield [
        "# A client is an IPv4 address, also one written as IPv6, or an IPv6 /64.",
        "map $binary_remote_addr $network {",
        "    default $binary_remote_addr;",
        '    "~(?s)^\\x00{10}\\xff\\xff(?<mapped>.{4})$" $mapped;',
        '    "~(?s)^(?<prefix>.{8}).{8}$" $prefix;',
        "}",
    ]
    yield [
        "# Only the API has a budget, and OPTIONS does not draw on it.",
        *of_the_api("counted", "$network"),
        'map $request_method $client { default $counted; OPTIONS ""; }',
    ]


def of_conditions() -> Iterator[list[str]]:
    asked = ("if_match", "if_unmodified_since", "if_none_match", "if_modified_since")
    source = "".join(f"$http_{name}" for name in asked)
    yield [f'map "{source}" $conditional {{ default 1; "" ""; }}']
    yield ['map $conditional $condition { default $asked_condition; "" ""; }']


def of_the_api(variable: str, value: str, base: str = API.rstrip("/")) -> list[str]:
    """A value below a base address and at the API's description, nothing elsewhere."""
    patterns = (f"~^{base}(?:/|$)", f"~^{re.escape(addresses.OPENAPI)}$")
    rows = [directive(f'"{pattern}"', value) for pattern in patterns]
    return block(f"map $path ${variable}", ['default "";', *rows])


def of_addresses(release: Release) -> Iterator[list[str]]:
    files = {address: entry.file for address, entry in release.by_address.items()}
    yield mapping("$uri", "listed", files)
    exactly = [
        directive(f'"~^{re.escape(address)}$"', quoted(file))
        for address, file in files.items()
        if address != address.lower()
    ]
    rows = [directive("default", "$listed"), *exactly, '"~[A-Z]" "";']
    yield block("map $uri $cased", rows)
    yield ['map $dotted $document { default ""; "" $cased; }']
    former = {redirect.address: redirect.location for redirect in release.redirects}
    yield mapping("$uri", "listed_former", former)
    yield ['map $dotted $former { default ""; "" $listed_former; }']


def of_documents(release: Release) -> Iterator[list[str]]:
    entries = release.documents
    mirrors = {release.by_address[page].file: mirror for page, mirror in release.mirrors.items()}
    yield mapping("$document", "mirror", {page: entry.file for page, entry in mirrors.items()})
    yield mapping("$document", "page", {release.by_address[p].file: p for p in release.mirrors})
    yield mapping(
        "$document", "mirror_address", {page: entry.address for page, entry in mirrors.items()}
    )
    yield ["map $http_accept $preferred {", *quick_answers(), "}"]
    yield ['map $mirror $wanted { default $preferred; "" html; }']
    yield ['map $wanted $file { html $document; markdown $mirror; none ""; }']
    yield ['map $wanted $content_location { default ""; markdown $mirror_address; }']
    numbers = policies(release)
    yield mapping("$file", "policy", {entry.file: numbers[policy(entry)] for entry in entries})
    yield ['map $content_location $vary { default $negotiated_vary; "" $own_vary; }']
    yield [f'map "" $negotiated_vary {{ default "{VARY_NEGOTIATED["Vary"]}"; }}']
    for name, variable in OWN.items():
        found = {entry.file: entry.headers[name] for entry in entries if name in entry.headers}
        yield mapping("$file", variable, found)


def quick_answers() -> Iterator[str]:
    """What most requests accept, decided without a program."""
    yield "    default $asked_representation;"
    for accept, wanted in (("", "html"), ("*/*", "html"), ("text/markdown", "markdown")):
        yield f'    "{accept}" {wanted};'


def of_variants(release: Release) -> Iterator[list[str]]:
    """The codings of a file, and of each coded file its name and its validator."""
    coded = [(entry, coding) for entry in release.documents for coding in entry.encodings]
    offered = {
        entry.file: " ".join(coding.encoding for coding in entry.encodings) for entry, _ in coded
    }
    yield mapping("$file", "codings", offered)
    yield ['map $http_accept_encoding $coding_by_header { default $asked_coding; "" ""; }']
    yield ['map $codings $coding { default $coding_by_header; "" ""; }']
    names = {f"{coding.encoding} {entry.file}": coding.file for entry, coding in coded}
    yield mapping('"$coding $file"', "variant", names, default="$file")
    tags = {entry.file: entry.headers["ETag"] for entry in release.documents}
    tags |= {coding.file: coding.headers["ETag"] for _, coding in coded}
    yield mapping("$variant", "etag", tags)


def tabled() -> list[str]:
    """The headers of which each document has its own, looked up."""
    return [header(name, f"${name.lower().replace('-', '_')}") for name in ("ETag", *OWN)]
