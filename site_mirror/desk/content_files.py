"""Content in and out as files: the page that loads them, and the files of rows to download."""

import io
import json
import zipfile
import zlib
from base64 import b64decode, b64encode
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.content.kinds import KINDS, find_kind, find_row
from catalogue.content.reading import ContentRefused, Files, find_changes, load
from catalogue.content.writing import dump, dump_row
from site_mirror.desk import publishing
from site_mirror.desk.roles import MAY_PUBLISH

MOMENT = (1980, 1, 1, 0, 0, 0)
"""The moment of all files of an archive, so that the same content is the same bytes."""
MOST_BYTES = 100_000_000
"""Bytes of the files of an archive that is loaded."""


def content_page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Show what files would change, and load them if the same texts are posted once more."""
    context |= {"title": _("Content as files"), "kinds": KINDS}
    context["may_load"] = request.user.has_perm(MAY_PUBLISH)
    if request.method == "POST":
        if not context["may_load"]:
            raise PermissionDenied
        sent = posted_files(request)
        try:
            files = unpack(sent)
            if "_load" in request.POST:
                return say_loaded(request, len(load(files)))
            context |= {"changes": find_changes(files), "sent": as_text(sent)}
        except ContentRefused as error:
            context["faults"] = error.faults
    return render(request, "desk/content.html", context)


def say_loaded(request: HttpRequest, count: int) -> HttpResponse:
    publishing.ask_for_rows(request.user)
    said = ngettext("%(count)d change is loaded.", "%(count)d changes are loaded.", count)
    messages.success(request, said % {"count": count})
    return HttpResponseRedirect(reverse("admin:content"))


def posted_files(request: HttpRequest) -> Files:
    """Return files that are sent, or those that the page has shown before."""
    if "sent" in request.POST:
        return {path: b64decode(text) for path, text in json.loads(request.POST["sent"]).items()}
    return {file.name or "": file.read() for file in request.FILES.getlist("files")}


def as_text(files: Files) -> str:
    return json.dumps({path: b64encode(file).decode() for path, file in files.items()})


def unpack(sent: Files) -> Files:
    """Return files that are sent, and those of archives. Raises `ContentRefused`."""
    files = {path: file for path, file in sent.items() if not path.endswith(".zip")}
    for path in sent.keys() - files.keys():
        try:
            with zipfile.ZipFile(io.BytesIO(sent[path])) as packed:
                if sum(each.file_size for each in packed.infolist()) > MOST_BYTES:
                    fault = _("%(path)s has more than %(bytes)s bytes of files.")
                    raise ContentRefused([fault % {"path": path, "bytes": f"{MOST_BYTES:,}"}])
                files |= {name: packed.read(name) for name in packed.namelist() if name[-1] != "/"}
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            fault = _("%(path)s is not an archive, or is damaged: %(error)s")
            raise ContentRefused([fault % {"path": path, "error": error}]) from error
    return files


def content_file(request: HttpRequest, kind: str = "", key: str = "") -> HttpResponse:
    """Send the file of a row or of the rows of a kind, or all files in an archive."""
    if not kind:
        return attachment(archive(dump()), "content.zip", "application/zip")
    found = find_kind(kind)
    row = found and key and find_row(found, key)
    if found is None or row is None:
        raise Http404
    files = dump_row(found, row) if row else dump([found])
    if all(path.endswith(".yaml") for path in files):
        return attachment(b"".join(files.values()), f"{key or kind}.yaml", "application/yaml")
    return attachment(archive(files), f"{key or kind}.zip", "application/zip")


def archive(files: Files) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in files.items():
            packed.writestr(zipfile.ZipInfo(path, MOMENT), text, zipfile.ZIP_DEFLATED)
    return found.getvalue()


def attachment(body: bytes, name: str, media_type: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(body, media_type, headers={"Content-Disposition": disposition})
