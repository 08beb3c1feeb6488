"""Real hosts answer all requests as the manifest promises, except for missing capabilities."""

from pathlib import Path

import pytest

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.parity import Parity
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS

pytestmark = pytest.mark.server

SPENDING = pytest.mark.exhaustive("spends the budget of hosts, which they count by the clock")
HOSTS = ("nginx", "cloudflare", "github-pages", "file-server")


def difference_lines(parity: Parity) -> list[str]:
    return [f"{check.request}: {check.fault}" for check in parity.differences]


@pytest.mark.parametrize(
    ("name", "site", "unasked"),
    [
        *((name, "retired_site", [Capability.RATE_LIMIT]) for name in HOSTS[:2]),
        *(pytest.param(name, "retired_site", [], marks=SPENDING) for name in HOSTS),
        *(
            pytest.param(name, "shipped_site", [Capability.REDIRECTS], marks=SPENDING)
            for name in HOSTS
        ),
    ],
)
def test_a_host_answers_as_promised(
    name: str,
    site: str,
    unasked: list[Capability],
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    frozen: FrozenSite = request.getfixturevalue(site)
    with servers.serve_host(name, frozen.release, tmp_path) as server:
        parity = server.parity(spend=Capability.RATE_LIMIT not in unasked)
    log = (tmp_path / "log").read_text() if name == "nginx" else ""

    assert difference_lines(parity) == []
    assert parity.unasked == unasked
    # A message about a client that has spent its budget would name its address.
    assert [client for client in CLIENTS if client in log] == []
    # The shipped content has too few documents to need all capabilities.
    assert parity.understated == [] or site == "shipped_site"


@SPENDING
def test_the_live_origin_answers_as_its_snapshot_promises(
    retired_site_over_http: FrozenSite, tmp_path: Path
) -> None:
    site = retired_site_over_http
    with servers.serve_live_origin(site.release, site.database, tmp_path) as server:
        parity = server.parity(spend=True)

    assert difference_lines(parity) == []
    assert parity.unasked == []
