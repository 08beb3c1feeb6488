"""A folder for GitHub Pages has a file for every address and pages that redirect."""

from collections.abc import Iterator

import pytest

from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import Server

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def server(retired_site: FrozenSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("pages")
    with servers.serve_host("github-pages", retired_site.release, folder) as server:
        yield server


@pytest.mark.parametrize("address", ["/nothing", "/blog/", "/about~", "/api/v1/nothing", "/x.md"])
def test_an_unknown_address_gets_the_sites_404_as_an_html_page(
    address: str, server: Server
) -> None:
    answer = server.ask(address)

    assert answer.status == 404
    assert b"<h1>404 Not Found</h1>" in answer.body
    assert b'<a href="https://studio.example/llms.txt">' in answer.body


def test_a_former_page_has_an_html_page_that_redirects(server: Server) -> None:
    answer = server.ask("/apps/an-app")
    to = "https://studio.example/apps/an-app-renamed"

    assert answer.status == 200
    assert f'<meta http-equiv="refresh" content="0; url={to}">'.encode() in answer.body
    assert f'<link rel="canonical" href="{to}">'.encode() in answer.body


def test_the_folder_has_hidden_files_and_no_variants(server: Server) -> None:
    public = server.folder / "public"
    names = {str(path.relative_to(public)) for path in public.rglob("*") if path.is_file()}

    assert {".nojekyll", "404.html", ".well-known/security.txt"} <= names
    assert {entry.file for entry in server.release.documents} <= names
    assert not any(name.endswith((".br", ".gz")) for name in names)
