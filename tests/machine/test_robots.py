"""The rules for crawlers, read by the reference parser."""

from protego import Protego

from site_mirror.machine import robots
from tests.pages.page_reader import SITE

AGENTS = ["GPTBot", "ClaudeBot", "Googlebot", "CCBot", "*"]
ADDRESSES = ["/", "/api/v1/apps", "/blog/hello.md", "/llms-full.txt", "/vi/blog/hello?a=b"]


def test_every_crawler_may_read_everything_and_finds_the_site_map() -> None:
    text = robots.robots_txt(SITE).decode()
    rules = Protego.parse(text)

    for agent in AGENTS:
        assert all(rules.can_fetch(SITE.url(address), agent) for address in ADDRESSES), agent
    assert list(rules.sitemaps) == ["https://studio.example/sitemap.xml"]
    assert [line for line in text.splitlines() if line and not line.startswith("#")] == [
        "User-agent: *",
        "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
        "Allow: /",
        "Sitemap: https://studio.example/sitemap.xml",
    ]
