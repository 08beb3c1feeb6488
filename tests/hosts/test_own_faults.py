"""A host that cannot read a file says so as the site does, and shows nothing of itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts.release import API, SITE
from tests.hosts import servers
from tests.hosts.conftest import Frozen
from tests.hosts.servers import Server

pytestmark = pytest.mark.server

COPIES = ("assets/files", "public")
"""Where a host that uploads its files has them."""


def unreadable(file: Path) -> None:
    """A link to itself: whoever opens it gets an error that is not “no such file”."""
    file.unlink()
    file.symlink_to(file)


@pytest.fixture(scope="module", params=("nginx", "caddy", "cloudflare", "netlify"))
def broken(
    request: pytest.FixtureRequest, retired: Frozen, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("broken")
    own = servers.copied(retired.release, folder)

    def spoil(host: Path) -> None:
        for file in ("about.html", "api/v1/team.json"):
            unreadable(own.public / file)
            for folder in COPIES:
                (host / folder / file).unlink(missing_ok=True)

    (folder / "host").mkdir()
    with servers.serving(request.param, own, folder / "host", spoil) as server:
        yield server


@pytest.mark.parametrize(("address", "scope"), [("/about", SITE), ("/api/v1/team", API)])
def test_a_fault_of_the_host_is_the_sites_500(broken: Server, address: str, scope: str) -> None:
    answer = broken.ask(address)
    promised = broken.release.statuses[scope, 500].headers

    assert (answer.status, answer.body) == (500, broken.release.bodies[scope, 500])
    assert {name: answer.headers.get(name.lower()) for name in promised} == dict(promised)


@pytest.mark.parametrize("address", ["/about", "/api/v1/team"])
def test_a_fault_of_the_host_is_not_remembered_as_the_document(
    broken: Server, address: str
) -> None:
    answer = broken.ask(address)

    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers
    assert "last-modified" not in answer.headers
