"""A former slug redirects to the current address if the row is published."""

from typing import Any

import pytest
from django.db.models import Model

from catalogue.models import App, Post, Tag
from tests import factories
from tests.api.conftest import Get
from tests.api.endpoints import BASE, ROOT

pytestmark = pytest.mark.usefixtures("content")

APP_ADDRESSES = (
    "/api/v1/apps/{0}",
    "/apps/{0}",
    "/apps/{0}.md",
    "/vi/apps/{0}",
    "/vi/apps/{0}.md",
    "/icons/{0}.svg",
)
TAG_ADDRESSES = (
    "/blog/tags/{0}",
    "/blog/tags/{0}.md",
    "/vi/blog/tags/{0}",
    "/vi/blog/tags/{0}.md",
)
POST_ADDRESSES = (
    "/api/v1/posts/{0}",
    "/blog/{0}",
    "/blog/{0}.md",
    "/vi/blog/{0}",
    "/vi/blog/{0}.md",
)
EACH_MODEL = pytest.mark.parametrize(
    ("model", "templates", "slug"),
    [
        (App, APP_ADDRESSES, "full-app"),
        (Post, POST_ADDRESSES, "full-post"),
        (Tag, TAG_ADDRESSES, "waves"),
    ],
)


def change_slug(model: type[Model], before: str, after: str) -> None:
    model._default_manager.filter(slug=before).update(slug=after)


def assert_redirects_to(answer: Any, address: str) -> None:
    assert answer.status_code == 308
    assert answer["Location"] == ROOT + address
    assert answer.content == b""
    assert answer["Cache-Control"] == "max-age=60", "an editor may take a rename back"
    assert "CDN-Cache-Control" not in answer
    assert "Content-Type" not in answer
    assert "Set-Cookie" not in answer


@EACH_MODEL
def test_a_former_slug_redirects_to_the_present_address(
    get: Get, model: type[Model], templates: tuple[str, ...], slug: str
) -> None:
    change_slug(model, slug, "new-slug")

    for template in templates:
        assert_redirects_to(get(template.format(slug)), template.format("new-slug"))
        old, new = (f"{template.format(each)}?utm=%2F&x=1" for each in (slug, "new-slug"))
        assert_redirects_to(get(old), new)
        assert get(template.format("new-slug")).status_code == 200
    if (api := templates[0]).startswith(BASE):
        assert_redirects_to(get(f"{api.format(slug)}.json"), api.format("new-slug"))


@pytest.mark.parametrize("hidden", factories.HIDDEN.values(), ids=factories.HIDDEN)
@EACH_MODEL
def test_a_former_slug_of_an_unpublished_row_is_a_404(
    get: Get, model: Any, templates: tuple[str, ...], slug: str, hidden: dict[str, Any]
) -> None:
    change_slug(model, slug, "new-slug")
    (Post if model is Tag else model).objects.update(**hidden)
    found = {template: get(template.format(slug)).status_code for template in templates}

    assert model.objects.get(slug="new-slug").former_slugs.filter(slug=slug).exists()
    assert found == dict.fromkeys(templates, 404)


def test_a_former_slug_redirects_once_until_a_row_has_it_again(get: Get) -> None:
    change_slug(App, "full-app", "second")
    change_slug(App, "second", "third")
    for former in ("full-app", "second"):
        assert_redirects_to(get(f"{BASE}/apps/{former}"), "/api/v1/apps/third")

    factories.make_app(slug="second", name="Another App")
    assert get(f"{BASE}/apps/second").json()["data"]["name"] == "Another App"

    change_slug(App, "third", "full-app")
    assert get(f"{BASE}/apps/full-app").status_code == 200
    assert_redirects_to(get(f"{BASE}/apps/third"), "/api/v1/apps/full-app")


@pytest.mark.parametrize(
    ("model", "slug", "template"),
    [
        (App, "bare-app", "/vi/apps/{0}"),
        (App, "bare-app", "/vi/apps/{0}.md"),
        (App, "bare-app", "/icons/{0}.svg"),
        (Post, "bare-post", "/vi/blog/{0}"),
        (Post, "bare-post", "/vi/blog/{0}.md"),
    ],
)
def test_a_former_slug_does_not_redirect_to_a_missing_document(
    get: Get, model: type[Model], slug: str, template: str
) -> None:
    change_slug(model, slug, "new-slug")

    assert get(template.format(slug)).status_code == 404


@pytest.mark.parametrize("method", ["head", "options", "post"])
def test_a_former_address_refuses_other_methods_as_any_address(client: Any, method: str) -> None:
    change_slug(App, "full-app", "new-app")
    answer = getattr(client, method)(f"{BASE}/apps/full-app")

    assert answer.status_code == {"head": 308, "options": 204, "post": 405}[method]
