"""Hosts: their files for a release, the capabilities that they lack, and what they share."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path, PurePath
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from msgspec import Struct

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.folder import Files
from site_mirror.hosts.release import ServedRelease
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.errors import FreezeError

HOSTS_FOLDER = Path(__file__).parent

Policy = tuple[tuple[str, str], ...]
"""Headers that documents share, which a configuration has only once."""


class Deployment(Struct, frozen=True):
    """The paths of the release and of the configuration on a host, and the address to listen on."""

    release: PurePath
    configuration: PurePath
    listen: str = "127.0.0.1:8080"


class UnsuitableRelease(FreezeError):
    """A release that a host cannot serve; the message has a sentence for each fault."""


class Host:
    """A program or a service that serves a release.

    `cannot` has a reason for each capability that the host lacks; `adds` are headers, in lower
    case, that it sends in addition to the manifest's.
    """

    name: str
    cannot: Mapping[Capability, str] = {}
    adds: frozenset[str] = frozenset()

    def files(self, release: ServedRelease, deployment: Deployment) -> Files:
        """Return the configuration by file name; empty if the host needs none.

        Raises `UnsuitableRelease`.
        """
        return {}


def policy_of(entry: Entry, own: Collection[str]) -> Policy:
    """Return the headers of a document except those with a value of its own."""
    return tuple(item for item in entry.headers.items() if item[0] not in own)


def list_policies(release: ServedRelease, own: Collection[str]) -> list[Policy]:
    return list(dict.fromkeys(policy_of(entry, own) for entry in release.documents))


def read_program(path: str) -> bytes:
    """Return a JavaScript file below `hosts/`, which is part of a configuration."""
    return (HOSTS_FOLDER / path).read_bytes()


def render_template(path: str, values: Mapping[str, Any]) -> bytes:
    """Fill a template below `hosts/`, which escapes values as the syntax of its host demands."""
    return TEMPLATES.get_template(f"{path}.jinja").render(values).encode()


TEMPLATES = Environment(
    loader=FileSystemLoader(HOSTS_FOLDER),
    autoescape=select_autoescape(["html.jinja"]),
    undefined=StrictUndefined,
    # Lines with tags or comments alone leave nothing behind, so a template looks like its result.
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
TEMPLATES.filters["pattern"] = re.escape
