"""What readers can ask of the catalogue: one question a list, with the moment as an argument.

Each answers a queryset whose related rows come in a constant number of queries.
"""

from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, date, datetime
from typing import Any, TypeVar

from django.db.models import Count, Exists, Model, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, ExtractYear
from django.utils import timezone
from msgspec import Struct

from catalogue.collation import bytewise
from catalogue.models import (
    ApiVersion,
    App,
    FormerAppSlug,
    FormerPostSlug,
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
)
from catalogue.models.workflow import changed_at
from catalogue.revision import PUBLISHABLE
from catalogue.targets import shown_links

Row = TypeVar("Row", bound=Model)

POSTS = "shown_posts"
"""What `tags` calls the number of a tag's posts."""


def studio(at: datetime) -> QuerySet[Studio]:
    """The studio with what its profile counts."""
    return Studio.objects.annotate(
        team_size=counted(TeamMember.objects.all()),
        app_count=counted(App.objects.published(at=at)),
        post_count=counted(Post.objects.published(at=at)),
    )


def team(at: datetime) -> QuerySet[TeamMember]:
    return TeamMember.objects.order_by("position", bytewise("handle"))


def apps(at: datetime) -> QuerySet[App]:
    return App.objects.published(at=at).in_order()


def apps_in_vietnamese(at: datetime) -> QuerySet[App]:
    return apps(at).exclude(description_vi="")


def apps_in(at: datetime, *, language: str) -> QuerySet[App]:
    return in_language(apps(at), "description", language)


def apps_with_company(at: datetime, *, language: str) -> QuerySet[App]:
    """Apps in a language, with the posts and the science topics that readers may see."""
    topics = ScienceTopic.objects.published(at=at).in_order()
    return apps_in(at, language=language).prefetch_related(
        Prefetch("posts", queryset=post_titles(at)),
        Prefetch("science_topics", queryset=topics),
    )


def apps_with_icon(at: datetime) -> QuerySet[App]:
    return apps(at).exclude(icon_svg="")


def posts(at: datetime) -> QuerySet[Post]:
    return Post.objects.published(at=at).newest_first().prefetch_related("tags")


def post_summaries(at: datetime) -> QuerySet[Post]:
    """Posts without the Vietnamese text, which no summary needs."""
    return posts(at).defer("body_vi")


def post_titles(at: datetime) -> QuerySet[Post]:
    """Posts as lists have them, without their texts and tags."""
    return Post.objects.published(at=at).newest_first().defer("body_en", "body_vi")


def post_titles_in(at: datetime, *, language: str) -> QuerySet[Post]:
    return in_language(post_titles(at), "title", language)


def posts_in(at: datetime, *, language: str) -> QuerySet[Post]:
    return in_language(Post.objects.published(at=at).newest_first(), "body", language)


POST_COLUMNS = tuple(field.attname for field in Post._meta.concrete_fields)


def post_values(at: datetime) -> Iterator[tuple[Any, ...]]:
    """`POST_COLUMNS` of every post, the newest first."""
    rows = Post.objects.published(at=at).newest_first().values_list(*POST_COLUMNS)
    return rows.iterator(chunk_size=500)


def post_values_of(keys: Sequence[int]) -> list[tuple[Any, ...]]:
    """`POST_COLUMNS` of the posts of some keys, in their order."""
    rows = Post.objects.filter(pk__in=keys).values_list("pk", *POST_COLUMNS)
    found = {key: tuple(values) for key, *values in rows}
    return [found[key] for key in keys]


def tags_by_key() -> dict[int, Tag]:
    """In the order of their slugs."""
    return {tag.pk: tag for tag in Tag.objects.order_by(bytewise("slug"))}


def apps_by_key(at: datetime) -> dict[int, App]:
    """The apps that readers may see."""
    return {app.pk: app for app in App.objects.published(at=at)}


class PostName(Struct, frozen=True):
    """What a link to a post says."""

    slug: str
    title_en: str
    title_vi: str


class PostCard(Struct, frozen=True):
    """What lists say of a post."""

    slug: str
    title_en: str
    title_vi: str
    excerpt_en: str
    excerpt_vi: str
    publish_at: datetime
    edited_at: datetime | None
    date: date

    @property
    def changed_at(self) -> datetime | None:
        return changed_at(self.publish_at, self.edited_at)


def post_cards(at: datetime) -> Iterator[tuple[int, PostCard]]:
    """Of every post, with its key, the newest first."""
    zone = timezone.get_current_timezone()
    columns = PostCard.__struct_fields__[:-1]
    rows = Post.objects.published(at=at).newest_first().values_list("pk", *columns)
    appeared = columns.index("publish_at")
    for key, *told in rows.iterator(chunk_size=500):
        yield key, PostCard(*[*told, told[appeared].astimezone(zone).date()])


def tags_by_post() -> dict[int, tuple[int, ...]]:
    """The keys of the tags of every post that has some, in ascending order.

    Posts with the same tags share one tuple.
    """
    through = Post.tags.through.objects.order_by("tag_id")
    given: dict[int, tuple[int, ...]] = {}
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    for post, tag in through.values_list("post_id", "tag_id").iterator(chunk_size=2000):
        tags = (*given.get(post, ()), tag)
        given[post] = known.setdefault(tags, tags)
    return given


def newer_post(at: datetime, post: Post, *, language: str) -> Post | None:
    """The post before this one in the list of a language."""
    rows = post_titles_in(at, language=language).annotate(bytes=bytewise("slug"))
    after = Q(publish_at__gt=post.publish_at)
    beside = Q(publish_at=post.publish_at, bytes__lt=post.slug)
    return rows.filter(after | beside).last()


