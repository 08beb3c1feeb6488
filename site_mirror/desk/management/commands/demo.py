from pathlib import Path
from typing import Any
from uuid import uuid4

import yaml
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from catalogue.models import Post, Tag
from site_mirror.desk.drafts import change_draft, draft_of_new_row, draft_of_row
from site_mirror.desk.models import Draft
from site_mirror.desk.roles import RIGHTS

DEMO = Path(__file__).resolve().parents[2] / "demo"
SCHEDULED = DEMO / "a-year-of-walking-without-a-signal.yaml"
PASSWORD_CHARACTERS = 16


class Command(BaseCommand):
    help = (
        "Create an account of each role, and add drafts, a review and a scheduled post to the "
        "shipped content, for a try on your own machine. Names and passwords are printed; a "
        "password that its owner has changed stays. Nothing is added if somebody has a draft."
    )

    @transaction.atomic
    def handle(self, **options: Any) -> str:
        accounts = [demo_account(role) for role in RIGHTS]
        add_texts()
        return "\n".join([f"{'Name':15}Password", *accounts])


def demo_account(role: str) -> str:
    """Return name and password of the account of a role, which is created if it is missing.

    The password can be printed again, because it depends on the secret key.
    """
    user, is_new = User.objects.get_or_create(username=role.lower(), defaults={"is_staff": True})
    digest = salted_hmac(__name__, role, algorithm="sha256").hexdigest()
    password = digest[:PASSWORD_CHARACTERS]
    if is_new:
        user.set_password(password)
        user.save()
        user.groups.set([Group.objects.get(name=role)])
    shown = password if user.check_password(password) else "one of your own"
    return f"{user.username:15}{shown}"


def add_texts() -> None:
    """Add drafts and a scheduled post, unless there is a draft or the content is another one."""
    examples = yaml.safe_load((DEMO / "drafts.yaml").read_text())
    changed = [example["row"] for example in examples if "row" in example]
    if Draft.objects.exists() or Post.objects.filter(slug__in=changed).count() < len(changed):
        return
    admin.autodiscover()
    for example in examples:
        add_draft(**example)
    call_command("loaddata", SCHEDULED, verbosity=0)


def add_draft(
    author: str, texts: dict[str, str], tag: str = "", row: str = "", note: str = ""
) -> None:
    """Keep a draft of a post; one with a note waits for a review."""
    post = Post.objects.get(slug=row) if row else None
    draft = draft_of_row("post", post.pk) if post else draft_of_new_row("post", uuid4())
    request = HttpRequest()
    request.user = User.objects.get(username=author)
    form: Any = admin.site.get_model_admin(Post)
    public = form.public_data(request, post)
    typed = {name: [text.strip().replace("\n", "\r\n")] for name, text in texts.items()}
    if tag:
        typed["tags"] = [str(Tag.objects.get(slug=tag).pk)]
    change_draft(draft, public | typed, public, "", request.user)
    if note:
        draft.note, draft.noted_by, draft.in_review = note, request.user, True
        draft.save()
