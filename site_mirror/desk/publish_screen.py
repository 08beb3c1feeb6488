"""The screen from which the site is published, and on which it goes back to an earlier release."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue import questions
from site_mirror.desk import publishing
from site_mirror.desk.changes import compare_releases, find_causes
from site_mirror.desk.models import Run
from site_mirror.desk.publishing import Publication
from site_mirror.desk.roles import MAY_PUBLISH, MAY_READ
from site_mirror.freeze.rehearsal import rehearsed_freeze
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.releases import find_release, list_releases, release_moment

Context = dict[str, Any]


def publish_page(request: HttpRequest) -> HttpResponse:
    """Publish the site or go back to a release, or show what that would change."""
    release, target = request.GET.get("release", ""), publishing.find_target()
    try:
        folder = find_release(target, release) if release else None
    except FreezeError as error:
        raise Http404 from error
    if not request.user.has_perm(MAY_PUBLISH if request.method == "POST" else MAY_READ):
        raise PermissionDenied
    if request.method == "POST":
        publishing.ask(request.user, release)
        return HttpResponseRedirect(reverse("admin:publish"))
    publication = publishing.read_publication()
    context = {
        **admin.site.each_context(request),
        **publication_context(request, publication),
        "title": _("Publish"),
    }
    if folder:
        context |= compare_releases(target.release, folder) | {"moment": release_moment(release)}
    elif not publication.is_busy:
        context |= rehearse(request)
    if context.get("refusals"):
        context["causes"] = []  # They would be the same, or are mended.
    return render(request, "desk/publish.html", context | {"releases": list_history()})


def publication_context(request: HttpRequest, publication: Publication) -> Context:
    """Return what the templates say of the state of the public site."""
    failed = publication.phase == publishing.FAILED
    return {
        "publication": publication,
        "causes": find_causes(request, publication.failures) if failed else [],
        "may_publish": request.user.has_perm(MAY_PUBLISH),
        "due": questions.next_due(timezone.now()),
    }


def rehearse(request: HttpRequest) -> Context:
    """Return what a publication would change, and what would refuse it."""
    if publishing.is_up_to_date():
        return {"rows": []}
    target = publishing.find_target()
    try:
        with rehearsed_freeze(target.root) as (folder, verdicts):
            found = compare_releases(target.release, folder)
    except (FreezeError, OSError) as error:
        return {"refusals": find_causes(request, [str(error).partition("\n")[0]])}
    refused = [words for verdict in verdicts if not verdict.passed for words in verdict.words()]
    found["refusals"] = find_causes(request, refused)
    if target.release is None:
        found |= {"said": _("Everything. It will be the first release."), "rows": [], "others": 0}
    return found


def list_history() -> list[Context]:
    """Return the releases, each with the last wish that a job has fulfilled by it."""
    releases = [*list_releases(publishing.find_target())]
    runs = Run.objects.filter(result__in=[each.id for each in releases]).select_related("author")
    asked = {run.result: run for run in runs.order_by("pk")}
    return [
        {"summary": each, "moment": release_moment(each.id), "asked": asked.get(each.id)}
        for each in releases
    ]
