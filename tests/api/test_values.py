"""The values of members of all resources."""

from typing import Any

import pytest

from api.contract import API_VERSION
from catalogue.models import App, Studio
from tests import factories
from tests.api.conftest import Get
from tests.api.endpoints import BASE, ROOT

FULL: dict[str, dict[str, Any]] = {
    "/apps/full-app": {
        "tagline": {"en": "It measures.", "vi": "Nó đo."},
        "category": "health",
        "platforms": ["iOS", "Android", "Watch"],
        "status": "soon",
        "since": "2021",
        "updated": "2026-09",
        "downloads": "45,000+",
        "stack": ["Swift", "FFT"],
        "icon": f"{ROOT}/icons/full-app.svg",
        "links": {
            "self": f"{ROOT}/api/v1/apps/full-app",
            "web": f"{ROOT}/apps/full-app",
            "appStore": "https://apps.apple.com/app/id1",
            "googlePlay": "https://play.google.com/store/apps/details?id=x.y",
            "chromeWebStore": "https://chromewebstore.google.com/detail/x",
        },
    },
    "/apps/bare-app": {
        "tagline": {"en": "It measures."},
        "links": {
            "self": f"{ROOT}/api/v1/apps/bare-app",
            "web": f"{ROOT}/apps/bare-app",
            "appStore": None,
            "googlePlay": None,
            "chromeWebStore": None,
        },
    },
    "/posts/full-post": {
        "date": "2026-03-02",  # The day in the studio's time zone.
        "readMinutes": 1,
        "tags": ["sound", "waves"],
        "links": {
            "self": f"{ROOT}/api/v1/posts/full-post",
            "html": f"{ROOT}/blog/full-post",
            "markdown": f"{ROOT}/blog/full-post.md",
        },
    },
    "/studio": {
        "name": "A Studio",
        "tagline": {"en": "Instruments in a pocket.", "vi": "Dụng cụ đo trong túi."},
        "description": "It builds instruments.",
        "founded": "2019",
        "teamSize": 2,
        "location": {"country": "VN", "countryName": "Vietnam"},
        "email": "hello@studio.example",
        "github": "https://github.com/a-studio",
        "website": f"{ROOT}/",
        "languages": ["en", "vi"],
        "privacyPolicy": f"{ROOT}/privacy",
        "appCount": 2,
        "postCount": 2,
    },
}
"""Some members of documents of the fixture `content`."""
VERSION_LINKS = {
    "documentation": f"{ROOT}/docs/api",
    "openapi": f"{ROOT}/openapi.json",
    "policy": f"{ROOT}/docs/versioning",
}


@pytest.mark.parametrize("path", FULL)
@pytest.mark.usefixtures("content")
def test_a_document_has_the_values_of_its_row(get: Get, path: str) -> None:
    factories.make_app(slug="a-draft", state="draft")
    data = get(BASE + path).json()["data"]

    assert {name: data[name] for name in FULL[path]} == FULL[path]


@pytest.mark.usefixtures("content")
def test_the_links_of_a_post_and_an_app_have_the_right_media_types(get: Get) -> None:
    app, post = FULL["/apps/full-app"], FULL["/posts/full-post"]
    promised = {
        app["icon"]: "image/svg+xml",
        app["links"]["web"]: "text/html; charset=utf-8",
        post["links"]["html"]: "text/html; charset=utf-8",
        post["links"]["markdown"]: "text/markdown; charset=utf-8",
    }
    found = {url: get(url.removeprefix(ROOT))["Content-Type"] for url in promised}

    assert found == promised


def test_a_bare_studio_has_its_required_members_and_its_counts(db: None, get: Get) -> None:
    assert get(f"{BASE}/studio").status_code == 404
    factories.make_studio()

    assert get(f"{BASE}/studio").json()["data"] == {
        "name": "A Studio",
        "teamSize": 0,
        "email": "hello@studio.example",
        "website": f"{ROOT}/",
        "privacyPolicy": f"{ROOT}/privacy",
        "appCount": 0,
        "postCount": 0,
    }
    Studio.objects.update(country="VN")
    assert get(f"{BASE}/studio").json()["data"]["location"] == {"country": "VN"}


@pytest.mark.parametrize(
    ("typed", "published"),
    [("24", b'"value":24,'), ("48000.000", b'"value":48000,'), ("0.5", b'"value":0.5,')],
)
def test_a_whole_statistic_has_no_decimal_places(
    db: None, get: Get, typed: str, published: bytes
) -> None:
    factories.make_statistic(value=typed)

    assert published in get(f"{BASE}/stats").content


@pytest.mark.usefixtures("content")
def test_shipped_apps_are_the_published_apps_that_are_live(get: Get) -> None:
    factories.make_app(slug="live-draft", status="live", state="draft")
    factories.make_app(slug="live-later", status="live", publish_at="2999-01-01T00:00Z")
    factories.make_app(slug="an-engine", status="engine")
    statistics = {item["id"]: item for item in get(f"{BASE}/stats").json()["data"]}

    assert App.objects.filter(status="live").count() == 3
    assert (statistics["shipped-apps"]["value"], statistics["shipped-apps"]["display"]) == (1, "1")


@pytest.mark.usefixtures("content")
def test_items_of_lists_have_the_values_of_their_rows(get: Get) -> None:
    bare, topic = get(f"{BASE}/science").json()["data"]
    milestone, _ = get(f"{BASE}/timeline").json()["data"]
    current, deprecated = get(f"{BASE}/versions").json()["data"]

    assert topic["formula"] == {"text": "v = f λ", "latex": r"v = f \lambda"}
    assert topic["symbols"] == [
        {"symbol": "λ", "meaning": {"en": "Wavelength", "vi": "Bước sóng"}, "unit": "m"},
        {"symbol": "n", "meaning": {"en": "Index"}},
    ]
    assert topic["apps"] == ["bare-app", "full-app"]
    assert (bare["symbols"], bare["apps"]) == ([], [])
    assert milestone["links"] == [
        {"label": {"en": "The app", "vi": "Ứng dụng"}, "href": f"{ROOT}/apps/full-app"},
        {"label": {"en": "The app"}, "href": "https://elsewhere.example/a"},
    ]
    assert current == {
        "version": "v1",
        "apiVersion": API_VERSION,
        "status": "current",
        "released": "2025-02-10",
        "links": {"self": f"{ROOT}/api/v1/"} | VERSION_LINKS,
    }
    assert deprecated["deprecation"] == "2026-02-01T12:30:15Z"
    assert deprecated["sunset"] == "2026-08-01T23:59:59Z"
    assert deprecated["links"]["self"] == f"{ROOT}/api/v2/"


@pytest.mark.usefixtures("content")
def test_the_index_has_the_version_the_budget_and_links(get: Get) -> None:
    index = get(f"{BASE}/").json()

    assert (index["apiVersion"], index["status"]) == (API_VERSION, "current")
    assert index["rateLimit"].pop("notes")
    assert index["rateLimit"] == {"requests": 600, "windowSeconds": 60, "enforcement": "edge"}
    assert index["documentation"] == VERSION_LINKS["documentation"]
    assert index["openapi"] == VERSION_LINKS["openapi"]
    assert index["versioningPolicy"] == VERSION_LINKS["policy"]


def test_health_is_ok_without_content(db: None, get: Get) -> None:
    expected = b'{"status":"ok","apiVersion":"%b"}\n' % API_VERSION.encode()
    assert get(f"{BASE}/health").content == expected
