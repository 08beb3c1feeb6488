"""A bucket with a website endpoint serves documents, redirects and errors as it declares."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from site_mirror.hosts.bucket import objects
from site_mirror.hosts.bucket.errors import BucketFailed, UploadDiffers
from site_mirror.hosts.bucket.publishing import publish_to_bucket
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.http_client import HostRequest, HostResponse, HttpClient
from site_mirror.hosts.parity import Parity
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import Verification
from tests.buckets.servers import KEYS, BucketServer, no_request, serve_bucket
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("parity with a website in a bucket: 17 uploads of a release"),
]


@pytest.fixture(scope="module")
def website(
    retired_site: FrozenSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BucketServer]:
    with (
        pytest.MonkeyPatch.context() as environment,
        serve_bucket(tmp_path_factory.mktemp("website")) as server,
    ):
        for name, value in KEYS.items():
            environment.setenv(name, value)
        publish_to_bucket(retired_site.release, server.bucket, website=True)
        yield server


@pytest.fixture(scope="module")
def parity(website: BucketServer, retired_site: FrozenSite) -> Parity:
    with HttpClient(website.website, CLIENTS) as http:
        return Verification(retired_site.release, HOSTS["bucket"], spend=True).run(http)


def ask_website(website: BucketServer, address: str, method: str = "GET") -> HostResponse:
    with HttpClient(website.website) as http:
        return http.ask(HostRequest(address, method))


def test_a_website_lacks_only_the_capabilities_that_it_declares_missing(parity: Parity) -> None:
    assert [f"{check.request}: {check.fault}" for check in parity.differences] == []
    assert parity.understated == []


def test_parity_with_a_website_needs_every_capability(parity: Parity) -> None:
    assert parity.unasked == []


@pytest.mark.parametrize(
    "capability",
    [
        Capability.FILES,
        Capability.ADDRESSES,
        Capability.ALIASES,
        Capability.MEDIA_TYPES,
        Capability.HEAD,
    ],
)
def test_parity_with_a_website_checks_a_capability_of_buckets(
    capability: Capability, parity: Parity
) -> None:
    assert parity.checked[capability] > 20


def test_every_former_address_redirects_on_a_website(
    website: BucketServer, retired_site: FrozenSite
) -> None:
    redirects = retired_site.release.redirects
    answers = [ask_website(website, redirect.address) for redirect in redirects]

    assert [(answer.status, answer.headers["location"]) for answer in answers] == [
        (301, redirect.location) for redirect in redirects
    ]
    assert answers != []


@pytest.mark.parametrize("address", ["/nothing-here", "/apps/an-app~", "/api/v1/nothing", "/blog/"])
def test_an_unknown_address_on_a_website_is_the_sites_404_in_markdown(
    address: str, website: BucketServer, retired_site: FrozenSite
) -> None:
    answer = ask_website(website, address)

    assert (answer.status, answer.body) == (404, retired_site.release.bodies["/", 404])
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert ask_website(website, address, "HEAD").status == 404


def test_publication_without_a_website_leaves_former_addresses_out(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    done = publish_to_bucket(retired_site.release, bucket_server.bucket)

    assert set(done.left_out) == {redirect.address for redirect in retired_site.release.redirects}
    assert bucket_server.keys().isdisjoint({"apps/an-app", objects.NOT_FOUND_KEY})


def test_a_redirect_with_a_new_target_is_uploaded_again(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    release = retired_site.release
    publish_to_bucket(release, bucket_server.bucket, website=True)
    first = replace(release.redirects[0], location="https://studio.example/elsewhere")
    moved = replace(release, redirects=(first, *release.redirects[1:]))
    done = publish_to_bucket(moved, bucket_server.bucket, website=True)
    key = first.address.removeprefix("/")

    assert done.uploaded == (key,)
    assert bucket_server.bucket.redirect_location(key) == first.location


def test_a_redirect_that_the_bucket_lost_is_an_error(
    bucket_server: BucketServer, retired_site: FrozenSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.hosts.bucket.website.LOCATION_HEADER", "x-ignored")

    with pytest.raises(UploadDiffers, match=r"does not lead to https://studio\.example/"):
        publish_to_bucket(retired_site.release, bucket_server.bucket, website=True)


def test_a_redirect_that_the_bucket_refuses_is_an_error(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    bucket_server.proxy.fails = lambda method, path: method == "PUT" and path.endswith("/an-app")
    with pytest.raises(BucketFailed, match=r"Writing \S+/an-app failed: the bucket answered 400"):
        publish_to_bucket(retired_site.release, bucket_server.bucket, website=True)
    bucket_server.proxy.fails = no_request

    assert publish_to_bucket(retired_site.release, bucket_server.bucket, website=True).changed


def test_headers_above_the_limit_of_an_object_are_dropped(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    about = retired_site.release.by_address["/about"]
    wordy = replace(about, headers={**about.headers, "X-Long": "x" * 2048, "X-Name": "ă"})
    others = tuple(entry for entry in retired_site.release.documents if entry is not about)
    done = publish_to_bucket(
        replace(retired_site.release, documents=(wordy, *others)), bucket_server.bucket
    )

    assert done.dropped == {"about": ("x-long", "x-name")}
