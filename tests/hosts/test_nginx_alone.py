"""What nginx does beside answering: its log, and settings of a configuration around the site's."""

from pathlib import Path

import pytest

from api.contract import BUDGET
from site_mirror.hosts.wire import Request
from tests.hosts import servers
from tests.hosts.conftest import Frozen

pytestmark = pytest.mark.server

CLIENT = "127.9.9.9"


def test_a_client_that_is_refused_is_in_no_log(shipped: Frozen, tmp_path: Path) -> None:
    with (
        servers.serving("nginx", shipped.release, tmp_path) as server,
        server.wire as wire,
    ):
        health = Request("/api/v1/health")
        statuses = [wire.ask_as(CLIENT, health).status for _ in range(BUDGET.requests + 50)]

    assert 429 in statuses
    assert CLIENT not in (tmp_path / "log").read_text()


def test_nothing_is_compressed_beside_the_variants_of_the_manifest(
    shipped: Frozen, tmp_path: Path
) -> None:
    def compress(folder: Path) -> None:
        file = folder / "nginx.conf"
        around = "sendfile on; gzip on; gzip_types *; gzip_min_length 1;"
        file.write_text(file.read_text().replace("sendfile on;", around))

    with servers.serving("nginx", shipped.release, tmp_path, compress) as server:
        answers = [
            server.ask("/nothing", Accept_Encoding="gzip"),
            server.ask("/about", Accept_Encoding="identity, gzip;q=0.5"),
        ]

    assert [answer.status for answer in answers] == [404, 200]
    assert [answer.headers.get("content-encoding") for answer in answers] == [None, None]
