"""Queries for published content, one function for each list, with the moment as an argument.

Each returns a queryset whose related rows are read in a constant number of queries.
"""

from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    F,
    Max,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce, ExtractYear, Greatest, NullIf
from django.utils import timezone

from catalogue import addresses
from catalogue.models import (
    ApiVersion,
    App,
    AppStatus,
    Image,
    Page,
    Post,
    Principle,
    ScienceTopic,
    State,
    Statistic,
    Studio,
    Tag,
    TeamMember,
    TimelineEntry,
    is_visible,
)
from catalogue.models.collation import Bytewise, JoinedSlugs
from catalogue.models.post import FETCHED_APP, FETCHED_SLUGS, FETCHED_TAGS
from catalogue.models.science import FETCHED_APPS
from catalogue.models.timeline import SHOWN_LINKS
from catalogue.texts.localized import LANGUAGES
from catalogue.triggers.revision import PUBLISHABLE

Row = TypeVar("Row", bound=Model)
Rows = TypeVar("Rows", bound=QuerySet[Any])

TEXTS = ("body_en", "body_vi")
HAS_PICTURE = tuple(f"has_picture_{language}" for language in LANGUAGES)
EDITS = ((App, "edited_at"), (Post, "edited_at"))


class PostTitle(NamedTuple):
    """The members of a post that lists show."""

    slug: str
    title_en: str
    title_vi: str
    excerpt_en: str
    excerpt_vi: str
    publish_at: datetime
    edited_at: datetime | None


def studio(at: datetime) -> QuerySet[Studio]:
    """Return the studio with the counts of its profile."""
    return Studio.objects.annotate(
        team_size=count_rows(TeamMember.objects.all()),
        app_count=count_rows(App.objects.published(at=at)),
        post_count=count_rows(Post.objects.published(at=at)),
    )


def team(at: datetime) -> QuerySet[TeamMember]:
    return TeamMember.objects.order_by("position", Bytewise("handle"))


def apps(at: datetime) -> QuerySet[App]:
    return App.objects.published(at=at).in_order()


def apps_in(at: datetime, *, language: str) -> QuerySet[App]:
    return with_text_in(apps(at), "description", language)


def apps_with_company(at: datetime, *, language: str) -> QuerySet[App]:
    """Return apps in a language, with the posts and the science topics that readers may see."""
    topics = ScienceTopic.objects.published(at=at).in_order()
    return with_pictures(apps_in(at, language=language)).prefetch_related(
        Prefetch("posts", queryset=Post.objects.published(at=at).newest_first().defer(*TEXTS)),
        Prefetch("science_topics", queryset=topics),
    )


def apps_with_icon(at: datetime) -> QuerySet[App]:
    return apps(at).exclude(icon_svg="")


def posts(at: datetime) -> QuerySet[Post]:
    tags = Prefetch("tags", queryset=Tag.objects.order_by(Bytewise("slug")), to_attr=FETCHED_TAGS)
    return Post.objects.published(at=at).newest_first().prefetch_related(tags)


def post_summaries(at: datetime) -> QuerySet[Post]:
    """Return posts without the Vietnamese text, and of their tags the slugs alone.

    Objects of the tags would take a third of the time of a long list.
    """
    tags = Tag.objects.filter(posts=OuterRef("pk")).values("posts")
    slugs = Subquery(tags.annotate(slugs=JoinedSlugs("slug")).values("slugs"))
    posts = Post.objects.published(at=at).newest_first().defer("body_vi")
    return posts.annotate(**{FETCHED_SLUGS: slugs})


def posts_with_apps(at: datetime) -> QuerySet[Post]:
    """Return posts with tags and authors, and with their apps if readers may see them."""
    shown = Prefetch("app", queryset=App.objects.published(at=at), to_attr=FETCHED_APP)
    return with_pictures(posts(at)).prefetch_related(shown, "author")


def posts_in(at: datetime, *, language: str) -> QuerySet[Post]:
    return with_text_in(posts(at), "body", language)


def post_titles(at: datetime, *, language: str) -> QuerySet[Post, Any]:
    """Return a `PostTitle` of each post in a language.

    A freeze lists each post several times, and objects of a model take twice the time.
    """
    rows = with_text_in(Post.objects.published(at=at).newest_first(), "title", language)
    return rows.values_list(*PostTitle._fields, named=True)


def posts_beside(
    at: datetime, post: Post, *, language: str
) -> tuple[PostTitle | None, PostTitle | None]:
    """Return the newer post and the older one, those with an equal moment by their slugs."""
    rows, moment = post_titles(at, language=language).alias(bytes=Bytewise("slug")), post.publish_at
    newer = Q(publish_at__gt=moment) | Q(publish_at=moment, bytes__lt=post.slug)
    older = Q(publish_at__lt=moment) | Q(publish_at=moment, bytes__gt=post.slug)
    return rows.filter(newer).last(), rows.filter(older).first()


def facts_of_list(through: str = "") -> dict[str, Any]:
    """Return what a link to a list of posts shows: their number, and their last change.

    `translated_count` is the number of those that are written in both languages.
    """
    appeared, edited = f"{through}publish_at", f"{through}edited_at"
    # A condition with `When` would be a left join, which SQLite reads for each tag and each post.
    moment = DateTimeField()
    not_past = Greatest(edited, Value(timezone.now()), output_field=moment)
    past = Coalesce(NullIf(edited, not_past), appeared, output_field=moment)
    return {
        "post_count": Count(f"{through}pk"),
        "translated_count": Count(f"{through}pk", filter=~Q(**{f"{through}title_vi": ""})),
        "changed": Max(Greatest(appeared, past, output_field=moment)),
    }


