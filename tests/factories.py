"""Factories of valid rows, one for each model: a test passes only the values that it needs."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from io import BytesIO
from typing import Any

from django.apps import apps
from django.db.models import Model
from PIL import Image as Picture

from api.contract import API_VERSION
from catalogue.models import (
    ApiVersion,
    App,
    AppPicture,
    FormerAppSlug,
    FormerPostSlug,
    FormerTagSlug,
    Image,
    Page,
    Post,
    PostPicture,
    Principle,
    Revision,
    ScienceTopic,
    State,
    Statistic,
    Studio,
    Symbol,
    Tag,
    TagPicture,
    TeamMember,
    TimelineEntry,
    TimelineLink,
)

PAST = datetime(2026, 1, 5, 2, tzinfo=UTC)
NOW = PAST + timedelta(days=30)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
FUTURE = NOW + timedelta(seconds=1)
SHOWN: dict[str, Any] = {"state": State.PUBLISHED, "publish_at": PAST}
HIDDEN: dict[str, dict[str, Any]] = {
    "draft": {"state": State.DRAFT, "publish_at": None},
    "withdrawn": {"state": State.DRAFT, "publish_at": PAST},
    "scheduled": {"state": State.PUBLISHED, "publish_at": PAST.replace(year=2126)},
}
POST_TAG: type[Model] = Post.tags.through
TOPIC_APP: type[Model] = ScienceTopic.apps.through
EMPTY_ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>'


def make_studio(**changes: Any) -> Studio:
    return Studio.objects.create(**{"name": "A Studio", "email": "hello@studio.example"} | changes)


def make_team_member(**changes: Any) -> TeamMember:
    return TeamMember.objects.create(**{"handle": "linh", "role_en": "Mobile"} | changes)


def make_app(**changes: Any) -> App:
    values = {
        "slug": "an-app",
        "name": "An App",
        "tagline_en": "It measures.",
        "description_en": "It measures and says how well.",
        "category": "utilities",
        "status": "live",
        "on_ios": True,
    }
    return App.objects.create(**values | SHOWN | changes)


def make_translated_app(**changes: Any) -> App:
    """Create an app with a page in Vietnamese and an icon."""
    return make_app(**{"description_vi": "Mô tả", "icon_svg": EMPTY_ICON} | changes)


def make_former_app_slug(owner: App | None = None, slug: str = "an-old-app") -> FormerAppSlug:
    return FormerAppSlug.objects.create(slug=slug, owner=owner or make_app())


def make_post(**changes: Any) -> Post:
    values = {
        "slug": "a-post",
        "title_en": "A post",
        "excerpt_en": "One sentence. Another one.",
        "body_en": "A body.",
    }
    return Post.objects.create(**values | SHOWN | changes)


def make_translated_post(**changes: Any) -> Post:
    values = {"title_vi": "Bài", "excerpt_vi": "Tóm tắt.", "body_vi": "Thân bài."}
    return make_post(**values | changes)


def make_former_post_slug(owner: Post | None = None, slug: str = "an-old-post") -> FormerPostSlug:
    return FormerPostSlug.objects.create(slug=slug, owner=owner or make_post())


def make_tag(**changes: Any) -> Tag:
    return Tag.objects.create(**{"slug": "a-tag", "name_en": "A tag"} | changes)


def make_former_tag_slug(owner: Tag | None = None, slug: str = "an-old-tag") -> FormerTagSlug:
    return FormerTagSlug.objects.create(slug=slug, owner=owner or make_tag())


def make_picture(table: Any, **changes: Any) -> Any:
    """Create a picture that was not drawn, or put it in the place of one that was."""
    owner = changes.pop("owner", None) or FACTORIES[table.owner.field.related_model]()
    values = {"digest": "1", "png": b"\x89PNG"}
    key = {"owner": owner, "language": "en"} | changes
    return table.objects.update_or_create(**key, defaults=values)[0]


def make_topic(**changes: Any) -> ScienceTopic:
    values = {
        "slug": "a-topic",
        "name_en": "A topic",
        "formula_text": "v = f λ",
        "formula_latex": r"v = f \lambda",
        "explanation_en": "Speed is frequency times wavelength.",
    }
    return ScienceTopic.objects.create(**values | SHOWN | changes)


def make_symbol(topic: ScienceTopic | None = None, **changes: Any) -> Symbol:
    values = {"topic": topic or make_topic(), "symbol": "f", "meaning_en": "frequency"}
    return Symbol.objects.create(**values | changes)


def make_principle(**changes: Any) -> Principle:
    values = {"slug": "a-principle", "title_en": "A principle", "statement_en": "Say it once."}
    return Principle.objects.create(**values | SHOWN | changes)


def make_entry(**changes: Any) -> TimelineEntry:
    values = {"slug": "an-entry", "date": "2021-06", "subject": "studio", "title_en": "An entry"}
    return TimelineEntry.objects.create(**values | SHOWN | changes)


def make_link(entry: TimelineEntry | None = None, **changes: Any) -> TimelineLink:
    values = {"entry": entry or make_entry(), "label_en": "A link", "href": "/a"}
    return TimelineLink.objects.create(**values | changes)


def make_statistic(**changes: Any) -> Statistic:
    values = {"slug": "instruments", "label_en": "Instruments", "value": 24, "display": "24"}
    return Statistic.objects.create(**values | changes)


def make_version(**changes: Any) -> ApiVersion:
    """Create a version as a restored backup does, with an announcement of the past."""
    values = {
        "version": "v1",
        "api_version": API_VERSION,
        "status": "current",
        "released": date(2025, 2, 10),
    }
    version = ApiVersion(**values | changes)
    version.save_base(raw=True, force_insert=True)
    return version


def retire_version(version: str, **changes: Any) -> ApiVersion:
    """Replace a version by one whose retirement was announced long ago."""
    former = ApiVersion.objects.get(version=version)
    values = {"api_version": former.api_version, "released": former.released}
    former.delete()
    return make_version(**{"version": version, "pk": former.pk, **values, **changes})


def make_page(**changes: Any) -> Page:
    values = {"slug": "home", "title_en": "Home", "body_en": "Welcome."}
    return Page.objects.create(**values | changes)


@cache
def encode_picture(width: int, height: int) -> bytes:
    file = BytesIO()
    Picture.new("L", (width, height)).save(file, "WEBP")
    return file.getvalue()


def make_image(**changes: Any) -> Image:
    """Create an image in two widths."""
    values = {
        "slug": "an-image",
        "alt_en": "Two waves that cross",
        "alt_vi": "Hai sóng giao nhau",
        "format": "webp",
        "width": 1600,
        "height": 900,
        "file": encode_picture(1600, 900),
        "small": encode_picture(640, 360),
    }
    return Image.objects.create(**values | changes)


def make_one_of_each() -> None:
    """Create a row of every model that the admin edits, with a row in every inline."""
    make_studio()
    make_team_member()
    make_statistic()
    make_page()
    make_version()
    make_principle()
    make_image()
    app = make_app(icon_svg=EMPTY_ICON, stack=["Swift", "Kotlin"])
    make_former_app_slug(app, "an-older-app")
    post = make_post(app=app, body_en="A body.\n\n## Its end")
    tag = make_tag()
    post.tags.add(tag)
    make_former_post_slug(post, "an-older-post")
    make_former_tag_slug(tag, "an-older-tag")
    make_symbol(symbol="v", meaning_en="speed")
    make_link(label_en="An app", href="/apps/an-app")


def make_post_tag() -> Model:
    return POST_TAG._default_manager.create(post=make_post(), tag=make_tag())


def make_topic_app() -> Model:
    values = {"sciencetopic": make_topic(), "app": make_app()}
    return TOPIC_APP._default_manager.create(**values)


def make_revision() -> Revision:
    """Return the row that a trigger writes with the first content."""
    make_team_member(handle="mai")
    return Revision.objects.get()


FACTORIES: dict[type[Model], Callable[..., Model]] = {
    ApiVersion: make_version,
    App: make_app,
    AppPicture: partial(make_picture, AppPicture),
    FormerAppSlug: make_former_app_slug,
    FormerPostSlug: make_former_post_slug,
    FormerTagSlug: make_former_tag_slug,
    Image: make_image,
    Page: make_page,
    Post: make_post,
    PostPicture: partial(make_picture, PostPicture),
    POST_TAG: make_post_tag,
    Principle: make_principle,
    ScienceTopic: make_topic,
    Statistic: make_statistic,
    Studio: make_studio,
    Symbol: make_symbol,
    Tag: make_tag,
    TagPicture: partial(make_picture, TagPicture),
    TeamMember: make_team_member,
    TimelineEntry: make_entry,
    TimelineLink: make_link,
    TOPIC_APP: make_topic_app,
}

CHANGES: dict[type[Model], tuple[str, Callable[[], Any]]] = {
    ApiVersion: ("api_version", lambda: "1.1.0"),
    App: ("name", lambda: "Another name"),
    AppPicture: ("digest", lambda: "2"),
    FormerAppSlug: ("slug", lambda: "an-older-app"),
    FormerPostSlug: ("slug", lambda: "an-older-post"),
    FormerTagSlug: ("slug", lambda: "an-older-tag"),
    Image: ("width", lambda: 1500),
    Page: ("title_en", lambda: "Another title"),
    Post: ("title_en", lambda: "Another title"),
    PostPicture: ("digest", lambda: "2"),
    POST_TAG: ("tag_id", lambda: make_tag(slug="another-tag").pk),
    Principle: ("title_en", lambda: "Another title"),
    ScienceTopic: ("name_en", lambda: "Another name"),
    Statistic: ("label_en", lambda: "Another label"),
    Studio: ("name", lambda: "Another name"),
    Symbol: ("unit", lambda: "Hz"),
    Tag: ("name_en", lambda: "Another name"),
    TagPicture: ("digest", lambda: "2"),
    TeamMember: ("role_en", lambda: "Another role"),
    TimelineEntry: ("title_en", lambda: "Another title"),
    TimelineLink: ("label_en", lambda: "Another label"),
    TOPIC_APP: ("app_id", lambda: make_app(slug="another-app").pk),
}


def list_tables() -> list[type[Model]]:
    """Return every model of the catalogue, including many-to-many tables."""
    return list(apps.get_app_config("catalogue").get_models(include_auto_created=True))


def list_content_tables() -> list[type[Model]]:
    return [model for model in list_tables() if model is not Revision]


def make_unsaved(model: type[Model]) -> Model:
    """Return a valid row that is not saved, while the rows to which it refers are."""
    row = FACTORIES[model]()
    model._default_manager.filter(pk=row.pk).delete()
    row.pk = model._meta.pk.get_default()
    row._state.adding = True
    return row
