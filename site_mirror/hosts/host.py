"""What a host is: files made of a release, and what it cannot do."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Protocol

from msgspec import Struct

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.folder import Files
from site_mirror.hosts.release import Release


class Place(Struct, frozen=True):
    """Where a host finds the release and its own files, and what it listens on."""

    release: PurePath
    configuration: PurePath
    listen: str = "127.0.0.1:8080"


class Host(Protocol):
    """One way to serve a release.

    `cannot` says why for each ability that the host has not; `adds` are headers, in lower case,
    that it sends beside the manifest's.
    """

    @property
    def name(self) -> str: ...

    @property
    def cannot(self) -> Mapping[Ability, str]: ...

    @property
    def adds(self) -> frozenset[str]: ...

    def files(self, release: Release, place: Place) -> Files:
        """What the host consists of, by file name. No file where none is needed."""
