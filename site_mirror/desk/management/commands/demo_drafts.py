from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import yaml
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from catalogue.models import App, Post, State, Tag
from site_mirror.desk.drafts import SAVE, draft_of_new_row, draft_of_row, keep_draft
from site_mirror.desk.models import Draft
from site_mirror.desk.parts import digests_of

DEMO_DRAFTS = Path(__file__).resolve().parents[2] / "demo" / "drafts.yaml"


class Command(BaseCommand):
    help = (
        "Add drafts, a review and a scheduled post to the shipped content, for a try on your own "
        "machine. It does nothing if somebody has written a draft."
    )

    @transaction.atomic
    def handle(self, **options: Any) -> str:
        examples = yaml.safe_load(DEMO_DRAFTS.read_text())
        changed = [example["row"] for example in examples if "row" in example]
        if Draft.objects.exists() or Post.objects.filter(slug__in=changed).count() < len(changed):
            return "No drafts were added: there are some, or the content is not the shipped one."
        admin.autodiscover()
        for example in examples:
            if days := example.get("days_until_public"):
                schedule_post(example["texts"], days)
            else:
                add_draft(**example)
        return f"Added {len(examples)} texts that readers do not see."


def schedule_post(texts: dict[str, Any], days: int) -> None:
    texts = {**texts, "app": App.objects.get(slug=texts["app"])}
    tags = Tag.objects.filter(slug__in=texts.pop("tags"))
    moment = (timezone.localtime() + timedelta(days)).replace(hour=9, minute=0, second=0)
    publish_at = moment.replace(microsecond=0)
    Post.objects.create(state=State.PUBLISHED, publish_at=publish_at, **texts).tags.set(tags)


def add_draft(author: str, texts: dict[str, Any], row: str = "", note: str = "") -> None:
    """Keep a draft of a post, as its form would; one with a note waits for a review."""
    post = Post.objects.get(slug=row) if row else None
    draft = draft_of_row("post", post.pk) if post else draft_of_new_row("post", uuid4())
    person = User.objects.get(username=author)
    request = HttpRequest()
    request.user = person
    form: Any = admin.site.get_model_admin(Post)
    public = form.public_data(request, post)
    data = public | {name: as_posted(name, value) for name, value in texts.items()}
    keep_draft(draft, data, public, digests_of(public), person, act=SAVE)
    if note:
        draft.note, draft.noted_by, draft.in_review = note, person, True
        draft.save()


def as_posted(name: str, value: Any) -> list[str]:
    """Return the values that an input posts: rows by their keys, lines as a browser ends them."""
    if name == "app":
        return [str(App.objects.get(slug=value).pk)]
    if name == "tags":
        return [str(tag.pk) for tag in Tag.objects.filter(slug__in=value)]
    return [value.strip().replace("\n", "\r\n")]
