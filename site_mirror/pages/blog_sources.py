"""Sources of the pages of the blog: a page for each post, year and tag of a language."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from catalogue import questions
from catalogue.localized import ENGLISH, LANGUAGES
from catalogue.models import App, Post, Tag
from catalogue.questions import PostName
from site_mirror.context import Context
from site_mirror.pages.blog import Placed, Tagged, Year
from site_mirror.pages.texts import written
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
class Article:
    """A post for its API document and for its page in every language."""

    post: Post
    app: App | None
    newer: Mapping[str, PostName | Post | None]
    older: Mapping[str, PostName | Post | None]

    @property
    def slug(self) -> str:
        return self.post.slug

    def in_language(self, language: str) -> Placed | None:
        """What the page in a language is made of, if the post is written in it."""
        if not written(self.post, "body", language):
            return None
        return Placed(self.post, self.app, self.newer[language], self.older[language])


@dataclass(frozen=True, slots=True)
class Articles:
    """Of the documents of every post."""

    def all(self, context: Context) -> Iterator[Article]:
        apps = questions.apps_by_key(context.at)
        beside = neighbours(questions.post_names(context.at))
        rows = questions.posts_in(context.at, language=ENGLISH).iterator(chunk_size=BATCH)
        while batch := list(islice(rows, BATCH)):
            for post in questions.with_tags(batch):
                newer, older = next(beside)
                yield Article(post, apps.get(post.app_id or 0), newer, older)

    def one(self, context: Context, slug: str) -> Article | None:
        at = context.at
        post = questions.posts_in(at, language=ENGLISH).filter(slug=slug).first()
        if post is None:
            return None
        return Article(
            post,
            questions.apps_by_key(at).get(post.app_id or 0),
            newer={lang: questions.newer_post(at, post, language=lang) for lang in LANGUAGES},
            older={lang: questions.older_post(at, post, language=lang) for lang in LANGUAGES},
        )


Beside = Mapping[str, PostName | None]


def neighbours(names: Iterable[PostName]) -> Iterator[tuple[Beside, Beside]]:
    """For every post, the ones before and after it in each language."""
    listed = list(names)
    after: dict[str, PostName | None] = dict.fromkeys(LANGUAGES)
    older: list[Beside] = []
    for name in reversed(listed):
        older.append(dict(after))
        after |= dict.fromkeys(languages_of(name), name)
    before: dict[str, PostName | None] = dict.fromkeys(LANGUAGES)
    for name, following in zip(listed, reversed(older), strict=True):
        yield dict(before), following
        before |= dict.fromkeys(languages_of(name), name)


def languages_of(name: PostName) -> list[str]:
    return [language for language in LANGUAGES if written(name, "title", language)]
