"""Content in and out as files: the page that loads one, and the files of rows to download."""

import io
import zipfile
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.content.kinds import KINDS, find_kinds
from catalogue.content.reading import ContentRefused, Files, find_changes, load
from catalogue.content.writing import dump
from site_mirror.desk import publishing
from site_mirror.desk.roles import MAY_PUBLISH

MOMENT = (1980, 1, 1, 0, 0, 0)
"""The moment of all files of an archive, so that the same content is the same bytes."""


def content_page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Show what a file would change, and load it if its text is posted once more."""
    context |= {"title": _("Content as files"), "kinds": KINDS}
    context["may_load"] = request.user.has_perm(MAY_PUBLISH)
    if request.method == "POST":
        if not context["may_load"]:
            raise PermissionDenied
        file = request.FILES.get("file")
        name = file.name if file else request.POST.get("name", "")
        text = file.read().decode(errors="replace") if file else request.POST.get("text", "")
        files: Files = {name or "": text.encode()}
        try:
            if "_load" in request.POST:
                return say_loaded(request, len(load(files)))
            context |= {"changes": find_changes(files), "name": name, "text": text}
        except ContentRefused as error:
            context["faults"] = error.faults
    return render(request, "desk/content.html", context)


def say_loaded(request: HttpRequest, count: int) -> HttpResponse:
    publishing.ask_for_rows(request.user)
    said = ngettext("%(count)d change is loaded.", "%(count)d changes are loaded.", count)
    messages.success(request, said % {"count": count})
    return HttpResponseRedirect(reverse("admin:content"))


def content_file(request: HttpRequest, kind: str = "", key: str = "") -> HttpResponse:
    """Send the file of a row or of the rows of a kind, or all files in an archive."""
    kinds, name = find_kinds(kind), key or kind or "content"
    files = dump(kinds, key)
    if not kinds or (key and not files):
        raise Http404
    if kind and all(path.endswith(".yaml") for path in files):
        return attachment(b"".join(files.values()), f"{name}.yaml", "application/yaml")
    return attachment(archive(files), f"{name}.zip", "application/zip")


def archive(files: Files) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in files.items():
            packed.writestr(zipfile.ZipInfo(path, MOMENT), text, zipfile.ZIP_DEFLATED)
    return found.getvalue()


def attachment(body: bytes, name: str, media_type: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(body, media_type, headers={"Content-Disposition": disposition})
