"""The values of members of all resources."""

import pytest
from django.db.models import Value

from catalogue.models import App, Studio
from tests import factories
from tests.api import full_content
from tests.api.conftest import Get
from tests.api.endpoints import BASE, ROOT


@pytest.mark.usefixtures("content")
def test_a_text_without_vietnamese_has_only_english(get: Get) -> None:
    bare = get(f"{BASE}/apps/bare-app").json()["data"]

    assert bare["tagline"] == {"en": "It measures."}


@pytest.mark.usefixtures("content")
def test_a_translated_text_has_both_languages(get: Get) -> None:
    full = get(f"{BASE}/apps/full-app").json()["data"]

    assert full["tagline"] == {"en": "It measures.", "vi": "Nó đo."}


@pytest.mark.usefixtures("content")
def test_an_app_has_the_values_of_its_row(get: Get) -> None:
    full = get(f"{BASE}/apps/full-app").json()["data"]

    assert full["platforms"] == ["iOS", "Android", "Watch"]
    assert (full["category"], full["status"]) == ("health", "soon")
    assert (full["since"], full["updated"]) == ("2021", "2026-09")
    assert (full["downloads"], full["stack"]) == ("45,000+", ["Swift", "FFT"])
    assert full["icon"] == f"{ROOT}/icons/full-app.svg"
    assert full["links"] == {
        "self": f"{ROOT}/api/v1/apps/full-app",
        "web": f"{ROOT}/apps/full-app",
        "appStore": "https://apps.apple.com/app/id1",
        "googlePlay": "https://play.google.com/store/apps/details?id=x.y",
        "chromeWebStore": "https://chromewebstore.google.com/detail/x",
    }


@pytest.mark.parametrize("store", ["appStore", "googlePlay", "chromeWebStore"])
@pytest.mark.usefixtures("content")
def test_the_link_of_a_store_without_the_app_is_null(get: Get, store: str) -> None:
    links = get(f"{BASE}/apps/bare-app").json()["data"]["links"]

    assert store in links
    assert links[store] is None


@pytest.mark.usefixtures("content")
def test_a_post_has_the_values_of_its_row(get: Get) -> None:
    full = get(f"{BASE}/posts/full-post").json()["data"]

    assert full["readMinutes"] == 1
    assert full["tags"] == ["sound", "waves"]
    assert full["links"] == {
        "self": f"{ROOT}/api/v1/posts/full-post",
        "html": f"{ROOT}/blog/full-post",
        "markdown": f"{ROOT}/blog/full-post.md",
    }


@pytest.mark.usefixtures("content")
def test_the_date_of_a_post_is_the_day_in_the_studios_time_zone(get: Get) -> None:
    full = get(f"{BASE}/posts/full-post").json()["data"]

    assert full["date"] == "2026-03-02"


@pytest.mark.usefixtures("content")
def test_the_links_of_a_post_and_an_app_have_the_right_media_types(get: Get) -> None:
    app = get(f"{BASE}/apps/full-app").json()["data"]
    post = get(f"{BASE}/posts/full-post").json()["data"]
    promised = {
        app["icon"]: "image/svg+xml",
        app["links"]["web"]: "text/html; charset=utf-8",
        post["links"]["html"]: "text/html; charset=utf-8",
        post["links"]["markdown"]: "text/markdown; charset=utf-8",
    }
    found = {url: get(url.removeprefix(ROOT)) for url in promised}

    assert {url: answer.status_code for url, answer in found.items()} == dict.fromkeys(found, 200)
    assert {url: answer["Content-Type"] for url, answer in found.items()} == promised


@pytest.mark.usefixtures("content")
def test_the_studio_has_the_values_of_its_row_and_counts(get: Get) -> None:
    factories.make_app(slug="a-draft", state="draft")

    assert get(f"{BASE}/studio").json()["data"] == {
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
    }


@pytest.mark.usefixtures("db")
def test_a_bare_studio_has_its_required_members_and_its_counts(get: Get) -> None:
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


@pytest.mark.usefixtures("content")
def test_a_location_without_the_name_of_the_country_has_its_code(get: Get) -> None:
    Studio.objects.update(country_name="")

    assert get(f"{BASE}/studio").json()["data"]["location"] == {"country": "VN"}


