"""What hosts are given, read without their programs, which need more than `make test` has."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from obstore.store import MemoryStore

from site_mirror.hosts.bucket.publishing import publish_to_bucket
from site_mirror.hosts.bucket.store import Bucket
from site_mirror.hosts.cloudflare.tables import worker_tables
from site_mirror.hosts.github_pages import GitHubPages
from site_mirror.hosts.host import Deployment, UnsuitableRelease
from site_mirror.hosts.nginx.host import Nginx
from site_mirror.hosts.release import ServedRelease
from tests.hosts.conftest import FrozenSite

DEPLOYMENT = Deployment(Path("/srv/release"), Path("/srv/host"))


def test_a_row_of_the_worker_names_a_page_and_its_mirror(retired_site: FrozenSite) -> None:
    release = retired_site.release
    rows = {
        address: (row.get("page"), row.get("mirror"))
        for table in worker_tables(release)
        for address, row in json.loads(table).items()
    }

    pages = {page: (page, mirror.address) for page, mirror in release.mirrors.items()}
    assert {address: forms for address, forms in rows.items() if any(forms)} == pages


def test_only_former_pages_have_a_page_that_redirects(retired_site: FrozenSite) -> None:
    release = retired_site.release
    former = {redirect.address.removeprefix("/") for redirect in release.redirects}
    files = GitHubPages().files(release, DEPLOYMENT)

    moved = {f"{address}.html" for address in former} & {
        file.removeprefix("public/") for file in files
    }
    pages = {address for address in former if not address.startswith("api/")}
    assert moved == {f"{page}.html" for page in pages if not page.endswith((".md", ".svg", ".png"))}
    page, to = files["public/apps/an-app.html"], f"{release.root}/apps/an-app-renamed"
    assert f'<meta http-equiv="refresh" content="0; url={to}">'.encode() in bytes(page)
    assert f'<link rel="canonical" href="{to}">'.encode() in bytes(page)


def test_the_folder_for_pages_has_its_404_and_hidden_files_and_no_variants(
    retired_site: FrozenSite,
) -> None:
    release = retired_site.release
    files = GitHubPages().files(release, DEPLOYMENT)
    names = {name.removeprefix("public/") for name in files}

    assert {".nojekyll", ".well-known/security.txt"} <= names
    assert {entry.file for entry in release.documents} <= names
    assert not any(name.endswith((".br", ".gz")) for name in names)
    not_found = bytes(files["public/404.html"])
    assert b"<h1>404 Not Found</h1>" in not_found
    assert f'<a href="{release.root}/llms.txt">'.encode() in not_found


@pytest.mark.parametrize(
    "prepare",
    [
        lambda release: GitHubPages().files(release, DEPLOYMENT),
        lambda release: publish_to_bucket(release, Bucket(MemoryStore())),
    ],
    ids=["GitHub Pages", "a bucket"],
)
def test_a_release_is_refused_if_only_a_redirect_would_save_a_link(
    retired_site: FrozenSite, prepare: Callable[[ServedRelease], object]
) -> None:
    """These hosts have no redirects, and pages in their place for former pages alone."""
    release = retired_site.release
    moved = replace(release.redirects[0], location=f"{release.root}/about/us.md")
    prepare(replace(release, redirects=[replace(moved, address="/about")]))
    with pytest.raises(UnsuitableRelease) as refused:
        prepare(replace(release, redirects=[replace(moved, address="/about.md")]))

    rest = "a former address, which this host cannot redirect: use https://studio.example/about/us."
    assert f"/about links to /about.md, {rest}md." in str(refused.value)
    assert f"/llms.txt links to https://studio.example/about.md, {rest}md." in str(refused.value)


def test_a_dollar_in_an_address_is_no_variable_of_nginx(retired_site: FrozenSite) -> None:
    release = retired_site.release
    entry = replace(release.by_address["/api/v1/team"], address="/cost$", aliases=())
    files = Nginx().files(replace(release, documents=(*release.documents, entry)), DEPLOYMENT)

    assert b'"/cost${dollar}" "api/v1/team.json";' in files["tables.conf"]
