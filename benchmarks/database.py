"""Commands that fill a database with the shipped content and a corpus, or edit one of its posts.

This is a separate process, `python -m benchmarks.database`, with the settings of the project.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import islice

import django
from django.core.management import call_command
from django.db import transaction

from benchmarks.corpus import Article, Corpus, Text
from benchmarks.options import add_corpus_options, make_corpus

POSTS_PER_BATCH = 1000
"""Posts that are in memory at the same time."""

NO_TEXT = Text("", "", "")


def fill_database(corpus: Corpus, count: int) -> None:
    from catalogue import shipped  # noqa: PLC0415  (Django must be set up first)

    call_command("migrate", verbosity=0)
    shipped.load_fixtures()
    with transaction.atomic():
        for batch in make_batches(corpus.articles(count)):
            add_posts(batch)


def make_batches(articles: Iterator[Article]) -> Iterator[list[Article]]:
    while batch := list(islice(articles, POSTS_PER_BATCH)):
        yield batch


def add_posts(articles: Iterable[Article]) -> None:
    from catalogue.models import Post, State, Tag  # noqa: PLC0415

    tags = {tag.slug: tag for tag in Tag.objects.all()}
    posts = {
        article: Post(
            slug=article.slug,
            state=State.PUBLISHED,
            publish_at=article.published,
            **text_columns(article),
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


def text_columns(article: Article) -> dict[str, str]:
    texts = {"en": article.english, "vi": article.vietnamese or NO_TEXT}
    return {
        f"{name}_{language}": getattr(text, name)
        for language, text in texts.items()
        for name in ("title", "excerpt", "body")
    }


def edit_post(article: Article) -> None:
    from catalogue.models import Post  # noqa: PLC0415

    Post.objects.filter(slug=article.slug).update(**text_columns(article))


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=__doc__)
    add_corpus_options(parser)
    parser.add_argument("--posts", type=int, help="fill with so many posts")
    parser.add_argument("--edit", nargs=2, type=int, metavar=("NUMBER", "EDITION"))
    arguments = parser.parse_args(words)
    corpus = make_corpus(arguments)
    django.setup()
    if arguments.posts is not None:
        fill_database(corpus, arguments.posts)
    if arguments.edit:
        number, edition = arguments.edit
        edit_post(corpus.article(number).edited(edition))


if __name__ == "__main__":
    main(sys.argv[1:])
