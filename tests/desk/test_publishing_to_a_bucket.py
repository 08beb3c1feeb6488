"""An editor publishes to a server of S3's protocol."""

import sys
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from site_mirror.hosts.expected import expect_manifest
from site_mirror.hosts.http_client import HttpClient
from site_mirror.hosts.release import read_release
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import compare_site
from tests.desk.test_publishing_in_the_browser import (
    VERIFIED,
    editing,
    publish_a_title,
    read_article,
)
from tests.freeze.processes import PROJECT
from tests.hosts.bucket.servers import BUCKET_NAME, KEYS, serve_bucket
from tests.hosts.servers import CLIENTS

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.npm]


def test_an_editor_publishes_to_a_bucket_where_each_answer_is_as_it_was_frozen(
    tmp_path: Path,
) -> None:
    snapshot = tmp_path / "snapshot"
    with serve_bucket(tmp_path) as server:
        words = f"publish {snapshot}/current s3://{BUCKET_NAME} --endpoint {server.endpoint}"
        command = f"{sys.executable} {PROJECT}/manage.py {words}"
        with editing(tmp_path, DEPLOY_COMMAND=command, **KEYS) as page:
            publish_a_title(page, "Echoes of a lift shaft")
            page.goto("/admin/publish/")
            expect(page.locator(".desk-phase")).to_contain_text(VERIFIED)
        assert read_article(tmp_path).startswith("# Echoes of a lift shaft\n")
        endpoint = ("127.0.0.1", server.port)
        with closing(HttpClient(f"http://{BUCKET_NAME}", endpoint, clients=CLIENTS)) as http:
            release = read_release(snapshot / "current")
            parity = compare_site(http, release, HOSTS["bucket"], expect_manifest)
    assert [f"{check.request}: {check.fault}" for check in parity.differences] == []
