"""Sources of the pages of the blog: a page for each post, year and tag of a language."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalogue import questions
from catalogue.models import Post, Tag
from site_mirror.context import Context
from site_mirror.pages.blog import Placed, Tagged, Year
from site_mirror.sources import BATCH


@dataclass(frozen=True, slots=True)
class Years:
    """Of a page for each year that has posts in a language."""

    language: str

    def all(self, context: Context) -> Iterator[Year]:
        for year, _ in questions.years(context.at, language=self.language):
            yield Year(year, self.posts(context, year))

    def one(self, context: Context, slug: str) -> Year | None:
        if not (slug.isdecimal() and len(slug) == len("2026")):
            return None
        posts = self.posts(context, int(slug))
        return Year(int(slug), posts) if posts else None

    def posts(self, context: Context, year: int) -> list[Post]:
        return list(questions.posts_of_year(context.at, year, language=self.language))


@dataclass(frozen=True, slots=True)
class Tags:
    """Of a page for each tag that has posts in a language."""

    language: str

    def all(self, context: Context) -> Iterator[Tagged]:
        for tag in questions.tags(context.at, language=self.language):
            yield self.tagged(context, tag)

    def one(self, context: Context, slug: str) -> Tagged | None:
        tag = questions.tags(context.at, language=self.language).filter(slug=slug).first()
        return self.tagged(context, tag) if tag else None

    def tagged(self, context: Context, tag: Tag) -> Tagged:
        posts = questions.posts_of_tag(context.at, tag, language=self.language)
        return Tagged(tag, list(posts))


@dataclass(frozen=True, slots=True)
class Posts:
    """Of a page for each post of a language, between its neighbours."""

    language: str

    def all(self, context: Context) -> Iterator[Placed]:
        rows = questions.posts_with_company(context.at, language=self.language)
        newer, post = None, None
        for older in rows.iterator(chunk_size=BATCH):
            if post:
                yield Placed(post, newer, older)
            newer, post = post, older
        if post:
            yield Placed(post, newer)

    def one(self, context: Context, slug: str) -> Placed | None:
        rows = questions.posts_with_company(context.at, language=self.language)
        post = rows.filter(slug=slug).first()
        if post is None:
            return None
        return Placed(
            post,
            newer=questions.newer_post(context.at, post, language=self.language),
            older=questions.older_post(context.at, post, language=self.language),
        )
