"""Any server that hands out a folder, such as `python -m http.server`."""

from collections.abc import Mapping

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import Release

CONFIGURED = "nothing is configured: a file is found by its path, and by nothing else"


class FileServer:
    """A folder over HTTP, the least that a host can be."""

    name = "file-server"
    cannot: Mapping[Ability, str] = {}
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> dict[str, bytes]:
        return {}
