"""Edge values for the parameters of all routes get a 404 and never an error of the server."""

import re

import pytest
from django.utils import timezone

from catalogue.models import Post
from site_mirror.registry.table import FAMILIES
from tests.factories import make_page, make_translated_app, make_translated_post
from tests.freeze.live_requests import send_target

EDGE_VALUES = (
    *("0", "-1", "00", "0000", "0001", "0002", "9998", "9999", "10000", "9" * 30),
    *("-", "--", "a" * 300, "a" * 5000, "A", "null", "a+b", "a.b", ".md", ".json", "*", "'", "~"),
    *("..", ".", "%2e%2e", "%2E", "%", "%zz", "%00", "a%00", "%0a", "%0d%0aX-Injected:%201"),
    *("a%2fb", "%252F", "%5C", "%ff", "%c3%28", "%ed%a0%80", "%C3%A9", "é", "%F0%9F%98%80"),
    *("%D9%A2%D9%A0%D9%A2%D9%A6", "a%20b", "%09", "%3Cscript%3E", "%22", "%7B%7D", ";x=1", "@"),
)
MARKDOWN = "text/markdown; charset=utf-8"
PARAMETER = re.compile(r"\{\w+\}")
TEMPLATES = sorted({family.template for family in FAMILIES if "{" in family.template})


@pytest.fixture(autouse=True)
def content(db: None) -> None:
    make_page(title_vi="Nhà", body_vi="Chào.")
    make_translated_app()
    make_translated_post()


@pytest.mark.parametrize("template", TEMPLATES)
def test_an_edge_value_of_a_public_route_is_an_unknown_address(
    template: str, caplog: pytest.LogCaptureFixture
) -> None:
    error = "application/problem+json" if template.startswith("/api/") else MARKDOWN
    for edge in EDGE_VALUES:
        answer = send_target(PARAMETER.sub(lambda _, edge=edge: edge, template).encode())

        assert (answer.status, answer.headers.get("content-type")) == (404, error), edge
    empty = send_target(PARAMETER.sub("", template).encode())
    assert empty.status == (308 if template.endswith("}") else 404)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_year_that_has_posts_is_a_page() -> None:
    year = timezone.localtime(Post.objects.get().publish_at).year

    for template in ("/blog/years/{}", "/vi/blog/years/{}.md"):
        assert send_target(template.format(year).encode()).status == 200
        assert send_target(template.format(year + 1).encode()).status == 404
    assert "/blog/years/{slug}" in TEMPLATES
