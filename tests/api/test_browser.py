"""A real browser, on a page of another origin, reads the API."""

import pytest
from pytest_django.live_server_helper import LiveServer

from api.contract import API_VERSION
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


@pytest.mark.browser
def test_a_page_of_another_origin_reads_bodies_headers_and_problems(
    transactional_db: None, live_server: LiveServer
) -> None:
    needs_chromium()
    full_content.make_content()
    base = f"{live_server.url}/api/v1"

    with running_chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        # A document of the same server, but of another origin for the browser.
        page.goto(f"{base}/health".replace("localhost", "127.0.0.1"))
        found = page.evaluate(FETCH, [f"{base}/apps", {}, "GET"])
        etag = {"If-None-Match": found["headers"]["etag"]}
        again = page.evaluate(FETCH, [f"{base}/apps", etag, "GET"])
        missing = page.evaluate(FETCH, [f"{base}/apps/nope", {}, "GET"])
        refused = page.evaluate(FETCH, [f"{base}/apps", {}, "POST"])

    assert [app["id"] for app in found["body"]["data"]] == ["bare-app", "full-app"]
    assert found["headers"]["ratelimit-limit"] == "600"
    assert found["headers"]["api-version"] == API_VERSION
    assert again["status"] == 304
    assert again["headers"]["etag"] == etag["If-None-Match"]
    assert missing["status"] == missing["body"]["status"] == 404
    assert missing["body"]["title"] == "Not Found"
    assert refused["status"] == refused["body"]["status"] == 405
