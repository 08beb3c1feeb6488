"""What a page says, before it is HTML or Markdown: both are made from this."""

from dataclasses import dataclass
from datetime import date, datetime

from catalogue import addresses
from catalogue.localized import ENGLISH, VIETNAMESE, in_language
from catalogue.models import App, Page, Post
from site_mirror.listing import Listed


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page in one language. `body` is Markdown whose sections begin with `##`.

    `published` is a date that the page shows; `moment` is when it appeared.
    """

    address: str
    language: str
    title: str
    summary: str
    body: str
    twin: str | None
    published: date | None = None
    icon: str | None = None
    moment: datetime | None = None

    @property
    def mirror(self) -> str:
        return addresses.mirror(self.address)

    @property
    def english(self) -> str | None:
        return self.address if self.language == ENGLISH else self.twin

    @property
    def vietnamese(self) -> str | None:
        return self.address if self.language == VIETNAMESE else self.twin

    @property
    def listed(self) -> Listed:
        """The page in short."""
        return Listed(
            address=self.address,
            language=self.language,
            title=self.title,
            summary=self.summary,
            twin=self.twin,
            moment=self.moment,
        )


def placed(page: str, language: str, *, translated: bool) -> tuple[str, str | None]:
    """Address of a page in a language, and of its twin in the other."""
    twins = (page, addresses.vietnamese(page))
    here, there = twins if language == ENGLISH else reversed(twins)
    return here, there if translated else None


def post(row: Post, language: str) -> PageContent:
    here, there = placed(addresses.post_page(row.slug), language, translated=bool(row.body_vi))
    return PageContent(
        address=here,
        language=language,
        title=in_language(row, "title", language),
        summary=in_language(row, "excerpt", language),
        body=in_language(row, "body", language),
        twin=there,
        published=row.date,
        moment=row.publish_at,
    )


def app(row: App, language: str) -> PageContent:
    here, there = placed(
        addresses.app_page(row.slug), language, translated=bool(row.description_vi)
    )
    texts = (in_language(row, name, language) for name in ("description", "spec"))
    return PageContent(
        address=here,
        language=language,
        title=row.name,
        summary=in_language(row, "tagline", language) or row.tagline_en,
        body="\n\n".join(plain(text) for text in texts if text),
        twin=there,
        icon=addresses.app_icon(row.slug) if row.icon_svg else None,
        moment=row.publish_at,
    )


def standing(row: Page, language: str) -> PageContent:
    here, there = placed(addresses.STANDING_PAGES[row.slug], language, translated=bool(row.body_vi))
    return PageContent(
        address=here,
        language=language,
        title=in_language(row, "title", language),
        summary=in_language(row, "summary", language),
        body=in_language(row, "body", language),
        twin=there,
    )


SPECIAL = frozenset("\\`*_{}[]<>#+-!|$~&")


def plain(text: str) -> str:
    """Plain text as Markdown that reads the same."""
    return "".join(f"\\{character}" if character in SPECIAL else character for character in text)
