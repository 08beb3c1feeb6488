"""A host that cannot read a file answers with the site's 500, which is not cached."""

from pathlib import Path

import pytest

from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite

pytestmark = [pytest.mark.server, pytest.mark.exhaustive("spoils files of two hosts")]

COPY_FOLDERS = ("assets/files", "public")
"""The folders in which hosts have copies of the files."""


@pytest.mark.parametrize("host", ["nginx", "cloudflare"])
def test_an_unreadable_file_is_the_sites_500(
    host: str, retired_site: FrozenSite, tmp_path: Path
) -> None:
    release = servers.copy_release(retired_site.release, tmp_path)

    def spoil(folder: Path) -> None:
        for name in ("about.html", "api/v1/team.json"):
            file = release.public / name
            file.unlink()
            # A link to itself cannot be opened, but not because there is “no such file”.
            file.symlink_to(file)
            for copies in COPY_FOLDERS:
                (folder / copies / name).unlink(missing_ok=True)

    (tmp_path / "host").mkdir()
    with servers.serve_host(host, release, tmp_path / "host", spoil) as server:
        answers = {
            SITE_SCOPE: server.ask("/about"),
            API_SCOPE: server.ask("/api/v1/team"),
        }

    for scope, answer in answers.items():
        expected = release.errors_by_status[scope, 500].headers
        assert (answer.status, answer.body) == (500, release.bodies[scope, 500])
        assert {name: answer.headers.get(name.lower()) for name in expected} == dict(expected)
        assert answer.headers["cache-control"] == "no-store"
        assert not {"etag", "last-modified"} & answer.headers.keys()
