"""Edge values for the parameters of all routes get a 404 and never an error of the server."""

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
from site_mirror.registry.table import FAMILIES
from tests.factories import make_app, make_page, make_post
from tests.raw_requests import send_target

EDGE_VALUES = (
    *("0", "-1", "00", "0000", "0001", "0002", "9998", "9999", "10000", "9" * 30),
    *("-", "--", "a" * 300, "a" * 5000, "A", "null", "a+b", "a.b", ".md", ".json", "*", "'", "~"),
    *("..", ".", "%2e%2e", "%2E", "%", "%zz", "%00", "a%00", "%0a", "%0d%0aX-Injected:%201"),
    *("%2F", "a%2fb", "%252F", "%5C", "%ff", "%c3%28", "%ed%a0%80", "%C3%A9", "é", "%F0%9F%98%80"),
    *("%D9%A2%D9%A0%D9%A2%D9%A6", "a%20b", "%09", "%3Cscript%3E", "%22", "%7B%7D", ";x=1", "@"),
)
MARKDOWN = "text/markdown; charset=utf-8"
PARAMETER = re.compile(r"\{\w+\}")
PATTERN_PARAMETER = re.compile(r"<[^>]+>|\(\?P<\w+>[^)]*\)")
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
    responses = {}
    for edge in EDGE_VALUES:
        answer = send_target(PARAMETER.sub(lambda _, edge=edge: edge, template).encode())
        responses[edge] = (answer.status, answer.headers.get("content-type"))
    error = "application/problem+json" if template.startswith("/api/") else MARKDOWN

    assert responses == dict.fromkeys(EDGE_VALUES, (404, error))
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_an_empty_parameter_is_a_404_or_redirects_to_the_parent(template: str) -> None:
    answer = send_target(PARAMETER.sub("", template).encode())

    assert answer.status == (308 if template.endswith("}") else 404)


@pytest.mark.parametrize("address", ["/blog/years/{}", "/vi/blog/years/{}"])
@pytest.mark.parametrize("suffix", ["", ".md"])
def test_a_year_that_has_posts_is_a_page(address: str, suffix: str) -> None:
    year = timezone.localtime(Post.objects.get().publish_at).year

    assert send_target((address.format(year) + suffix).encode()).status == 200
    assert send_target((address.format(year + 1) + suffix).encode()).status == 404


def list_routes(patterns: object, prefix: str = "") -> Iterator[str]:
    """Yield the routes of all patterns, as Django writes them."""
    assert isinstance(patterns, list)
    for pattern in patterns:
        route = prefix + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


ADMIN_ROUTES = sorted(
    {
        route
        for route in list_routes(get_resolver(settings.ROOT_URLCONF).url_patterns)
        if route.startswith("admin/") and PATTERN_PARAMETER.search(route)
    }
)


WORST_VALUES = ("9" * 30, "a%00", "_zz")
"""A number above all columns, a character that no database stores, a quotation without an end."""
ALL_VALUES_OF_POSTS = [
    pytest.param(
        route,
        EDGE_VALUES,
        id=route,
        marks=() if "/post/" in route else pytest.mark.exhaustive("the routes of posts cover it"),
    )
    for route in ADMIN_ROUTES
]


@pytest.mark.parametrize(
    ("route", "edges"), [*((route, WORST_VALUES) for route in ADMIN_ROUTES), *ALL_VALUES_OF_POSTS]
)
def test_an_edge_value_of_a_route_of_the_admin_is_not_a_server_error(
    admin_client: Client, route: str, edges: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    for edge in edges:
        path = PATTERN_PARAMETER.sub(lambda _, edge=edge: unquote(edge), route).rstrip("$")
        answer = admin_client.get(f"/{quote(path)}")

        assert answer.status_code < 500, edge
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


LOOKUPS = ("__exact", "__in", "__gte", "__year")
LOOKUP_VALUES = ("x", "\0", "0", "99999", "9" * 20)
ALL_LOOKUPS = tuple(itertools.product(LOOKUPS, LOOKUP_VALUES))
WORST_LOOKUPS = (("__exact", "\0"), ("__in", "x"), ("__gte", "9" * 20), ("__year", "99999"))


def filter_columns(model: type[Model]) -> list[str]:
    """Return the columns by which a list of the admin can be filtered."""
    model_admin = admin.site._registry[model]
    columns = [name for name in model_admin.list_filter if isinstance(name, str)]
    return [*columns, *filter(None, [model_admin.date_hierarchy]), model._meta.pk.name]


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(
            model,
            id=model._meta.label,
            marks=()
            if model is Post
            else pytest.mark.exhaustive("sends to each list what the list of posts gets"),
        )
        for model in admin.site._registry
    ],
)
@pytest.mark.parametrize(
    "lookups",
    [
        pytest.param(WORST_LOOKUPS, id="worst"),
        pytest.param(
            ALL_LOOKUPS,
            id="all",
            marks=pytest.mark.exhaustive("twenty requests for each column of each list"),
        ),
    ],
)
def test_an_edge_value_of_a_filter_of_the_admin_is_not_a_server_error(
    admin_client: Client,
    model: type[Model],
    lookups: tuple[tuple[str, str], ...],
    caplog: pytest.LogCaptureFixture,
) -> None:
    address = reverse(admin_urlname(model._meta, "changelist"))  # type: ignore[arg-type]
    parameters = [
        ("q", "a " * 1500),
        ("q", '"' * 500),
        ("q", "\0"),
        ("p", "9" * 20),
        ("o", "9.-9.x"),
    ]
    columns = itertools.product(filter_columns(model), lookups)
    parameters += [(name + lookup, value) for name, (lookup, value) in columns]
    for name, value in parameters:
        answer = admin_client.get(address, {name: value})

        assert answer.status_code < 500, (name, value)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_the_lists_of_routes_are_not_empty() -> None:
    assert "/blog/years/{slug}" in TEMPLATES
    assert len(ADMIN_ROUTES) > 20