def tags(at: datetime, *, language: str) -> QuerySet[Tag]:
    """Return the tags of the posts in a language, each with the facts about these posts."""
    written = Q(**{f"posts__title_{language}__gt": ""})
    rows = Tag.objects.filter(is_visible(at, through="posts__"), written)
    return with_pictures(rows).annotate(**facts_of_list("posts__")).order_by(Bytewise("slug"))


def with_pictures(rows: Rows) -> Rows:
    """Add to rows for each language whether their page has a picture."""
    found = [Exists(pictures(rows, each).filter(owner=OuterRef("pk"))) for each in LANGUAGES]
    return rows.annotate(**dict(zip(HAS_PICTURE, found, strict=True)))


def pictures(rows: QuerySet[Any], language: str) -> QuerySet[Any]:
    """Return the pictures of the table of rows in a language, each with the slug of its row."""
    table: Any = rows.model.sharing_pictures.field.model
    found: QuerySet[Any] = table.objects.filter(language=language).annotate(slug=F("owner__slug"))
    return found.order_by(Bytewise("slug"))


def years(at: datetime, *, language: str) -> QuerySet[Post, Any]:
    """Return the years of the posts in a language, in the studio's time zone, newest first.

    Each is a named tuple with the facts about its posts.
    """
    rows = with_text_in(Post.objects.published(at=at), "title", language)
    by_year = rows.annotate(year=ExtractYear("publish_at")).values("year")
    by_year = by_year.annotate(**facts_of_list()).order_by("-year")
    return by_year.values_list("year", *facts_of_list(), named=True)


def posts_of_year(at: datetime, year: int, *, language: str) -> QuerySet[Post, Any]:
    """Return the posts of a year in the studio's time zone."""
    return post_titles(at, language=language).filter(publish_at__year=year)


def posts_of_tag(at: datetime, tag: str, *, language: str) -> QuerySet[Post, Any]:
    return post_titles(at, language=language).filter(tags__slug=tag)


def statistics(at: datetime) -> QuerySet[Statistic]:
    live_apps = count_rows(App.objects.published(at=at).filter(status=AppStatus.LIVE))
    return Statistic.objects.annotate(live_apps=live_apps).order_by("position", Bytewise("slug"))


def science_topics(at: datetime) -> QuerySet[ScienceTopic]:
    """Return topics with their symbols and those of their apps that readers may see."""
    shown = Prefetch("apps", queryset=apps(at), to_attr=FETCHED_APPS)
    return ScienceTopic.objects.published(at=at).in_order().prefetch_related("symbols", shown)


def principles(at: datetime) -> QuerySet[Principle]:
    return Principle.objects.published(at=at).in_order()


def timeline(at: datetime) -> QuerySet[TimelineEntry]:
    """Return milestones; `catalogue.milestones` makes their links those of the moment."""
    shown = Prefetch("links", to_attr=SHOWN_LINKS)
    return TimelineEntry.objects.published(at=at).newest_first().prefetch_related(shown)


def versions(at: datetime) -> QuerySet[ApiVersion]:
    return ApiVersion.objects.order_by("-released", Bytewise("version").desc())


def standing_pages(at: datetime) -> QuerySet[Page]:
    return Page.objects.order_by("slug")


def images(at: datetime, *, slug: str = "") -> QuerySet[Image]:
    """Return the images, or that of a name, whose address is in a text that readers see.

    So an image appears and disappears with the texts that show it.
    """
    part = addresses.image(slug, "") if slug else addresses.IMAGES
    names: set[str] = set()
    for rows in (Post.objects.published(at=at), Page.objects.all()):
        found = rows.filter(Q(body_en__contains=part) | Q(body_vi__contains=part)).order_by()
        for texts in found.values_list(*TEXTS).iterator():
            names.update(*map(addresses.names_of_images, texts))
    return Image.objects.filter(slug__in=names).order_by(Bytewise("slug"))


def image_facts() -> QuerySet[Image, Any]:
    """Return name, format, width and height of every image."""
    return Image.objects.order_by().values_list("slug", "format", "width", "height")


def former_slugs(at: datetime, *, of: QuerySet[Any]) -> QuerySet[Any]:
    """Return the former slugs of rows, except those under which readers see another row now."""
    rows = of.order_by()
    taken = rows.model.objects.published(at=at).filter(slug=OuterRef("slug"))
    former: QuerySet[Any] = rows.model.former_slugs.field.model.objects.select_related("owner")
    # Not `owner__in`, for which SQLite reads all rows, although few have former slugs.
    former = former.filter(~Exists(taken), Exists(rows.filter(pk=OuterRef("owner_id"))))
    return former.order_by(Bytewise("slug"))


def with_text_in(rows: QuerySet[Row], column: str, language: str) -> QuerySet[Row]:
    return rows.exclude(**{f"{column}_{language}": ""})


def next_due(at: datetime) -> datetime | None:
    """Return the next moment of a published row that is still to come, if any. One query.

    It is a publication, or an edit that was dated while the clock was ahead.
    """
    moments = [*((model, "publish_at") for model in PUBLISHABLE), *EDITS]
    first, *others = (
        model.objects.filter(state=State.PUBLISHED, **{f"{column}__gt": at})
        .order_by()
        .values_list(column, flat=True)
        for model, column in moments
    )
    return first.union(*others).order_by("publish_at").first()


def count_rows(rows: QuerySet[Any]) -> Coalesce:
    """Return an expression for the number of rows, as part of another query."""
    groups = rows.order_by().annotate(group=Value(1)).values("group")
    return Coalesce(Subquery(groups.annotate(size=Count("pk")).values("size")), 0)