@pytest.mark.parametrize(
    ("typed", "published"),
    [("24", b'"value":24,'), ("48000.000", b'"value":48000,'), ("0.5", b'"value":0.5,')],
)
@pytest.mark.usefixtures("db")
def test_a_whole_statistic_has_no_decimal_places(get: Get, typed: str, published: bytes) -> None:
    factories.make_statistic(value=typed)

    assert published in get(f"{BASE}/stats").content


@pytest.mark.usefixtures("content")
def test_shipped_apps_are_the_published_apps_that_are_live(get: Get) -> None:
    factories.make_app(slug="live-draft", status="live", state="draft")
    statistics = {item["id"]: item for item in get(f"{BASE}/stats").json()["data"]}

    assert App.objects.live().count() == 2
    assert statistics["shipped-apps"]["value"] == 1
    assert statistics["shipped-apps"]["display"] == "1"


@pytest.mark.usefixtures("content")
def test_a_science_topic_has_the_values_of_its_rows(get: Get) -> None:
    bare, full = get(f"{BASE}/science").json()["data"]

    assert full["formula"] == {"text": "v = f λ", "latex": r"v = f \lambda"}
    assert full["symbols"] == [
        {"symbol": "λ", "meaning": {"en": "Wavelength", "vi": "Bước sóng"}, "unit": "m"},
        {"symbol": "n", "meaning": {"en": "Index"}},
    ]
    assert full["apps"] == ["full-app"]
    assert (bare["symbols"], bare["apps"]) == ([], [])


@pytest.mark.usefixtures("content")
def test_the_links_of_a_milestone_are_absolute(get: Get) -> None:
    full, _ = get(f"{BASE}/timeline").json()["data"]

    assert full["links"] == [
        {"label": {"en": "The app", "vi": "Ứng dụng"}, "href": f"{ROOT}/apps/full-app"},
        {"label": {"en": "The app"}, "href": "https://elsewhere.example/a"},
    ]


@pytest.mark.usefixtures("content")
def test_a_version_has_the_values_of_its_row(get: Get) -> None:
    current, deprecated = get(f"{BASE}/versions").json()["data"]

    assert current == {
        "version": "v1",
        "apiVersion": "1.0.0",
        "status": "current",
        "released": "2025-02-10",
        "links": {
            "self": f"{ROOT}/api/v1/",
            "documentation": f"{ROOT}/docs/api",
            "openapi": f"{ROOT}/openapi.json",
            "policy": f"{ROOT}/docs/versioning",
        },
    }
    assert deprecated["deprecation"] == "2026-02-01T12:30:15Z"
    assert deprecated["sunset"] == "2026-08-01T23:59:59Z"
    assert deprecated["links"]["self"] == f"{ROOT}/api/v2/"


@pytest.mark.usefixtures("content")
def test_the_index_has_the_version_the_budget_and_links(get: Get) -> None:
    index = get(f"{BASE}/").json()
    notes = index["rateLimit"].pop("notes")

    assert (index["apiVersion"], index["status"]) == ("1.0.0", "current")
    assert index["rateLimit"] == {"requests": 600, "windowSeconds": 60, "enforcement": "edge"}
    assert notes
    assert index["documentation"] == f"{ROOT}/docs/api"
    assert index["openapi"] == f"{ROOT}/openapi.json"
    assert index["versioningPolicy"] == f"{ROOT}/docs/versioning"


@pytest.mark.usefixtures("db")
def test_health_is_ok_without_content(get: Get) -> None:
    assert get(f"{BASE}/health").content == b'{"status":"ok","apiVersion":"1.0.0"}\n'


@pytest.mark.usefixtures("db")
def test_a_missing_studio_is_a_404(get: Get) -> None:
    answer = get(f"{BASE}/studio")

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.usefixtures("db")
def test_decomposed_text_of_the_database_is_composed(get: Get) -> None:
    row = full_content.make_full_app()
    App.objects.filter(pk=row.pk).update(name=Value("Cafe\N{COMBINING ACUTE ACCENT}"))

    assert get(f"{BASE}/apps/full-app").json()["data"]["name"] == "Café"
