"""The log of nginx, and directives of the configuration that includes the site's."""

from pathlib import Path

import pytest

from api.contract import BUDGET
from site_mirror.hosts.http_client import HostRequest, HttpClient
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite

pytestmark = pytest.mark.server

CLIENT = "127.9.9.9"


@pytest.mark.exhaustive("spends a budget that nginx counts by the clock")
def test_nginx_does_not_log_the_address_of_a_refused_client(
    shipped_site: FrozenSite, tmp_path: Path
) -> None:
    with (
        servers.serve_host("nginx", shipped_site.release, tmp_path) as server,
        HttpClient(server.http.parts.geturl(), server.http.endpoint, clients=[CLIENT]) as http,
    ):
        health = HostRequest("/api/v1/health")
        statuses = [http.ask_once(health).status for _ in range(BUDGET.requests + 50)]

    assert 429 in statuses
    assert CLIENT not in (tmp_path / "log").read_text()


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
