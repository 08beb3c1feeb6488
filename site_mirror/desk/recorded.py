"""The pages of the history of rows, and of those that were deleted."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from site_mirror.desk import drafts, history, publishing
from site_mirror.desk.differences import list_differences
from site_mirror.desk.drafted import DraftedAdmin
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.panel import state_line
from site_mirror.desk.readers import say_moment

ENTRIES_ON_A_PAGE = 100


class RecordedAdmin(DraftedAdmin):
    """A form of the desk with a history of its row, and a list with what was deleted."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Give a row that comes back the key that it had."""
        returning = None if change else self.draft(request, None).returning
        if returning:
            obj.pk = returning.row
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        super().save_related(request, form, formsets, change)
        returning = None if change else self.draft(request, None).returning
        if returning:
            history.return_relations(form.instance, returning)

    def log_move(self, request: HttpRequest, row: Any, old: int) -> None:
        after = self.recorded_data(row)
        before = after | {history.PLACE: [str(old + 1)]}
        history.record(self, row, before, after, request.user)
        publishing.ask_for_rows(request.user)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> None:
        """Keep rows before they are deleted; their drafts are discarded."""
        for row in queryset:
            history.record_deletion(self, row, self.recorded_data(row), request.user)
            draft = self.draft(request, row)
            if draft.is_open:
                drafts.change_draft(draft, {}, {}, drafts.DISCARD)
        publishing.ask_for_rows(request.user)
        done = _("Readers do not see it any more; “Deleted”, above the list, brings it back.")
        self.message_user(request, done)

    def bring_back(self, request: HttpRequest, entry: HistoryEntry) -> HttpResponse:
        """Make a deleted row a draft, which somebody may publish."""
        draft = history.bring_back(entry, self.public_data(request, None), request.user)
        done = _("“%(row)s” is a draft now. Its former addresses come back with it.")
        return self.answer(request, done % {"row": entry}, draft.form)

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_deleted"
        view = self.admin_site.admin_view(self.deleted_view)
        return [path("deleted/", view, name=name), *super().get_urls()]

    def history_view(self, request: HttpRequest, object_id: str, *more: Any) -> HttpResponse:
        """Show what a row was, compared with what it is, and restore it into the draft."""
        row = self.find_row(request, object_id)
        entries, draft = history.entries_of(row), self.draft(request, row)
        if request.method == "POST":
            entry = get_object_or_404(entries, pk=request.POST.get("_restore") or None)
            history.restore(draft, entry.data, self.public_data(request, row), request.user)
            is_new = _("This is the draft now. Readers do not see it.")
            done = is_new if draft.is_open else _("This is what is live already.")
            return self.answer(request, done, draft.form)
        listed = list(entries.defer("data")[:ENTRIES_ON_A_PAGE])
        for entry in listed:
            entry.labels = list(dict.fromkeys(map(self.label_of, entry.changed)))  # type: ignore[attr-defined]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            **self.comparison(request, row, draft, listed),
            "title": _("History of “%(row)s”") % {"row": history.title_of(self, row)},
            "original": row,
            "entries": listed,
            "line": state_line(draft, row),
            "draft": draft if draft.is_open else None,
        }
        return TemplateResponse(request, "desk/history.html", context)

    def comparison(
        self, request: HttpRequest, row: Any, draft: Draft, listed: list[HistoryEntry]
    ) -> dict[str, Any]:
        """Return how the draft differs from the live row, or an entry from the one before."""
        chosen, entry, is_before = request.GET.get("entry"), None, False
        live = pgettext("a version", "Live")
        if draft.is_open and not chosen:
            heading = _("The draft, compared with what is live")
            versions = {live: self.public_data(request, row), _("Draft"): draft.data}
        elif not listed:
            return {"heading": _("No changes yet")}
        else:
            entries = history.entries_of(row)
            entry = get_object_or_404(entries, pk=chosen) if chosen else entries[0]
            is_before = not chosen or request.GET.get("with") == "before"
            before = entries.filter(pk__lt=entry.pk).first()
            versions = {_("Then"): entry.data, live: self.recorded_data(row)}
            if is_before:
                versions = {_("Before"): before.data, _("After"): entry.data} if before else {}
            compared = _("What was changed on %(moment)s")
            heading = compared if is_before else _("%(moment)s, compared with what is live")
            heading %= {"moment": say_moment(entry.made_at)}
        return {
            "heading": heading,
            "sides": [*versions],
            "differences": list_differences(self, *versions.values()) if versions else [],
            "entry": entry,
            "before": is_before,
        }

    def deleted_view(self, request: HttpRequest) -> HttpResponse:
        """List deleted rows and discarded drafts of new ones, and bring a row back."""
        if not self.may_write(request, None):
            raise PermissionDenied
        deleted = history.list_deleted(self.model)
        if request.method == "POST":
            entry = get_object_or_404(deleted, pk=request.POST.get("_restore") or None)
            return self.bring_back(request, entry)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": capfirst(_("Deleted %(names)s") % {"names": self.opts.verbose_name_plural}),
            "entries": deleted[:ENTRIES_ON_A_PAGE],
            "discarded": drafts.list_discarded(str(self.opts.model_name))[:ENTRIES_ON_A_PAGE],
        }
        return TemplateResponse(request, "desk/deleted.html", context)
