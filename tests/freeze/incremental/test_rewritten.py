"""An edit rewrites only the documents that show it; other files keep their inodes.

The bytes show which documents these are: a unique word is replaced by another unique word, and
a document shows the edit if it has either.
"""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import F, Model
from django.utils import timezone

from catalogue.models import App, Post, Tag
from tests import factories
from tests.freeze.incremental import corpus, freezes

pytestmark = pytest.mark.django_db

POST_COUNT = 60
"""Number of posts beside those of the small site."""
EDITED_SLUG = "p30"
A_DAY_LATER = corpus.NOW + timedelta(days=1)
ALL_TEXTS = pytest.mark.exhaustive("freezes a blog for each text of a row")
TEXTS = ("title_en", "title_vi", "excerpt_en", "excerpt_vi", "body_en", "body_vi")


def make_word(animal: str, field: str) -> str:
    """Return a word that only one field has, and that no format has to escape."""
    return f"{animal}In{field.title().replace('_', '')}Alone"


def make_texts(animal: str, *fields: str) -> dict[str, str]:
    return {field: f"{make_word(animal, field)}." for field in fields}


@pytest.fixture(scope="module")
def blog(open_database: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with a release of a blog in the test database. Copy it before you write."""
    corpus.make_site()
    for number in range(POST_COUNT):
        said = dict.fromkeys(TEXTS, f"Text {number}.")
        factories.make_post(slug=f"p{number}", **said, **corpus.on_day(10 + number * 5))
    set_unique_texts(make_texts("Quokka", *TEXTS))
    for model in (Post, App):  # so that an edit in the same second has another moment
        model._base_manager.update(edited_at=timezone.now() - timedelta(hours=1))
    target = tmp_path_factory.mktemp("blog") / "site"
    freezes.freeze(target)
    return target


def set_unique_texts(texts: dict[str, str]) -> None:
    """Set texts of one post, its app and its tag that no other row has."""
    post, tag = Post.objects.get(slug=EDITED_SLUG), Tag.objects.get(slug="sound")
    Post.objects.filter(pk=post.pk).update(app=App.objects.get(slug="first"), **texts)
    post.tags.add(tag)
    Tag.objects.filter(pk=tag.pk).update(**make_texts("Quokka", "name_en", "name_vi"))
    App.objects.filter(slug="first").update(**make_texts("Quokka", "name", "tagline_vi"))


@dataclass(frozen=True)
class Published:
    """The bytes of a document and the inodes of its files."""

    body: bytes
    inodes: dict[str, int]


def read_documents(target: Path) -> dict[str, Published]:
    public = target / "current/public"
    return {
        address: Published(
            (public / line["file"]).read_bytes(),
            {file: (public / file).stat().st_ino for file in freezes.list_files(line)},
        )
        for address, line in freezes.read_documents(target).items()
    }


def find_rewritten(before: dict[str, Published], after: dict[str, Published]) -> set[str]:
    """Return the addresses of documents that are new or have another inode."""
    return {
        address
        for address, document in after.items()
        if address not in before or before[address].inodes != document.inodes
    }


WITH_MOMENT_OF_EDIT: dict[type[Model], set[str]] = {
    Post: {"/sitemap.xml", f"/blog/{EDITED_SLUG}", f"/vi/blog/{EDITED_SLUG}"},
    App: {"/sitemap.xml"},
    Tag: set(),
}
"""Documents that have the moment of the last edit of a row."""


def find_showing(word: str, documents: dict[str, Published]) -> set[str]:
    return {address for address, each in documents.items() if word.encode() in each.body}


@pytest.mark.parametrize(
    ("model", "slug", "field"),
    [
        (Post, EDITED_SLUG, "body_vi"),
        (Tag, "sound", "name_vi"),
        (App, "first", "name"),
        *(
            pytest.param(Post, EDITED_SLUG, field, marks=ALL_TEXTS)
            for field in ("title_en", "title_vi", "excerpt_en", "excerpt_vi", "body_en")
        ),
        pytest.param(Tag, "sound", "name_en", marks=ALL_TEXTS),
        pytest.param(App, "first", "tagline_vi", marks=ALL_TEXTS),
    ],
)
def test_an_edit_rewrites_only_the_documents_that_show_it(
    model: type[Model], slug: str, field: str, blog: Path, tmp_path: Path
) -> None:
    target = freezes.copy_target(blog, tmp_path / "site")
    before = read_documents(target)
    model._base_manager.filter(slug=slug).update(**make_texts("Wombat", field))

    freeze = freezes.freeze(target, moment=A_DAY_LATER)

    after = read_documents(target)
    expected = find_showing(make_word("Quokka", field), before) | find_showing(
        make_word("Wombat", field), after
    )
    assert expected
    expected |= WITH_MOMENT_OF_EDIT[model]
    assert find_rewritten(before, after) == expected
    files = sum(len(after[address].inodes) for address in expected)
    assert (freeze.report["written"], freeze.report["removed"]) == (files, 0)
    assert freeze.report["kept"] == sum(len(each.inodes) for each in after.values()) - files


def test_a_changed_title_rewrites_the_expected_documents_only(blog: Path, tmp_path: Path) -> None:
    target = freezes.copy_target(blog, tmp_path / "site")
    before = read_documents(target)
    Post.objects.filter(slug=EDITED_SLUG).update(title_en="Another")

    freezes.freeze(target, moment=A_DAY_LATER)

    after = read_documents(target)
    assert find_rewritten(before, after) == {
        *("/api/v1/posts", f"/api/v1/posts/{EDITED_SLUG}"),
        *with_mirrors(f"/blog/{EDITED_SLUG}", "/blog/p29", "/blog/p31"),
        *with_mirrors("/blog/years/2026", "/blog/tags/sound", "/apps/first"),
        *("/llms.txt", "/llms-full.txt", "/sitemap.md", "/sitemap.xml", f"/vi/blog/{EDITED_SLUG}"),
    }
    assert len(find_rewritten(before, after)) < len(after) / 10


def with_mirrors(*pages: str) -> set[str]:
    return {f"{page}{suffix}" for page in pages for suffix in ("", ".md")}


def test_an_edit_that_no_document_shows_rewrites_no_file(blog: Path, tmp_path: Path) -> None:
    target = freezes.copy_target(blog, tmp_path / "site")
    before = read_documents(target)
    Post.objects.filter(slug="draft").update(body_en="Another.")
    Post.objects.exclude(slug="draft").update(title_en=F("title_en"), body_vi=F("body_vi"))
    Tag.objects.create(slug="nothing", name_en="Nothing")

    freeze = freezes.freeze(target, moment=A_DAY_LATER)

    assert freeze.outcome == "unchanged"
    assert read_documents(target) == before
