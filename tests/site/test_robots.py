"""The rules for crawlers, read by the reference parser."""

import pytest
from protego import Protego

from site_mirror.machine import robots
from tests.site.page_reader import SITE

AGENTS = ["GPTBot", "ClaudeBot", "Googlebot", "CCBot", "*"]
ADDRESSES = ["/", "/api/v1/apps", "/blog/hello.md", "/llms-full.txt", "/vi/blog/hello?a=b"]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("agent", AGENTS)
def test_every_crawler_may_read_everything(agent: str, address: str) -> None:
    rules = Protego.parse(robots.robots_txt(SITE).decode())

    assert rules.can_fetch(SITE.url(address), agent)


def test_the_site_map_is_named_by_its_whole_address() -> None:
    rules = Protego.parse(robots.robots_txt(SITE).decode())

    assert list(rules.sitemaps) == ["https://studio.example/sitemap.xml"]


def test_the_content_signals_stand_in_the_group_of_everyone() -> None:
    lines = robots.robots_txt(SITE).decode().splitlines()

    assert lines[:3] == [
        "User-agent: *",
        "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
        "Allow: /",
    ]
