"""The maps of nginx: values by address or by file.

nginx ignores the case of a source value; the map `$cased` then selects by case.
"""

import re
from collections.abc import Iterator
from itertools import chain

from catalogue import addresses
from site_mirror.documents.headers import VARY_NEGOTIATED
from site_mirror.hosts.host import Policy, list_policies, policy_of
from site_mirror.hosts.nginx.text import block_lines, directive, header_line, map_block, quote
from site_mirror.hosts.release import API_SCOPE, ServedRelease

HEADERS_IN_MAPS = ("ETag", "Last-Modified", "Link", "Vary", "Content-Length")
"""Headers of which each document has a value of its own; nginx itself sends the length."""

VARIABLE_OF_HEADER = {"Last-Modified": "last_modified", "Link": "link", "Vary": "own_vary"}

SLOT_BYTES_BESIDE_KEY = 192
"""Bytes of a slot of a hash table in addition to its key."""


def policy_numbers(release: ServedRelease) -> dict[Policy, str]:
    policies = list_policies(release, HEADERS_IN_MAPS)
    return {policy: str(number) for number, policy in enumerate(policies, start=1)}


def all_maps(release: ServedRelease) -> Iterator[list[str]]:
    """Yield all maps, for the `http` block."""
    yield hash_sizes(release)
    yield ['geo $dollar { default "$"; }']
    yield from request_maps()
    yield from address_maps(release)
    yield from document_maps(release)
    yield from variant_maps(release)


def hash_sizes(release: ServedRelease) -> list[str]:
    """Return the sizes of the hash tables: a slot for each row, with the longest key."""
    longest = max(
        map(len, chain(release.by_address, *(entry.files for entry in release.documents)))
    )
    rows = sum(len(entry.files) + len(entry.aliases) for entry in release.documents)
    return [
        directive("map_hash_bucket_size", str(power_of_two(longest + SLOT_BYTES_BESIDE_KEY))),
        directive("map_hash_max_size", str(power_of_two(2 * rows))),
    ]


def power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


def request_maps() -> Iterator[list[str]]:
    api, index = API_SCOPE.rstrip("/"), addresses.VERSION_INDEX.pattern
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
    yield from condition_maps()
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
        *api_map("counted", "$network"),
        'map $request_method $client { default $counted; OPTIONS ""; }',
    ]


def condition_maps() -> Iterator[list[str]]:
    names = ("if_match", "if_unmodified_since", "if_none_match", "if_modified_since")
    source = "".join(f"$http_{name}" for name in names)
    yield [f'map "{source}" $conditional {{ default 1; "" ""; }}']
    yield ['map $conditional $condition { default $asked_condition; "" ""; }']


def api_map(variable: str, value: str, base: str = API_SCOPE.rstrip("/")) -> list[str]:
    """Return a map with a value below a base address and at the OpenAPI document, else empty."""
    patterns = (f"~^{base}(?:/|$)", f"~^{re.escape(addresses.OPENAPI)}$")
    rows = [directive(f'"{pattern}"', value) for pattern in patterns]
    return block_lines(f"map $path ${variable}", ['default "";', *rows])


def address_maps(release: ServedRelease) -> Iterator[list[str]]:
    files = {address: entry.file for address, entry in release.by_address.items()}
    yield map_block("$uri", "listed", files)
    exactly = [
        directive(f'"~^{re.escape(address)}$"', quote(file))
        for address, file in files.items()
        if address != address.lower()
    ]
    rows = [directive("default", "$listed"), *exactly, '"~[A-Z]" "";']
    yield block_lines("map $uri $cased", rows)
    yield ['map $dotted $document { default ""; "" $cased; }']
    former = {redirect.address: redirect.location for redirect in release.redirects}
    yield map_block("$uri", "listed_former", former)
    yield ['map $dotted $former { default ""; "" $listed_former; }']


def document_maps(release: ServedRelease) -> Iterator[list[str]]:
    entries = release.documents
    mirrors = {release.by_address[page].file: mirror for page, mirror in release.mirrors.items()}
    yield map_block("$document", "mirror", {page: entry.file for page, entry in mirrors.items()})
    yield map_block("$document", "page", {release.by_address[p].file: p for p in release.mirrors})
    yield map_block(
        "$document", "mirror_address", {page: entry.address for page, entry in mirrors.items()}
    )
    yield ["map $http_accept $preferred {", *common_accept_rows(), "}"]
    yield ['map $mirror $wanted { default $preferred; "" html; }']
    yield ['map $wanted $file { html $document; markdown $mirror; none ""; }']
    yield ['map $wanted $content_location { default ""; markdown $mirror_address; }']
    numbers = policy_numbers(release)
    yield map_block(
        "$file",
        "policy",
        {entry.file: numbers[policy_of(entry, HEADERS_IN_MAPS)] for entry in entries},
    )
    yield ['map $content_location $vary { default $negotiated_vary; "" $own_vary; }']
    yield [f'map "" $negotiated_vary {{ default "{VARY_NEGOTIATED["Vary"]}"; }}']
    for name, variable in VARIABLE_OF_HEADER.items():
        values = {entry.file: entry.headers[name] for entry in entries if name in entry.headers}
        yield map_block("$file", variable, values)


def common_accept_rows() -> Iterator[str]:
    """Yield rows for the most frequent values of `Accept`, for which no program runs."""
    yield "    default $asked_representation;"
    for accept, representation in (("", "html"), ("*/*", "html"), ("text/markdown", "markdown")):
        yield f'    "{accept}" {representation};'


def variant_maps(release: ServedRelease) -> Iterator[list[str]]:
    """Yield maps of the codings of a file, and of the name and validator of each variant."""
    coded = [(entry, coding) for entry in release.documents for coding in entry.encodings]
    offered = {
        entry.file: " ".join(coding.encoding for coding in entry.encodings) for entry, _ in coded
    }
    yield map_block("$file", "codings", offered)
    yield ['map $http_accept_encoding $coding_by_header { default $asked_coding; "" ""; }']
    yield ['map $codings $coding { default $coding_by_header; "" ""; }']
    names = {f"{coding.encoding} {entry.file}": coding.file for entry, coding in coded}
    yield map_block('"$coding $file"', "variant", names, default="$file")
    tags = {entry.file: entry.headers["ETag"] for entry in release.documents}
    tags |= {coding.file: coding.headers["ETag"] for _, coding in coded}
    yield map_block("$variant", "etag", tags)


def own_header_lines() -> list[str]:
    """Return the headers of which each document has a value of its own."""
    return [
        header_line(name, f"${name.lower().replace('-', '_')}")
        for name in ("ETag", *VARIABLE_OF_HEADER)
    ]
