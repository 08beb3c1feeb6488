"""The blog."""

from datetime import date, datetime
from operator import attrgetter
from uuid import uuid4

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from catalogue import rules
from catalogue.models.app import App
from catalogue.models.base import Content, ContentQuerySet
from catalogue.models.collation import Bytewise
from catalogue.models.studio import TeamMember
from catalogue.models.workflow import Dated, PublishableQuerySet, workflow_rules
from catalogue.texts.fields import Line, Prose
from catalogue.texts.limits import MARKDOWN_LENGTH, PLAIN_LENGTH
from catalogue.texts.localized import Localized
from catalogue.texts.markdown_rules import validate_markdown
from catalogue.texts.reading_time import read_minutes
from catalogue.texts.shown_images import ShownImage

FETCHED_TAGS = "fetched_tags"
FETCHED_SLUGS = "fetched_slugs"
FETCHED_APP = "shown_app"

BODY_HELP = (
    "Markdown with tables and formulas ($…$). The title is the page's heading; "
    "sections begin with ##."
)


class TagQuerySet(ContentQuerySet["Tag"]):
    def published(self, *, at: datetime) -> "TagQuerySet":
        """Return the tags with a post that readers may see at a moment."""
        return self.filter(Exists(Post.objects.published(at=at).filter(tags=OuterRef("pk"))))


class Tag(Content):
    """A topic that posts share. Readers see it while it has a published post."""

    slug = Line(
        "address",
        max_length=40,
        unique=True,
        help_text="The end of the address of the tag's page. Changing it leaves a redirect behind.",
    )
    name_en = Line("name, English", max_length=60)
    name_vi = Line("name, Vietnamese", max_length=60, blank=True)

    objects = TagQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = [
            rules.pattern_rule("tag", "slug", rules.SLUG),
            *rules.filled_rules("tag", "name_en"),
        ]

    def __str__(self) -> str:
        return self.slug


class PostQuerySet(PublishableQuerySet["Post"]):
    def newest_first(self) -> "PostQuerySet":
        """Sort posts as /posts does. The slug breaks ties, so that two freezes agree."""
        return self.order_by("-publish_at", Bytewise("slug"))


def make_feed_id() -> str:
    return uuid4().urn


class Post(Dated):
    """An article. Its date is the day of publication in the studio's time zone."""

    slug = Line(
        "address",
        max_length=80,
        unique=True,
        help_text="The end of the article's address. Changing it leaves a redirect behind.",
    )
    title_en = Line("title, English", max_length=160)
    title_vi = Line("title, Vietnamese", max_length=160, blank=True)
    excerpt_en = Prose("excerpt, English", help_text="A summary in two sentences, plain text.")
    excerpt_vi = Prose("excerpt, Vietnamese", blank=True)
    body_en = Prose(
        "body, English", limit=MARKDOWN_LENGTH, validators=[validate_markdown], help_text=BODY_HELP
    )
    body_vi = Prose(
        "body, Vietnamese", blank=True, limit=MARKDOWN_LENGTH, validators=[validate_markdown]
    )
    app = models.ForeignKey(
        App,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="posts",
        help_text="The app that the article is about, if one.",
    )
    author = models.ForeignKey(
        TeamMember,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="posts",
        help_text="Who wrote the article. Left empty, it is the studio.",
    )
    tags = models.ManyToManyField(Tag, blank=True, related_name="posts")
    # Readers know an article of a feed by its id, so it must outlive slugs and domains.
    feed_id_en = models.CharField(max_length=300, unique=True, editable=False, default=make_feed_id)
    feed_id_vi = models.CharField(max_length=300, unique=True, editable=False, default=make_feed_id)

    title = Localized()
    excerpt = Localized()
    shown_app: App | None
    """The app, if readers may see it, from `questions.posts_with_apps`."""

    shown_images: tuple[ShownImage, ...] = ()
    """The images of the texts, from `catalogue.todays_links`."""

    objects = PostQuerySet.as_manager()

    class Meta:
        ordering = ["-publish_at", "slug"]
        indexes = [models.Index(fields=["state", "-publish_at", "slug"], name="post_newest_first")]
        constraints = [
            *workflow_rules("post"),
            rules.length_rule(
                "post",
                MARKDOWN_LENGTH,
                *("body_en", "body_vi"),
                excerpt_en=PLAIN_LENGTH,
                excerpt_vi=PLAIN_LENGTH,
            ),
            rules.pattern_rule("post", "slug", rules.SLUG),
            *rules.filled_rules("post", "title_en", "excerpt_en", "body_en"),
            rules.together_rule("post", "title_vi", "excerpt_vi", "body_vi"),
        ]

    def __str__(self) -> str:
        return self.title_en

    @property
    def date(self) -> date:
        """The publication date. Raises `ValueError` for a post without a moment of publication."""
        if self.publish_at is None:
            raise ValueError(f"The post “{self.slug}” has no moment of publication.")
        return self.publish_at.astimezone(timezone.get_default_timezone()).date()

    @property
    def read_minutes(self) -> int:
        return read_minutes(self.body_en)

    @property
    def shown_tags(self) -> list[Tag]:
        """The tags in the order of their slugs, which `questions.posts` has fetched."""
        fetched: list[Tag] | None = getattr(self, FETCHED_TAGS, None)
        return sorted(self.tags.all(), key=attrgetter("slug")) if fetched is None else fetched

    @property
    def tag_slugs(self) -> list[str]:
        if hasattr(self, FETCHED_SLUGS):
            slugs: str | None = getattr(self, FETCHED_SLUGS)
            return sorted(slugs.split(",")) if slugs else []
        return [tag.slug for tag in self.shown_tags]
