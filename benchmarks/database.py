"""Fills a database with the shipped content and a corpus, or edits one of its posts.

Run as a process of its own, `python -m benchmarks.database`, with the project's settings.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import islice

import django
from django.core.management import call_command
from django.db import transaction

from benchmarks.corpus import Article, Corpus, Text
from benchmarks.options import add_corpus, corpus_of

BATCH = 1000
"""Posts that are in memory at a time."""

NO_TEXT = Text("", "", "")


def fill(corpus: Corpus, count: int) -> None:
    from catalogue import shipped  # noqa: PLC0415  (Django must be set up first)

    call_command("migrate", verbosity=0)
    shipped.load()
    with transaction.atomic():
        for batch in batches(corpus.articles(count)):
            add(batch)


def batches(articles: Iterator[Article]) -> Iterator[list[Article]]:
    while batch := list(islice(articles, BATCH)):
        yield batch


def add(articles: Iterable[Article]) -> None:
    from catalogue.models import Post, State, Tag  # noqa: PLC0415

    tags = {tag.slug: tag for tag in Tag.objects.all()}
    posts = {
        article: Post(
            slug=article.slug,
            state=State.PUBLISHED,
            publish_at=article.published,
            **columns(article),
        )
        for article in articles
    }
    Post.objects.bulk_create(posts.values())
    for slug in {slug for article in posts for slug in article.tags} - tags.keys():
        tags[slug] = Tag.objects.create(slug=slug, name_en=slug.capitalize())
    pairs = Post.tags.through
    pairs.objects.bulk_create(
        pairs(post=post, tag=tags[slug]) for article, post in posts.items() for slug in article.tags
    )


def columns(article: Article) -> dict[str, str]:
    texts = {"en": article.english, "vi": article.vietnamese or NO_TEXT}
    return {
        f"{name}_{language}": getattr(text, name)
        for language, text in texts.items()
        for name in ("title", "excerpt", "body")
    }


def edit(article: Article) -> None:
    from catalogue.models import Post  # noqa: PLC0415

    Post.objects.filter(slug=article.slug).update(**columns(article))


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=__doc__)
    add_corpus(parser)
    parser.add_argument("--posts", type=int, help="fill with so many posts")
    parser.add_argument("--edit", nargs=2, type=int, metavar=("NUMBER", "EDITION"))
    given = parser.parse_args(words)
    corpus = corpus_of(given)
    django.setup()
    if given.posts is not None:
        fill(corpus, given.posts)
    if given.edit:
        number, edition = given.edit
        edit(corpus.article(number).edited(edition))


if __name__ == "__main__":
    main(sys.argv[1:])
