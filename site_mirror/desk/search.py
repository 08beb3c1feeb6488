"""One search over all kinds of texts, without regard to case and marks: `da nang` finds `Đà Nẵng`.

Most tables have few rows: their texts are compared here. Posts may be thousands, of thousands of
words each, so their texts are stored without case and marks, and the database compares them.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalogue.addresses import HOME
from catalogue.models import App, Page, Post, ScienceTopic, Tag
from catalogue.questions import TEXTS
from catalogue.texts.localized import ENGLISH
from site_mirror.desk.models import Draft, PostText
from site_mirror.desk.places import place_of
from site_mirror.desk.site import SiteAt

MARKS = re.compile("[\u0300-\u036f]+")
MAX_CHARACTERS = 100
ROWS_PER_KIND = 8
POSTS_PER_BATCH = 200
MAX_POSTS = 1_000
"""The results of a search in a list, whose queries are slow with more keys."""


def fold(text: str) -> str:
    """Return a text on one line, without case and marks."""
    letters = MARKS.sub("", unicodedata.normalize("NFD", text.casefold()))
    return " ".join(letters.replace("đ", "d").split())


def read_query(typed: str) -> str:
    """Return what is looked for: the words of a title in any order, or of a text as they stand."""
    return fold(typed.replace("\0", "")[:MAX_CHARACTERS])


def has_words(title: str, phrase: str) -> bool:
    return all(word in title for word in phrase.split())


class SearchedAdmin:
    """A form whose list, whose choices in other forms and whose results use the one search."""

    model: Any
    opts: Any
    search_fields: Sequence[str]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows that are found, those first whose title has the words."""
        phrase = read_query(search_term)
        if not phrase:
            return queryset, False
        if self.model is Post:
            in_title, in_text = find_posts(phrase, queryset)
        else:
            found_rows = self.find_rows(phrase, queryset)
            in_title, in_text = (Q(pk__in=[row.pk for row in rows]) for rows in found_rows)
        found = queryset.filter(in_title | in_text).annotate(is_in_title=in_title)
        return found.order_by("-is_in_title", *self.opts.ordering), False

    def find_rows(self, phrase: str, rows: QuerySet[Any]) -> tuple[list[Any], list[Any]]:
        """Return the rows of a small table whose titles have the words, then whose texts do."""
        is_long = [isinstance(self.opts.get_field(each), TextField) for each in self.search_fields]
        in_title, in_text = [], []
        for row in rows:
            folded = [fold(str(getattr(row, name))) for name in self.search_fields]
            title = " ".join(text for text, long in zip(folded, is_long, strict=True) if not long)
            if has_words(title, phrase):
                in_title.append(row)
            elif any(phrase in text for text in folded):
                in_text.append(row)
        return in_title, in_text

    def first_results(self, request: HttpRequest, typed: str) -> list[Any]:
        """Return some rows that are found, and one more if there are more."""
        rows = self.get_queryset(request)  # type: ignore[attr-defined]
        if self.model is Post:
            found, _ = self.get_search_results(request, rows, typed)
            return list(found.defer(*TEXTS)[: ROWS_PER_KIND + 1])
        return [*chain(*self.find_rows(read_query(typed), rows))][: ROWS_PER_KIND + 1]


def find_posts(phrase: str, posts: QuerySet[Any]) -> tuple[Q, Q]:
    """Return the posts that are found, those first whose title has the words, then the newest."""
    refresh_post_texts()
    in_title = Q(*(Q(title__contains=word) for word in phrase.split()))
    found = (
        PostText.objects.filter(post_id__in=posts.order_by().values("pk"))
        .annotate(is_in_title=in_title)
        .filter(Q(is_in_title=True) | Q(text__contains=phrase))
        .order_by("-is_in_title", "-post_id")
        .values_list("post_id", "is_in_title")[:MAX_POSTS]
    )
    keys = dict(found)
    titles = [key for key, is_in_title in keys.items() if is_in_title]
    return Q(pk__in=titles), Q(pk__in=keys.keys() - set(titles))


