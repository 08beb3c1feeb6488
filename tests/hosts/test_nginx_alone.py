"""A directive of the configuration that includes the site's does not change its responses."""

from pathlib import Path

import pytest

from tests.hosts import servers
from tests.hosts.conftest import FrozenSite

pytestmark = pytest.mark.server


def test_nginx_sends_no_compressed_body_except_the_variants_of_the_manifest(
    shipped_site: FrozenSite, tmp_path: Path
) -> None:
    def compress(folder: Path) -> None:
        file = folder / "nginx.conf"
        directives = "sendfile on; gzip on; gzip_types *; gzip_min_length 1;"
        file.write_text(file.read_text().replace("sendfile on;", directives))

    with servers.serve_host("nginx", shipped_site.release, tmp_path, compress) as server:
        answers = [
            server.ask("/nothing", Accept_Encoding="gzip"),
            server.ask("/about", Accept_Encoding="identity, gzip;q=0.5"),
        ]

    assert [answer.status for answer in answers] == [404, 200]
    assert [answer.headers.get("content-encoding") for answer in answers] == [None, None]
