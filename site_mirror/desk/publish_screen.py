"""The screen from which the site is published, and on which it goes back to an earlier release."""

from pathlib import Path
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue import questions
from catalogue.accounts.languages import translate_around
from site_mirror.desk import publishing
from site_mirror.desk.changes import compare_releases
from site_mirror.desk.faults import VARYING, find_causes
from site_mirror.desk.models import Run
from site_mirror.desk.publishing import Publication
from site_mirror.desk.roles import MAY_PUBLISH, MAY_READ
from site_mirror.freeze.rehearsal import rehearsed_freeze
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.releases import find_release, list_releases, release_moment


def publish_page(request: HttpRequest) -> HttpResponse:
    """Publish the site or go back to a release, or show what that would change."""
    release = request.GET.get("release", "")
    try:
        folder = find_release(publishing.find_target(), release) if release else None
    except FreezeError as error:
        raise Http404 from error
    if not request.user.has_perm(MAY_PUBLISH if request.method == "POST" else MAY_READ):
        raise PermissionDenied
    if request.method == "POST":
        publishing.ask(request.user, release)
        return HttpResponseRedirect(reverse("admin:publish"))
    publication = publishing.Publication()
    context = admin.site.each_context(request) | publication_context(request, publication)
    if folder:
        context |= compare_releases(publication.served, folder)
        context["moment"] = release_moment(release)
    elif not publication.is_busy:
        context |= rehearse(request, publication.served)
    context |= {"title": _("Publish"), "releases": list_history()}
    return render(request, "desk/publish.html", context)


def publication_context(request: HttpRequest, publication: Publication) -> dict[str, Any]:
    """Return what the templates say of the state of the public site."""
    return {
        "publication": publication,
        "error": translate_around(VARYING, publication.progress["error"].partition("\n")[0]),
        "may_publish": request.user.has_perm(MAY_PUBLISH),
        "due": questions.next_due(timezone.now()),
    }


def rehearse(request: HttpRequest, served: Path | None) -> dict[str, Any]:
    """Return what a publication would change, and what would refuse it."""
    target = publishing.find_target()
    if target.release and publishing.is_up_to_date():
        return compare_releases(served, target.release)
    try:
        with rehearsed_freeze(target.root) as (folder, verdicts):
            found = compare_releases(served, folder)
    except (FreezeError, OSError) as error:
        return {"refusals": find_causes(request, [str(error).partition("\n")[0]])}
    refused = [words for verdict in verdicts if not verdict.passed for words in verdict.words()]
    return found | {"refusals": find_causes(request, refused)}


def list_history() -> list[dict[str, Any]]:
    """Return the releases, each with the last wish that a job has fulfilled by it."""
    releases = [*list_releases(publishing.find_target())]
    runs = Run.objects.filter(result__in=[each.id for each in releases]).select_related("author")
    asked = {run.result: run for run in runs.order_by("pk")}
    return [
        {"summary": each, "moment": release_moment(each.id), "asked": asked.get(each.id)}
        for each in releases
    ]
