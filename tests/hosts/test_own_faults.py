"""A host that cannot read a file answers with the site's 500."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import Server

pytestmark = [pytest.mark.server, pytest.mark.exhaustive("spoils files of two hosts")]

COPY_FOLDERS = ("assets/files", "public")
"""The folders in which hosts have copies of the files."""


def make_unreadable(file: Path) -> None:
    """Replace a file by a link to itself, so that opening it fails, but not with “no such file”."""
    file.unlink()
    file.symlink_to(file)


@pytest.fixture(scope="module", params=("nginx", "cloudflare"))
def faulty_host(
    request: pytest.FixtureRequest,
    retired_site: FrozenSite,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("broken")
    release = servers.copy_release(retired_site.release, folder)

    def spoil(host: Path) -> None:
        for file in ("about.html", "api/v1/team.json"):
            make_unreadable(release.public / file)
            for folder in COPY_FOLDERS:
                (host / folder / file).unlink(missing_ok=True)

    (folder / "host").mkdir()
    with servers.serve_host(request.param, release, folder / "host", spoil) as server:
        yield server


@pytest.mark.parametrize(
    ("address", "scope"), [("/about", SITE_SCOPE), ("/api/v1/team", API_SCOPE)]
)
def test_an_unreadable_file_is_the_sites_500(faulty_host: Server, address: str, scope: str) -> None:
    answer = faulty_host.ask(address)
    expected = faulty_host.release.errors_by_status[scope, 500].headers

    assert (answer.status, answer.body) == (500, faulty_host.release.bodies[scope, 500])
    assert {name: answer.headers.get(name.lower()) for name in expected} == dict(expected)


@pytest.mark.parametrize("address", ["/about", "/api/v1/team"])
def test_the_500_of_an_unreadable_file_is_not_cached(faulty_host: Server, address: str) -> None:
    answer = faulty_host.ask(address)

    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers
    assert "last-modified" not in answer.headers
