"""The screen from which the site is published, and on which it goes back to an earlier release."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from site_mirror.desk import publishing
from site_mirror.desk.changes import Cause, find_causes, group_by_row
from site_mirror.desk.models import Draft
from site_mirror.desk.publishing import Publication
from site_mirror.desk.roles import MAY_PUBLISH
from site_mirror.desk.together import publish_drafts
from site_mirror.freeze.rehearsal import Change, TooMuch, compare_releases, rehearse_freeze
from site_mirror.snapshot.errors import FreezeError
from site_mirror.snapshot.releases import find_release, list_releases, release_moment

Context = dict[str, Any]

PATIENCE_SECONDS = 15
"""The time for a comparison, which is much more than it takes after a day of editing."""


def publish_page(request: HttpRequest, context: Context) -> HttpResponse:
    """Publish the site or go back to a release, or show what that would change."""
    release = request.GET.get("release", "")
    if request.method == "POST":
        causes = publish(request, release)
        if not causes:
            return HttpResponseRedirect(reverse("admin:publish"))
        context["draft_causes"] = causes
    publication = publishing.read_publication()
    context |= publication_context(request, publication)
    if release:
        context |= compare_with_served(release) | {"moment": release_moment(release)}
    elif not publication.is_busy:
        drafts = Draft.objects.filter(is_open=True).select_related("author")
        context |= rehearse(request) | {"drafts": drafts.order_by("-saved_at")}
    context |= {"title": _("Publish"), "releases": list_history()}
    if context.get("refusals"):
        context["causes"] = []  # They would be the same, or are mended.
    return render(request, "desk/publish.html", context)


def publication_context(request: HttpRequest, publication: Publication) -> Context:
    """Return what the templates say of the state of the public site."""
    failed = publication.phase == publishing.FAILED
    return {
        "publication": publication,
        "causes": find_causes(request, publication.failures) if failed else [],
        "may_publish": request.user.has_perm(MAY_PUBLISH),
        "due": publishing.next_due(),
    }


def publish(request: HttpRequest, release: str) -> list[Cause]:
    """Publish the chosen drafts and ask for the site, unless a draft has a fault."""
    if not request.user.has_perm(MAY_PUBLISH):
        raise PermissionDenied
    if release:
        find_folder(release)
    causes = publish_drafts(request, request.POST.getlist("draft"))
    if not causes:
        publishing.ask(request.user, release)
    return causes


def rehearse(request: HttpRequest) -> Context:
    """Return what a publication would change, and what would refuse it."""
    if publishing.is_up_to_date():
        return {"is_up_to_date": True}
    try:
        changes, verdicts = rehearse_freeze(publishing.find_target().root, PATIENCE_SECONDS)
    except TooMuch:
        return {"is_too_much": True}
    except (FreezeError, OSError) as error:
        return {"refusals": find_causes(request, [str(error).partition("\n")[0]])}
    refused = [words for verdict in verdicts if not verdict.passed for words in verdict.words()]
    return context_of(changes) | {
        "is_up_to_date": not changes,
        "refusals": find_causes(request, refused),
    }


def compare_with_served(release: str) -> Context:
    """Return what differs in a release from the served one."""
    folder, served = find_folder(release), publishing.find_target().release
    changes = compare_releases(served, folder)
    return context_of(changes) | {"is_the_same": not changes}


def find_folder(release: str) -> Any:
    try:
        return find_release(publishing.find_target(), release)
    except FreezeError as error:
        raise Http404 from error


def context_of(changes: list[Change]) -> Context:
    rows, others = group_by_row(changes)
    return {"rows": rows, "others": others}


def list_history() -> list[Context]:
    releases = list_releases(publishing.find_target())
    return [{"summary": each, "moment": release_moment(each.id)} for each in releases]