def refresh_post_texts() -> None:
    """Store the texts of posts that were edited since they were stored, by whatever means.

    A trigger dates each edit, those of bulk updates and of other programs, too.
    """
    edited = Coalesce(Cast("edited_at", CharField(max_length=40)), Value(""))
    stored = PostText.objects.filter(post_id=OuterRef("pk"), edited=OuterRef("edited"))
    stale = Post.objects.annotate(edited=edited).filter(~Exists(stored)).order_by()
    keys = list(stale.values_list("pk", flat=True))
    for start in range(0, len(keys), POSTS_PER_BATCH):
        posts = stale.filter(pk__in=keys[start : start + POSTS_PER_BATCH])
        PostText.objects.bulk_create(
            [text_of_post(post) for post in posts],
            update_conflicts=True,
            unique_fields=["post_id"],
            update_fields=["edited", "title", "text"],
        )


def text_of_post(post: Any) -> PostText:
    texts = (post.excerpt_en, post.excerpt_vi, post.body_en, post.body_vi)
    return PostText(
        post_id=post.pk,
        edited=post.edited,
        title=fold(f"{post.title_en} {post.title_vi} {post.slug}"),
        text=fold("\n".join(texts)),
    )


def search_everything(site: Any, request: HttpRequest, typed: str) -> Iterator[dict[str, Any]]:
    """Yield groups of what the user may see: texts without a row, then the rows of each kind."""
    phrase = read_query(typed)
    if not phrase:
        return
    seen = {kind.opts.model_name: kind for kind in site.kinds(request)}
    drafts = list(Draft.objects.filter(is_open=True, kind__in=seen))
    if found := list(find_drafts(phrase, drafts)):
        yield {"name": _("Unfinished"), "results": found}
    by_row = {(draft.kind, draft.row): draft for draft in drafts}
    for kind, admin in seen.items():
        rows: list[Any] = admin.first_results(request, typed)
        for row in rows:
            row.draft = by_row.get((kind, row.pk))
        if rows:
            yield show_group(admin, kind, rows)


def find_drafts(phrase: str, drafts: Sequence[Draft]) -> Iterator[dict[str, str]]:
    """Yield the texts that have no row yet. Their number is small."""
    for draft in drafts:
        text = fold("\n".join(chain.from_iterable(draft.data.values())))
        if draft.row is None and (phrase in text or has_words(fold(str(draft)), phrase)):
            yield {"title": str(draft), "address": draft.form}


def show_group(admin: Any, kind: str, rows: list[Any]) -> dict[str, Any]:
    """Return the first rows of a kind, with the address of the list that has all of them."""
    results = [
        {
            "title": admin.title(row),
            "address": reverse(f"admin:catalogue_{kind}_change", args=[row.pk]),
            "state": admin.stage(row),
        }
        for row in rows[:ROWS_PER_KIND]
    ]
    more = reverse(f"admin:catalogue_{kind}_changelist") if len(rows) > ROWS_PER_KIND else ""
    name = capfirst(str(admin.opts.verbose_name_plural))
    return {"name": name, "results": results, "more": more}


def find_addresses(
    site: Any, request: HttpRequest, typed: str, language: str
) -> Iterator[dict[str, str]]:
    """Yield the public pages whose titles are found, for a link in a text of a language."""
    if not read_query(typed):
        return
    public = SiteAt(timezone.now())
    for model in (Page, App, Post, ScienceTopic, Tag):
        admin = site._registry[model]
        found, _ = admin.get_search_results(request, admin.get_queryset(request), typed)
        for row in found.filter(is_in_title=True)[:ROWS_PER_KIND]:
            section = f"#{row.slug}" if model is ScienceTopic else ""
            title = getattr(row, f"{admin.title_of_row}_{language}", "") or str(row)
            for each in (language, ENGLISH):
                address = place_of(row).address("page", each) + section
                if not public.fault(address, HOME):
                    yield {"title": title, "address": address}
                    break
