"""A bucket that answers as a website serves documents, redirects and errors as declared."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from site_mirror.bucket import items
from site_mirror.bucket.errors import BucketFailed, NotAsSent
from site_mirror.bucket.publishing import publish
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.parity import Parity
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import Verification
from site_mirror.hosts.wire import Answer, Request, Wire
from tests.buckets.servers import KEYS, Storage, nowhere, storage
from tests.hosts.conftest import Frozen
from tests.hosts.servers import CLIENTS

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def website(retired: Frozen, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with (
        pytest.MonkeyPatch.context() as environment,
        storage(tmp_path_factory.mktemp("website")) as server,
    ):
        for name, value in KEYS.items():
            environment.setenv(name, value)
        publish(retired.release, server.bucket, website=True)
        yield server


@pytest.fixture(scope="module")
def parity(website: Storage, retired: Frozen) -> Parity:
    with Wire(website.site, CLIENTS) as wire:
        return Verification(retired.release, HOSTS["bucket"], spend=True).run(wire)


def asked(website: Storage, address: str, method: str = "GET") -> Answer:
    with Wire(website.site) as wire:
        return wire.ask(Request(address, method))


def test_a_website_answers_as_it_is_declared_to(parity: Parity) -> None:
    assert [f"{check.request}: {check.fault}" for check in parity.differences] == []
    assert parity.understated == []


def test_whatever_a_website_may_be_able_to_do_is_asked_for(parity: Parity) -> None:
    assert parity.unasked == []


@pytest.mark.parametrize(
    "ability",
    [Ability.FILES, Ability.ADDRESSES, Ability.ALIASES, Ability.MEDIA_TYPES, Ability.HEAD],
)
def test_what_a_bucket_is_for_is_held_against_it(ability: Ability, parity: Parity) -> None:
    assert parity.checked[ability] > 20


def test_every_former_address_leads_on(website: Storage, retired: Frozen) -> None:
    redirects = retired.release.redirects
    found = [asked(website, redirect.address) for redirect in redirects]

    assert [(answer.status, answer.headers["location"]) for answer in found] == [
        (301, redirect.location) for redirect in redirects
    ]
    assert found != []


@pytest.mark.parametrize("address", ["/nothing-here", "/apps/an-app~", "/api/v1/nothing", "/blog/"])
def test_an_unknown_address_is_the_markdown_of_the_site(
    address: str, website: Storage, retired: Frozen
) -> None:
    answer = asked(website, address)

    assert (answer.status, answer.body) == (404, retired.release.bodies["/", 404])
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert asked(website, address, "HEAD").status == 404


def test_without_a_website_former_addresses_are_left_out_and_told(
    bucket_server: Storage, retired: Frozen
) -> None:
    done = publish(retired.release, bucket_server.bucket)

    assert set(done.left_out) == {redirect.address for redirect in retired.release.redirects}
    assert bucket_server.keys().isdisjoint({"apps/an-app", items.NOT_FOUND})


def test_a_place_that_moves_is_sent_again(bucket_server: Storage, retired: Frozen) -> None:
    release = retired.release
    publish(release, bucket_server.bucket, website=True)
    first = replace(release.redirects[0], location="https://studio.example/elsewhere")
    moved = replace(release, redirects=(first, *release.redirects[1:]))
    done = publish(moved, bucket_server.bucket, website=True)
    key = first.address.removeprefix("/")

    assert done.uploaded == (key,)
    assert bucket_server.bucket.location(key) == first.location


def test_a_redirect_that_did_not_arrive_is_told(
    bucket_server: Storage, retired: Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.bucket.door.LOCATION", "x-ignored")

    with pytest.raises(NotAsSent, match=r"does not lead to https://studio\.example/"):
        publish(retired.release, bucket_server.bucket, website=True)


def test_a_redirect_that_is_refused_is_told(bucket_server: Storage, retired: Frozen) -> None:
    bucket_server.way.fails = lambda method, path: method == "PUT" and path.endswith("/an-app")
    with pytest.raises(BucketFailed, match=r"Writing \S+/an-app failed: the bucket answered 400"):
        publish(retired.release, bucket_server.bucket, website=True)
    bucket_server.way.fails = nowhere

    assert publish(retired.release, bucket_server.bucket, website=True).changed


def test_headers_without_room_are_told(bucket_server: Storage, retired: Frozen) -> None:
    about = retired.release.by_address["/about"]
    wordy = replace(about, headers={**about.headers, "X-Long": "x" * 2048, "X-Name": "ă"})
    others = tuple(entry for entry in retired.release.documents if entry is not about)
    done = publish(replace(retired.release, documents=(wordy, *others)), bucket_server.bucket)

    assert done.dropped == {"about": ("x-long", "x-name")}
