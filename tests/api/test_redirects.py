"""A former slug leads to today's address, for what readers may see."""

from typing import Any

import pytest
from django.db.models import Model

from catalogue.models import App, FormerAppSlug, FormerPostSlug, Post
from tests import rows
from tests.api import makers
from tests.api.conftest import Get
from tests.api.endpoints import BASE, ROOT

pytestmark = pytest.mark.usefixtures("content")

OF_AN_APP = (
    "/api/v1/apps/{0}",
    "/apps/{0}",
    "/apps/{0}.md",
    "/vi/apps/{0}",
    "/vi/apps/{0}.md",
    "/icons/{0}.svg",
)
OF_A_POST = (
    "/api/v1/posts/{0}",
    "/blog/{0}",
    "/blog/{0}.md",
    "/vi/blog/{0}",
    "/vi/blog/{0}.md",
)
IN_VIETNAMESE = ("/vi/apps/{0}", "/vi/apps/{0}.md")


def rename(model: type[Model], before: str, after: str) -> None:
    model._default_manager.filter(slug=before).update(slug=after)


def assert_leads_to(answer: Any, address: str) -> None:
    assert answer.status_code == 308
    assert answer["Location"] == ROOT + address
    assert answer.content == b""
    assert "Content-Type" not in answer
    assert "Set-Cookie" not in answer


@pytest.mark.parametrize("template", OF_AN_APP)
def test_a_former_id_of_an_app_leads_to_todays_address(get: Get, template: str) -> None:
    rename(App, "full-app", "new-app")

    assert_leads_to(get(template.format("full-app")), template.format("new-app"))
    assert get(template.format("new-app")).status_code == 200


@pytest.mark.parametrize("template", OF_A_POST)
def test_a_former_slug_of_a_post_leads_to_todays_address(get: Get, template: str) -> None:
    rename(Post, "full-post", "new-post")

    assert_leads_to(get(template.format("full-post")), template.format("new-post"))
    assert get(template.format("new-post")).status_code == 200


@pytest.mark.parametrize(
    ("model", "path"), [(App, "/api/v1/apps/full-app"), (Post, "/api/v1/posts/full-post")]
)
def test_a_former_alias_leads_to_todays_canonical_address(
    get: Get, model: type[Model], path: str
) -> None:
    rename(model, path.rpartition("/")[2], "renamed")

    assert_leads_to(get(f"{path}.json"), f"{path.rpartition('/')[0]}/renamed")


def test_a_slug_that_changed_twice_leads_to_the_last_one_in_one_step(get: Get) -> None:
    rename(App, "full-app", "second")
    rename(App, "second", "third")

    assert_leads_to(get(f"{BASE}/apps/full-app"), "/api/v1/apps/third")
    assert_leads_to(get(f"{BASE}/apps/second"), "/api/v1/apps/third")


def test_a_former_slug_that_is_in_use_again_answers_itself(get: Get) -> None:
    rename(App, "full-app", "second")
    rows.make_app(slug="full-app", name="Another App")

    assert get(f"{BASE}/apps/full-app").json()["data"]["name"] == "Another App"


def test_a_slug_that_came_back_leads_the_other_way(get: Get) -> None:
    rename(App, "full-app", "second")
    rename(App, "second", "full-app")

    assert get(f"{BASE}/apps/full-app").status_code == 200
    assert_leads_to(get(f"{BASE}/apps/second"), "/api/v1/apps/full-app")


@pytest.mark.parametrize("hidden", makers.HIDDEN.values(), ids=makers.HIDDEN)
def test_a_former_id_of_an_app_nobody_may_see_leads_nowhere(
    get: Get, hidden: dict[str, Any]
) -> None:
    rename(App, "full-app", "new-app")
    App.objects.filter(slug="new-app").update(**hidden)
    found = {template: get(template.format("full-app")).status_code for template in OF_AN_APP}

    assert FormerAppSlug.objects.filter(slug="full-app").exists()
    assert found == dict.fromkeys(OF_AN_APP, 404)


@pytest.mark.parametrize("hidden", makers.HIDDEN.values(), ids=makers.HIDDEN)
def test_a_former_slug_of_a_post_nobody_may_see_leads_nowhere(
    get: Get, hidden: dict[str, Any]
) -> None:
    rename(Post, "full-post", "new-post")
    Post.objects.filter(slug="new-post").update(**hidden)
    found = {template: get(template.format("full-post")).status_code for template in OF_A_POST}

    assert FormerPostSlug.objects.filter(slug="full-post").exists()
    assert found == dict.fromkeys(OF_A_POST, 404)


def test_a_slug_changed_before_publication_was_never_an_address(get: Get) -> None:
    rows.make_app(slug="working-title", state="draft")
    rename(App, "working-title", "real-title")
    App.objects.filter(slug="real-title").update(**rows.SHOWN)

    assert get(f"{BASE}/apps/working-title").status_code == 404
    assert get(f"{BASE}/apps/real-title").status_code == 200


def test_a_slug_changed_while_scheduled_was_never_an_address(get: Get) -> None:
    rows.make_app(slug="working-title", publish_at=makers.FUTURE)
    rename(App, "working-title", "real-title")
    App.objects.filter(slug="real-title").update(**rows.SHOWN)

    assert get(f"{BASE}/apps/working-title").status_code == 404


@pytest.mark.parametrize("template", [*IN_VIETNAMESE, "/icons/{0}.svg"])
def test_a_former_id_leads_to_no_document_that_does_not_exist(get: Get, template: str) -> None:
    rename(App, "bare-app", "new-bare")

    assert get(template.format("bare-app")).status_code == 404


@pytest.mark.parametrize("method", ["head", "options", "post"])
def test_a_former_address_answers_other_methods_as_any_address_does(
    client: Any, method: str
) -> None:
    rename(App, "full-app", "new-app")
    answer = getattr(client, method)(f"{BASE}/apps/full-app")

    assert answer.status_code == {"head": 308, "options": 204, "post": 405}[method]
