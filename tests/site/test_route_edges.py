"""Every route, with edge values for its parameters: 404 as documented, and never a fault."""

import itertools
import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from catalogue.models import Post
from site_mirror.registry import FAMILIES
from tests.requested import ask
from tests.rows import make_app, make_page, make_post

EDGES = (
    *("0", "-1", "00", "0000", "0001", "0002", "9998", "9999", "10000", "9" * 30),
    *("-", "--", "a" * 300, "a" * 5000, "A", "null", "a+b", "a.b", ".md", ".json", "*", "'", "~"),
    *("..", ".", "%2e%2e", "%2E", "%", "%zz", "%00", "a%00", "%0a", "%0d%0aX-Injected:%201"),
    *("%2F", "a%2fb", "%252F", "%5C", "%ff", "%c3%28", "%ed%a0%80", "%C3%A9", "é", "%F0%9F%98%80"),
    *("%D9%A2%D9%A0%D9%A2%D9%A6", "a%20b", "%09", "%3Cscript%3E", "%22", "%7B%7D", ";x=1", "@"),
)
MARKDOWN = "text/markdown; charset=utf-8"
PARAMETER = re.compile(r"\{\w+\}")
OF_A_PATTERN = re.compile(r"<[^>]+>|\(\?P<\w+>[^)]*\)")
TEMPLATES = sorted({family.template for family in FAMILIES if "{" in family.template})


@pytest.fixture(autouse=True)
def content(db: None) -> None:
    make_page(title_vi="Nhà", body_vi="Chào.")
    make_app(description_vi="Nó đo.")
    make_post(title_vi="Một bài", excerpt_vi="Một câu. Hai câu.", body_vi="Nội dung.")


@pytest.mark.parametrize("template", TEMPLATES)
def test_an_edge_value_of_a_public_route_is_an_unknown_address(
    template: str, caplog: pytest.LogCaptureFixture
) -> None:
    found = {}
    for edge in EDGES:
        answer = ask(PARAMETER.sub(lambda _, edge=edge: edge, template).encode())
        found[edge] = (answer.status, answer.headers.get("content-type"))
    error = "application/problem+json" if template.startswith("/api/") else MARKDOWN

    assert found == dict.fromkeys(EDGES, (404, error))
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_an_empty_parameter_is_unknown_or_leads_to_the_page_above(template: str) -> None:
    answer = ask(PARAMETER.sub("", template).encode())

    assert answer.status == (308 if template.endswith("}") else 404)


@pytest.mark.parametrize("address", ["/blog/years/{}", "/vi/blog/years/{}"])
@pytest.mark.parametrize("suffix", ["", ".md"])
def test_a_year_that_has_posts_is_a_page(address: str, suffix: str) -> None:
    year = timezone.localtime(Post.objects.get().publish_at).year

    assert ask((address.format(year) + suffix).encode()).status == 200
    assert ask((address.format(year + 1) + suffix).encode()).status == 404


def routes(patterns: object, before: str = "") -> Iterator[str]:
    """Every pattern below some, as Django writes it."""
    assert isinstance(patterns, list)
    for pattern in patterns:
        here = before + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, here)
        elif isinstance(pattern, URLPattern):
            yield here


ADMIN = sorted(
    {
        route
        for route in routes(get_resolver(settings.ROOT_URLCONF).url_patterns)
        if route.startswith("admin/") and OF_A_PATTERN.search(route)
    }
)


@pytest.mark.parametrize("route", ADMIN)
def test_an_edge_value_of_a_route_of_the_admin_is_no_fault(
    admin_client: Client, route: str, caplog: pytest.LogCaptureFixture
) -> None:
    for edge in EDGES:
        path = OF_A_PATTERN.sub(lambda _, edge=edge: unquote(edge), route).rstrip("$")
        answer = admin_client.get(f"/{quote(path)}")

        assert answer.status_code < 500, edge
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


LOOKUPS = ("__exact", "__in", "__gte", "__year")
VALUES = ("x", "\0", "0", "99999", "9" * 20)


def filtered(model: type[Model]) -> list[str]:
    """The columns by which a list of the admin can be filtered."""
    listed = admin.site._registry[model]
    found = [name for name in listed.list_filter if isinstance(name, str)]
    return [*found, *filter(None, [listed.date_hierarchy]), model._meta.pk.name]


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model._meta.label)
def test_an_edge_value_of_a_list_of_the_admin_is_no_fault(
    admin_client: Client, model: type[Model], caplog: pytest.LogCaptureFixture
) -> None:
    listed = reverse(admin_urlname(model._meta, "changelist"))  # type: ignore[arg-type]
    asked = [("q", "a " * 1500), ("q", '"' * 500), ("q", "\0"), ("p", "9" * 20), ("o", "9.-9.x")]
    columns = itertools.product(filtered(model), LOOKUPS, VALUES)
    asked += [(name + lookup, value) for name, lookup, value in columns]
    for name, value in asked:
        answer = admin_client.get(listed, {name: value})

        assert answer.status_code < 500, (name, value)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_routes_are_found() -> None:
    assert "/blog/years/{slug}" in TEMPLATES
    assert len(ADMIN) > 20
