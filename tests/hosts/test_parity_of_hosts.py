"""Real hosts answer all requests as the manifest promises, except for missing capabilities."""

from pathlib import Path

import pytest

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.parity import Parity
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite

pytestmark = pytest.mark.server

BUDGET = pytest.mark.exhaustive("spends the budget of four hosts, which they count by the clock")


def difference_lines(parity: Parity) -> list[str]:
    return [f"{check.request}: {check.fault}" for check in parity.differences]


@pytest.mark.parametrize("name", ["nginx", "cloudflare"])
def test_a_host_answers_as_promised_within_the_budget(
    name: str, retired_site: FrozenSite, tmp_path: Path
) -> None:
    with servers.serve_host(name, retired_site.release, tmp_path) as server:
        parity = server.parity()

    assert difference_lines(parity) == []
    assert parity.unasked == [Capability.RATE_LIMIT]
    assert parity.understated == []


@BUDGET
@pytest.mark.parametrize("name", ["nginx", "cloudflare", "github-pages", "file-server"])
@pytest.mark.parametrize(
    ("site", "unasked"), [("shipped_site", [Capability.REDIRECTS]), ("retired_site", [])]
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
        parity = server.parity(spend=True)

    assert difference_lines(parity) == []
    assert parity.unasked == unasked
    # The shipped content has too few documents to need all capabilities.
    if site == "retired_site":
        assert parity.understated == []


@BUDGET
def test_the_live_origin_answers_as_its_snapshot_promises(
    retired_site_over_http: FrozenSite, tmp_path: Path
) -> None:
    site = retired_site_over_http
    with servers.serve_live_origin(site.release, site.database, tmp_path) as server:
        parity = server.parity(spend=True)

    assert difference_lines(parity) == []
    assert parity.unasked == []
