"""A real browser, on a page of another origin, reads the API."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.api import full_content
from tests.browsers import PATIENCE_MILLISECONDS, running_chromium
from tests.requirements import needs_chromium

FETCH = """
async ([address, headers, method]) => {
  const answer = await fetch(address, {headers, method, cache: "no-store"});
  const body = answer.status === 304 ? null : await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: body ? JSON.parse(body) : null,
  };
}
"""


@contextmanager
def serve_another_origin(folder: Path) -> Iterator[str]:
    (folder / "page.html").write_text("<!DOCTYPE html><title>Another origin</title>")
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/page.html"
        server.shutdown()


@contextmanager
def open_page(address: str) -> Iterator[Page]:
    with running_chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        page.goto(address)
        yield page


@pytest.mark.browser
def test_a_page_of_another_origin_reads_bodies_headers_and_problems(
    transactional_db: None, live_server: LiveServer, tmp_path: Path
) -> None:
    needs_chromium()
    full_content.make_content()
    base = f"{live_server.url}/api/v1"

    with serve_another_origin(tmp_path) as address, open_page(address) as page:
        found = page.evaluate(FETCH, [f"{base}/apps", {}, "GET"])
        etag = {"If-None-Match": found["headers"]["etag"]}
        again = page.evaluate(FETCH, [f"{base}/apps", etag, "GET"])
        missing = page.evaluate(FETCH, [f"{base}/apps/nope", {}, "GET"])
        refused = page.evaluate(FETCH, [f"{base}/apps", {}, "POST"])

    assert [app["id"] for app in found["body"]["data"]] == ["bare-app", "full-app"]
    assert found["headers"]["ratelimit-limit"] == "600"
    assert found["headers"]["api-version"] == "1.0.0"
    assert again["status"] == 304
    assert again["headers"]["etag"] == etag["If-None-Match"]
    assert missing["status"] == missing["body"]["status"] == 404
    assert missing["body"]["title"] == "Not Found"
    assert refused["status"] == refused["body"]["status"] == 405
