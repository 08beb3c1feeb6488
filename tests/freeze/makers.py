"""Sites to freeze, and freezes of them in this process."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone
from msgspec.structs import replace

from catalogue import addresses
from catalogue.models import App, Page, Post, State
from site_mirror.freezing import freeze_site
from site_mirror.snapshot import manifest
from site_mirror.snapshot.engine import Report
from site_mirror.snapshot.layout import MADE, MANIFEST, SEAL
from site_mirror.snapshot.manifest import Entry, Manifest
from site_mirror.snapshot.target import Target
from tests import rows
from tests.freeze import plain

MOMENT, LATER = plain.MOMENT, plain.LATER
unseen = plain.unseen
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
VIETNAMESE_APP = {"tagline_vi": "Nó đo.", "description_vi": "Nó đo.", "icon_svg": ICON}
VIETNAMESE_POST = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Một bài."}

LISTS_OF_POSTS = {
    f"{page}{suffix}" for page in ("/", "/blog", "/blog/years/2026") for suffix in ("", ".md")
} - {"/.md"} | {"/index.md"}
"""Pages that show the posts of `make_site` in short."""


def make_site() -> None:
    """A row of every kind, in both languages where a page is made of it."""
    rows.make_studio()
    rows.make_team_member()
    rows.make_app(**VIETNAMESE_APP)
    rows.make_post(slug="newer", publish_at=rows.PAST + timedelta(days=1), **VIETNAMESE_POST)
    rows.make_post(slug="older", body_en="A long body. " * 200)
    rows.make_topic()
    rows.make_principle()
    rows.make_entry()
    rows.make_statistic()
    rows.make_version()
    make_pages()


def make_pages() -> None:
    """The standing pages, with the places on them that documents link to."""
    for slug in addresses.STANDING_PAGES:
        rows.make_page(slug=slug, title_vi="Trang", body_vi="Chào.")
    Page.objects.filter(slug="docs-problems").update(body_en="## Rate limit exceeded\n\nWait.")


HIDDEN = ("hidden-draft", "hidden-app")


def make_hidden_rows() -> None:
    """What no reader may see yet, under slugs that are in no other text."""
    draft, app = HIDDEN
    rows.make_post(slug=draft, state=State.DRAFT)
    rows.make_app(slug=app, publish_at=timezone.now() + timedelta(days=1))


def rename_what_has_an_address() -> None:
    """Leave former slugs behind, of an app and of a post."""
    for model, slug in ((App, "an-app"), (Post, "newer")):
        row = model.objects.get(slug=slug)
        row.slug = f"{slug}-renamed"
        row.save()


def retire_the_version() -> None:
    rows.retire_version(
        "v1",
        status="deprecated",
        announced=datetime(2026, 1, 1, tzinfo=UTC),
        deprecation=datetime(2026, 2, 1, tzinfo=UTC),
        sunset=datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC),
    )
    rows.make_version(version="v2", api_version="2.0.0", released=date(2026, 1, 1))


def make_retired_site() -> None:
    """A site whose version is deprecated and whose app and post have had other slugs."""
    make_site()
    rename_what_has_an_address()
    retire_the_version()


def edit(post_slug: str, /, **changes: Any) -> None:
    """Change a post as an editor does."""
    post = Post.objects.get(slug=post_slug)
    for name, value in changes.items():
        setattr(post, name, value)
    post.save()


def freeze_into(folder: Path, moment: datetime = MOMENT, **options: Any) -> Report:
    return freeze_site(folder, at=timezone.now(), moment=moment, progress=unseen, **options)


def frozen_manifest(folder: Path) -> Manifest:
    found = manifest.read(folder / "current" / MANIFEST)
    if found is None:
        raise AssertionError(f"There is no manifest in {folder}.")
    return found


def entries(folder: Path) -> dict[str, Entry]:
    """What is served at each address of a target."""
    return manifest.by_address(frozen_manifest(folder).documents)


def promised(entry: Entry) -> Entry:
    """What an entry says of its answer, whatever it was made of."""
    return replace(entry, inputs="")


def served(folder: Path, entry: Entry) -> bytes:
    return (Target(folder).public / entry.file).read_bytes()


def tree(folder: Path) -> dict[str, bytes | str]:
    """Every file below a folder with its bytes, every link with what it points to."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def published(folder: Path) -> tuple[str, dict[str, bytes | str]]:
    """What a target serves: the release's name and its bytes.

    What a freeze notes of its own making is not among them: it tells of files and clocks.
    """
    served = tree((folder / "current").resolve())
    for name in MADE, SEAL:
        served.pop(name, None)
    return str((folder / "current").readlink()), served


def leftovers(folder: Path) -> set[str]:
    """Names in a target beside its releases, its link, its lock and its state."""
    releases = {path.name for path in (folder / "releases").iterdir()}
    partial = {name for name in releases if not name[0].isdigit()}
    return partial | {path.name for path in folder.iterdir()} - {
        *("releases", "current", ".lock", ".checked")
    }


def releases(folder: Path) -> set[str]:
    return {f"releases/{path.name}" for path in (folder / "releases").iterdir()}
