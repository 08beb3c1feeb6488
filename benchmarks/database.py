"""Commands that fill a database with the shipped content and a corpus, or edit one of its posts.

This is a separate process, `python -m benchmarks.database`, with the settings of the project.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from itertools import islice

import django
from django.core.management import call_command
from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Concat

from benchmarks import corpus
from benchmarks.corpus import Article

POSTS_PER_BATCH = 1000
"""Posts that are in memory at the same time."""


def fill_database(count: int) -> None:
    from catalogue import shipped  # noqa: PLC0415  (Django must be set up first)

    call_command("migrate", verbosity=0)
    shipped.load_fixtures()
    articles = corpus.articles(count)
    with transaction.atomic():
        while batch := list(islice(articles, POSTS_PER_BATCH)):
            add_posts(batch)


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
    return {f"{name}_en": getattr(article, name) for name in ("title", "excerpt", "body")}


def edit_post(number: int, edition: int) -> None:
    """Edit a post of the corpus or, without a corpus, one of the shipped posts."""
    from catalogue.models import Post  # noqa: PLC0415

    article = corpus.article(number).edited(edition)
    if not Post.objects.filter(slug=article.slug).update(**text_columns(article)):
        first = Post.objects.order_by("slug")[:1]
        changed = Concat(F("title_en"), Value(f" ({edition})"))
        Post.objects.filter(pk__in=first.values("pk")).update(title_en=changed)


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, help="fill with so many posts")
    parser.add_argument("--edit", nargs=2, type=int, metavar=("NUMBER", "EDITION"))
    arguments = parser.parse_args(words)
    django.setup()
    if arguments.posts is not None:
        fill_database(arguments.posts)
    if arguments.edit:
        edit_post(*arguments.edit)


if __name__ == "__main__":
    main(sys.argv[1:])
