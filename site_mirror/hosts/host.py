"""The interface of hosts: their files for a release, and the capabilities that they lack."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Protocol

from msgspec import Struct

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.folder import Files
from site_mirror.hosts.release import ServedRelease


class Deployment(Struct, frozen=True):
    """The paths of the release and of the configuration on a host, and the address to listen on."""

    release: PurePath
    configuration: PurePath
    listen: str = "127.0.0.1:8080"


class Host(Protocol):
    """A program or a service that serves a release.

    `cannot` has a reason for each capability that the host lacks; `adds` are headers, in lower
    case, that it sends in addition to the manifest's.
    """

    @property
    def name(self) -> str: ...

    @property
    def cannot(self) -> Mapping[Capability, str]: ...

    @property
    def adds(self) -> frozenset[str]: ...

    def files(self, release: ServedRelease, deployment: Deployment) -> Files:
        """Return the configuration by file name; empty if the host needs none."""
