"""Real hosts answer a whole release as its manifest promises, but for what they declare."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.parity import Parity
from tests.hosts import servers
from tests.hosts.conftest import Frozen

pytestmark = pytest.mark.server

CONFIGURED = ("nginx", "caddy", "cloudflare", "netlify")
EVERY = (*CONFIGURED, "github-pages", "file-server")
NOT_IN_THE_SHIPPED_CONTENT = [Ability.REDIRECTS]


@pytest.fixture(scope="module", params=EVERY)
def shipped_parity(
    request: pytest.FixtureRequest, shipped: Frozen, tmp_path_factory: pytest.TempPathFactory
) -> Parity:
    folder = tmp_path_factory.mktemp("host")
    with servers.serving(request.param, shipped.release, folder) as server:
        return server.parity(spend=True)


@pytest.fixture(scope="module", params=EVERY)
def retired_parity(
    request: pytest.FixtureRequest, retired: Frozen, tmp_path_factory: pytest.TempPathFactory
) -> Parity:
    folder = tmp_path_factory.mktemp("host")
    with servers.serving(request.param, retired.release, folder) as server:
        return server.parity(spend=True)


def told(parity: Parity) -> list[str]:
    return [f"{check.request}: {check.fault}" for check in parity.differences]


def test_a_host_answers_the_shipped_content_as_promised(shipped_parity: Parity) -> None:
    assert told(shipped_parity) == []


def test_nothing_of_the_shipped_content_is_left_out(shipped_parity: Parity) -> None:
    assert shipped_parity.unasked == NOT_IN_THE_SHIPPED_CONTENT


def test_a_host_answers_moved_and_retired_parts_as_promised(retired_parity: Parity) -> None:
    assert told(retired_parity) == []


def test_a_host_cannot_do_what_it_declares_so(retired_parity: Parity) -> None:
    assert retired_parity.understated == []


def test_whatever_a_host_may_be_able_to_do_is_asked_for(retired_parity: Parity) -> None:
    assert retired_parity.unasked == []


@pytest.fixture(scope="module")
def origin_parity(
    retired_over_http: Frozen, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Parity]:
    folder: Path = tmp_path_factory.mktemp("origin")
    frozen = retired_over_http
    with servers.origin(frozen.release, frozen.database, folder) as server:
        yield server.parity(spend=True)


def test_the_live_origin_answers_as_its_snapshot_promises(origin_parity: Parity) -> None:
    assert told(origin_parity) == []
    assert origin_parity.unasked == []