def older_post(at: datetime, post: Post, *, language: str) -> Post | None:
    """The post after this one in the list of a language."""
    rows = post_titles_in(at, language=language).annotate(bytes=bytewise("slug"))
    before = Q(publish_at__lt=post.publish_at)
    beside = Q(publish_at=post.publish_at, bytes__gt=post.slug)
    return rows.filter(before | beside).first()


def tags(at: datetime, *, language: str) -> QuerySet[Tag]:
    """Tags of the posts in a language, each with their number."""
    seen = in_language(Post.objects.published(at=at), "title", language)
    rows = Tag.objects.filter(posts__in=seen).annotate(**{POSTS: Count("posts")})
    return rows.order_by(bytewise("slug"))


def years(at: datetime, *, language: str) -> QuerySet[Post, tuple[int, int]]:
    """The years, in the studio's time zone, with their numbers of posts in a language."""
    rows = in_language(Post.objects.published(at=at), "title", language)
    by_year = rows.annotate(year=ExtractYear("publish_at")).values("year").annotate(n=Count("pk"))
    return by_year.order_by("-year").values_list("year", "n")


def posts_of_year(at: datetime, year: int, *, language: str) -> QuerySet[Post]:
    """Posts of a year of the studio's calendar; none of a year whose limits have no UTC."""
    posts = post_titles_in(at, language=language)
    if not MINYEAR < year < MAXYEAR:
        return posts.none()
    return posts.filter(publish_at__year=year)


def posts_of_tag(at: datetime, tag: Tag, *, language: str) -> QuerySet[Post]:
    return post_titles_in(at, language=language).filter(tags=tag)


def posts_in_vietnamese(at: datetime) -> QuerySet[Post]:
    return posts(at).exclude(body_vi="")


def statistics(at: datetime) -> QuerySet[Statistic]:
    live_apps = counted(App.objects.published(at=at).live())
    return Statistic.objects.annotate(live_apps=live_apps).order_by("position", bytewise("slug"))


def science_topics(at: datetime) -> QuerySet[ScienceTopic]:
    """Topics with their symbols and with those of their apps that readers may see."""
    shown = Prefetch("apps", queryset=apps(at), to_attr="published_apps")
    return ScienceTopic.objects.published(at=at).in_order().prefetch_related("symbols", shown)


def principles(at: datetime) -> QuerySet[Principle]:
    return Principle.objects.published(at=at).in_order()


def timeline(at: datetime) -> QuerySet[TimelineEntry]:
    """Milestones with their links, but for those to pages that readers cannot see."""
    shown = Prefetch("links", queryset=shown_links(at))
    return TimelineEntry.objects.published(at=at).newest_first().prefetch_related(shown)


def versions(at: datetime) -> QuerySet[ApiVersion]:
    return ApiVersion.objects.order_by("-released", bytewise("version").desc())


def standing_pages(at: datetime, *, language: str) -> QuerySet[Page]:
    """The standing pages that have been written in a language."""
    return in_language(Page.objects.all(), "body", language)


def page(at: datetime, *, slug: str, language: str) -> QuerySet[Page]:
    """One standing page, if it has been written in that language."""
    return standing_pages(at, language=language).filter(slug=slug)


def former_app_slugs(at: datetime) -> QuerySet[FormerAppSlug]:
    """Old ids of apps that readers may see, unless they see another app under it."""
    return still_asked(FormerAppSlug.objects.all(), "app", App.objects.published(at=at))


def former_slugs_of_apps_in_vietnamese(at: datetime) -> QuerySet[FormerAppSlug]:
    return former_app_slugs(at).exclude(app__description_vi="")


def former_slugs_of_apps_with_icon(at: datetime) -> QuerySet[FormerAppSlug]:
    return former_app_slugs(at).exclude(app__icon_svg="")


def former_post_slugs(at: datetime) -> QuerySet[FormerPostSlug]:
    """Old slugs of posts that readers may see, unless they see another post under it."""
    return still_asked(FormerPostSlug.objects.all(), "post", Post.objects.published(at=at))


def former_slugs_of_posts_in_vietnamese(at: datetime) -> QuerySet[FormerPostSlug]:
    return former_post_slugs(at).exclude(post__body_vi="")


def still_asked(former: QuerySet[Row], owner: str, shown: QuerySet[Any]) -> QuerySet[Row]:
    """Former slugs whose owner is shown, and which nothing that is shown has now."""
    rows = shown.order_by()
    seen, taken = rows.filter(pk=OuterRef(owner)), rows.filter(slug=OuterRef("slug"))
    wanted = former.filter(Exists(seen), ~Exists(taken))
    return wanted.select_related(owner).order_by(bytewise("slug"))


def in_language(rows: QuerySet[Row], column: str, language: str) -> QuerySet[Row]:
    """The rows that have a text in a language."""
    return rows.exclude(**{f"{column}_{language}": ""})


def next_due(at: datetime) -> datetime | None:
    """When the next scheduled content falls due; none if nothing is scheduled. One query."""
    scheduled = [
        model.objects.filter(state=State.PUBLISHED, publish_at__gt=at)
        .order_by()
        .values_list("publish_at", flat=True)
        for model in PUBLISHABLE
    ]
    first, *others = scheduled
    return first.union(*others).order_by("publish_at").first()


def counted(rows: QuerySet[Any]) -> Coalesce:
    """How many rows, as part of another query."""
    groups = rows.order_by().annotate(group=Value(1)).values("group")
    return Coalesce(Subquery(groups.annotate(size=Count("pk")).values("size")), 0)
