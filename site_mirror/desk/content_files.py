"""Content in and out as files: the page that loads one, and the files of rows to download."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from catalogue.content.reading import ContentRefused, load
from catalogue.content.writing import FILES, dump, find_table
from site_mirror.desk import publishing
from site_mirror.desk.differences import Difference, compare_words, shorten
from site_mirror.desk.history import load_recorded
from site_mirror.desk.links import Checker
from site_mirror.desk.roles import MAY_PUBLISH, MAY_READ


def content_page(request: HttpRequest) -> HttpResponse:
    """Show what a file would change, and load it if its text is posted with what was shown."""
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": gettext("Content as files"),
        "tables": [model._meta for model in FILES],
        "may_load": request.user.has_perm(MAY_PUBLISH),
        "most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    }
    if request.method == "POST":
        if not context["may_load"]:
            raise PermissionDenied
        file = request.FILES.get("file")
        name = str(file.name if file else request.POST.get("name", ""))
        text = file.read() if file else request.POST.get("text", "").encode()
        files = {name: text}
        try:
            dead = {*dead_links()}
            changes = load(files, apply=False, judge=lambda: {*dead_links()} - dead)
            # Somebody else may have changed a row since its change was shown.
            seen = sha256("".join(before for before, _ in changes.values()).encode()).hexdigest()
            if request.POST.get("seen") == seen:
                load_recorded(files, changes, request.user)
                return say_loaded(request)
        except ContentRefused as error:
            context["faults"] = error.faults
        else:
            differences = [
                Difference("", path, "", [*shorten([*compare_words(*texts)])])
                for path, texts in changes.items()
            ]
            context |= {
                "differences": differences,
                "name": name,
                "text": text.decode(),
                "seen": seen,
            }
    return render(request, "desk/content.html", context)


def dead_links() -> Iterator[str]:
    """Yield the links that a freeze would refuse, each with its row and its field."""
    checker = Checker()
    for row in chain.from_iterable(table._default_manager.all() for table in FILES):
        yield from (f"{row}: {dead.sentence}" for dead in checker.dead_of(row))


def say_loaded(request: HttpRequest) -> HttpResponse:
    publishing.ask_for_rows(request.user)
    messages.success(request, gettext("The content is loaded."))
    return HttpResponseRedirect(reverse("admin:content"))


def content_file(request: HttpRequest, kind: str = "", key: str = "") -> HttpResponse:
    """Send the file of a row, of the rows of a kind, or of everything."""
    if not request.user.has_perm(MAY_READ):
        raise PermissionDenied
    table = find_table(kind)
    files = dump(table, key)
    if (kind and not table) or (key and not files):
        raise Http404
    name = f'attachment; filename="{key or kind or "content"}.yaml"'
    body = b"".join(files.values())
    return HttpResponse(body, "application/yaml", headers={"Content-Disposition": name})
