"""Links of texts to a renamed row lead to its present address, in every form and document."""

import re
from html import unescape
from itertools import product

import pytest

from catalogue.models import App, Page, Post, Studio, Tag, TimelineEntry
from site_mirror.gates.reading import read_links, target_of
from tests import factories
from tests.freeze import sites
from tests.pages.page_reader import SITE, ask, read_document

pytestmark = pytest.mark.django_db

ADDRESSES = [
    *("/apps/former-app", "/apps/former-app.md", "/apps/former-app/", "/vi/apps/former-app"),
    *("/api/v1/apps/former-app", "/api/v1/apps/former-app.json", "/icons/former-app.svg"),
    *("/blog/former-post", "/blog/former-post.md?x=1", "/vi/blog/former-post#part"),
    *("/api/v1/posts/former-post", "/api/v1/posts/former-post.json"),
    *("/blog/tags/former-tag", "/blog/tags/former-tag.md", "/vi/blog/tags/former-tag"),
]
FORMS = ["[a]({0})", "![a]({0} 'b')", "[a](<{0}>)", "> [a{1}][r{1}]\n\n[r{1}]: {0}"]
TODAYS = {target_of(each.replace("former", "todays"), "/", SITE.root) for each in ADDRESSES}
CODE = "`[a](/apps/former-app)` and /apps/former-app"
ROOTS = ("", SITE.root)

LINKS = "\n\n".join(
    (
        *(
            form.format(root + address, number)
            for number, (form, root, address) in enumerate(product(FORMS, ROOTS, ADDRESSES))
        ),
        *(f"<{SITE.root}{address}>" for address in ADDRESSES),
    )
)
RELATIVE = "[a](former-post) [b](../apps/former-app) [c](tags/former-tag)"
DOCUMENTS = [
    *("/blog/linking", "/blog/linking.md", "/vi/blog/linking", "/vi/blog/linking.md"),
    *("/privacy", "/privacy.md", "/vi/privacy", "/vi/privacy.md", "/llms-full.txt"),
    *("/blog/feed.xml", "/blog/feed.json", "/vi/blog/feed.xml", "/vi/blog/feed.json"),
]
OF_MILESTONES = [
    *("/timeline", "/timeline.md", "/vi/timeline", "/vi/timeline.md", "/", "/index.md", "/vi"),
    *("/api/v1/timeline", "/llms-full.txt"),
]


@pytest.fixture
def _renamed_rows() -> None:
    """An article and a standing page that link to an app, a post and a tag, which are renamed."""
    sites.make_site()
    factories.make_translated_app(slug="former-app")
    post = factories.make_translated_post(slug="former-post", body_vi="## Part")
    post.tags.add(factories.make_tag(slug="former-tag"))
    text = f"{LINKS}\n\n{RELATIVE}\n\n"
    factories.make_translated_post(slug="linking", body_en=text + CODE, body_vi=text + CODE)
    text = f"{LINKS}\n\n{LINKS.replace(SITE.root, '{site}').replace('[r', '[s')}\n\n"
    Page.objects.filter(slug="privacy").update(body_en=text + CODE, body_vi=text + CODE)
    milestone = TimelineEntry.objects.get()
    for root, address in product(ROOTS, ADDRESSES):
        factories.make_link(milestone, href=root + address)
    policy, contact = (f"{each}/blog/former-post" for each in ROOTS)
    Studio.objects.update(security_policy=policy, security_contact=contact)
    for model in (App, Post, Tag):
        for row in model.objects.filter(slug__startswith="former-"):
            row.slug = row.slug.replace("former", "todays")
            row.save()


def find_targets(address: str) -> set[str]:
    """Return the targets of a document's links, none former; those of a feed are in its HTML."""
    body = ask(address).content
    if "feed" in address:
        links = re.findall(r'(?:href|src)=\\?"([^"\\]*)', unescape(body.decode()))
    else:
        links = read_links(ask(address)["Content-Type"], body)
    targets = {target_of(link, address, SITE.root) for link in links}
    assert [target for target in targets if "former" in target] == []
    return targets


@pytest.mark.parametrize("address", DOCUMENTS)
@pytest.mark.usefixtures("_renamed_rows")
def test_links_to_a_renamed_row_lead_to_its_present_address(address: str) -> None:
    assert find_targets(address) >= TODAYS
    assert "/apps/former-app" in read_document(address), "code and words stay"


@pytest.mark.parametrize("address", OF_MILESTONES)
@pytest.mark.usefixtures("_renamed_rows")
def test_links_of_milestones_lead_to_the_present_address(address: str) -> None:
    found = {target.removeprefix("/vi") for target in find_targets(address)}

    assert found >= {target.removeprefix("/vi") for target in TODAYS}


@pytest.mark.usefixtures("_renamed_rows")
def test_security_txt_names_the_present_addresses() -> None:
    text = read_document("/.well-known/security.txt")

    assert text.count(f": {SITE.root}/blog/todays-post\n") == 2
