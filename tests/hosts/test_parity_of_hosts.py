"""Real hosts answer all requests as the manifest promises, except for missing capabilities."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.parity import Parity
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite

pytestmark = pytest.mark.server

CONFIGURED_HOSTS = ("nginx", "cloudflare")
ALL_HOSTS = (*CONFIGURED_HOSTS, "github-pages", "file-server")
BUDGET = pytest.mark.exhaustive("spends the budget of four hosts, which they count by the clock")
MISSING_IN_SHIPPED_CONTENT = [Capability.REDIRECTS]


@pytest.mark.parametrize("name", ["nginx", "cloudflare"])
def test_a_host_answers_as_promised_within_the_budget(
    name: str, retired_site: FrozenSite, tmp_path: Path
) -> None:
    with servers.serve_host(name, retired_site.release, tmp_path) as server:
        parity = server.parity()

    assert difference_lines(parity) == []
    assert parity.unasked == [Capability.RATE_LIMIT]
    assert parity.understated == []


@pytest.fixture(scope="module", params=ALL_HOSTS)
def shipped_parity(
    request: pytest.FixtureRequest,
    shipped_site: FrozenSite,
    tmp_path_factory: pytest.TempPathFactory,
) -> Parity:
    folder = tmp_path_factory.mktemp("host")
    with servers.serve_host(request.param, shipped_site.release, folder) as server:
        return server.parity(spend=True)


@pytest.fixture(scope="module", params=ALL_HOSTS)
def retired_parity(
    request: pytest.FixtureRequest,
    retired_site: FrozenSite,
    tmp_path_factory: pytest.TempPathFactory,
) -> Parity:
    folder = tmp_path_factory.mktemp("host")
    with servers.serve_host(request.param, retired_site.release, folder) as server:
        return server.parity(spend=True)


def difference_lines(parity: Parity) -> list[str]:
    return [f"{check.request}: {check.fault}" for check in parity.differences]


@BUDGET
def test_a_host_answers_the_shipped_content_as_promised(shipped_parity: Parity) -> None:
    assert difference_lines(shipped_parity) == []


@BUDGET
def test_parity_needs_every_capability_for_the_shipped_content_but_redirects(
    shipped_parity: Parity,
) -> None:
    assert shipped_parity.unasked == MISSING_IN_SHIPPED_CONTENT


@BUDGET
def test_a_host_answers_for_the_retired_site_as_promised(retired_parity: Parity) -> None:
    assert difference_lines(retired_parity) == []


@BUDGET
def test_a_host_lacks_every_capability_that_it_declares_missing(retired_parity: Parity) -> None:
    assert retired_parity.understated == []


@BUDGET
def test_parity_needs_every_capability_for_the_retired_site(retired_parity: Parity) -> None:
    assert retired_parity.unasked == []


@pytest.fixture(scope="module")
def origin_parity(
    retired_site_over_http: FrozenSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Parity]:
    folder: Path = tmp_path_factory.mktemp("origin")
    site = retired_site_over_http
    with servers.serve_live_origin(site.release, site.database, folder) as server:
        yield server.parity(spend=True)


@BUDGET
def test_the_live_origin_answers_as_its_snapshot_promises(origin_parity: Parity) -> None:
    assert difference_lines(origin_parity) == []
    assert origin_parity.unasked == []
