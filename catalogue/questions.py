"""What readers can ask of the catalogue: one question a list, with the moment as an argument.

Each answers a queryset whose related rows come in a constant number of queries.
"""

from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

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
    Statistic,
    Studio,
    TeamMember,
    TimelineEntry,
    visible,
)


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


def apps_with_icon(at: datetime) -> QuerySet[App]:
    return apps(at).exclude(icon_svg="")


def posts(at: datetime) -> QuerySet[Post]:
    return Post.objects.published(at=at).newest_first().prefetch_related("tags")


def post_summaries(at: datetime) -> QuerySet[Post]:
    """Posts without the Vietnamese text, which no summary needs."""
    return posts(at).defer("body_vi")


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
    return TimelineEntry.objects.published(at=at).newest_first().prefetch_related("links")


def versions(at: datetime) -> QuerySet[ApiVersion]:
    return ApiVersion.objects.order_by("-released", bytewise("version").desc())


def page(at: datetime, *, slug: str, language: str) -> QuerySet[Page]:
    """One standing page, if it has been written in that language."""
    return Page.objects.filter(slug=slug).exclude(**{f"body_{language}": ""})


def former_app_slugs(at: datetime) -> QuerySet[FormerAppSlug]:
    """Old ids of apps that readers may see, unless they see another app under it."""
    rows = FormerAppSlug.objects.filter(visible(at, through="app__"))
    taken = App.objects.published(at=at).values("slug")
    return rows.exclude(slug__in=taken).select_related("app").order_by(bytewise("slug"))


def former_slugs_of_apps_in_vietnamese(at: datetime) -> QuerySet[FormerAppSlug]:
    return former_app_slugs(at).exclude(app__description_vi="")


def former_slugs_of_apps_with_icon(at: datetime) -> QuerySet[FormerAppSlug]:
    return former_app_slugs(at).exclude(app__icon_svg="")


def former_post_slugs(at: datetime) -> QuerySet[FormerPostSlug]:
    """Old slugs of posts that readers may see, unless they see another post under it."""
    rows = FormerPostSlug.objects.filter(visible(at, through="post__"))
    taken = Post.objects.published(at=at).values("slug")
    return rows.exclude(slug__in=taken).select_related("post").order_by(bytewise("slug"))


def former_slugs_of_posts_in_vietnamese(at: datetime) -> QuerySet[FormerPostSlug]:
    return former_post_slugs(at).exclude(post__body_vi="")


def counted(rows: QuerySet[Any]) -> Coalesce:
    """How many rows, as part of another query."""
    groups = rows.order_by().annotate(group=Value(1)).values("group")
    return Coalesce(Subquery(groups.annotate(size=Count("pk")).values("size")), 0)
