"""The pages of the history of rows, and the forms and actions that write it."""

from collections.abc import Callable, Iterable
from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from site_mirror.desk import drafts, history
from site_mirror.desk.differences import list_differences
from site_mirror.desk.forms import bind_forms, with_data
from site_mirror.desk.history import FORMER_SLUGS, Act
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.panel import state_line
from site_mirror.desk.what_if import IN_WHAT_IF

ENTRIES_ON_A_PAGE = 100


class RecordedAdmin:
    """A form of the desk whose saves are kept, with what they have changed."""

    model: Any
    opts: Any
    admin_site: Any
    place: Callable[..., drafts.Place]
    public_data: Callable[..., dict[str, list[str]]]
    label_of: Callable[[str], str]
    find_row: Callable[..., Any]
    may_write: Callable[..., bool]
    tell: Callable[..., None]
    back: Callable[..., HttpResponse]

    # What writes entries

    def recorded_data(self, request: HttpRequest, row: Any) -> dict[str, list[str]]:
        """Return what an entry holds of a saved row: what its form posts, and its former slugs."""
        unposted: Any = with_data(request, {})
        unposted.method = "GET"
        forms = bind_forms(cast("Any", self), unposted, row)
        # Forms of former slugs have no input; the key of the parent is that of the row.
        inlines = [forms for forms in forms.formsets if forms.prefix != FORMER_SLUGS]
        parents = {f"{form.prefix}-{each.fk.name}" for each in inlines for form in each.forms}
        forms.formsets = inlines
        data = {name: value for name, value in forms.data().items() if name not in parents}
        former = getattr(row, FORMER_SLUGS, None)
        slugs = former.exclude(slug=row.slug).values_list("slug", flat=True) if former else []
        return {**data, **({FORMER_SLUGS: [*slugs]} if slugs else {})}

    def keep_present(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        """Keep what rows are before a change, until the change is recorded."""
        if not IN_WHAT_IF.get():
            kept = {row.pk: self.recorded_data(request, row) for row in rows}
            request.desk_before = kept  # type: ignore[attr-defined]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if change:
            self.keep_present(request, self.model._default_manager.filter(pk=obj.pk))
        else:
            request.desk_returned = history.find_deleted(self.model, self.place(request, None))  # type: ignore[attr-defined]
            if request.desk_returned:  # type: ignore[attr-defined]
                obj.pk = self.opts.pk.to_python(request.desk_returned.row)  # type: ignore[attr-defined]
        super().save_model(request, obj, form, change)  # type: ignore[misc]

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        super().save_related(request, form, formsets, change)  # type: ignore[misc]
        returned = getattr(request, "desk_returned", None)
        if returned:
            history.return_slugs(form.instance, returned)

    def record(self, request: HttpRequest, row: Any, act: str) -> None:
        # The row may have been read before its inlines were saved.
        saved = self.model._default_manager.get(pk=row.pk)
        before = getattr(request, "desk_before", {}).get(row.pk)
        after = self.recorded_data(request, saved)
        history.record(self, saved, before, after, request.user, act)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self.record(request, obj, Act.ADDED)
        return super().log_addition(request, obj, message)  # type: ignore[misc]

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self.record(request, obj, Act.CHANGED)
        return super().log_change(request, obj, message)  # type: ignore[misc]

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Keep rows before they are deleted; their drafts are closed."""
        for row in queryset:
            self.record(request, row, Act.DELETED)
            draft = drafts.open_draft(self.place(request, row))
            if draft:
                drafts.discard_draft(draft)
        return super().log_deletions(request, queryset)  # type: ignore[misc]

    # Pages

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_deleted"
        view = self.admin_site.admin_view(self.deleted_view)
        return [path("deleted/", view, name=name), *super().get_urls()]  # type: ignore[misc]

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show what a row was, compared with what it is, and restore it into the draft."""
        row = self.find_row(request, object_id)
        entries = history.entries_of(row)
        if request.method == "POST":
            entry = get_object_or_404(entries, pk=request.POST.get("_restore") or None)
            place, present = self.place(request, row), self.public_data(request, row)
            restored = history.restore_data(place, entry.data, present, request.user)
            is_new = "This is the draft now. Readers do not see it."
            self.tell(request, is_new if restored.is_open else "This is what is live already.")
            return self.back(row)
        draft = drafts.open_draft(self.place(request, row))
        listed = list(entries.defer("data")[:ENTRIES_ON_A_PAGE])
        for entry in listed:
            entry.labels = list(dict.fromkeys(map(self.label_of, entry.changed)))  # type: ignore[attr-defined]
        context = {
            **self.page_context(request),
            **self.comparison(request, row, draft, listed),
            **(extra_context or {}),
            "title": f"History of “{history.title_of(self, row)}”",
            "original": row,
            "entries": listed,
            "line": state_line(draft, row),
            "draft": draft,
        }
        return TemplateResponse(request, "desk/history.html", context)

    def comparison(
        self, request: HttpRequest, row: Any, draft: Draft | None, listed: list[HistoryEntry]
    ) -> dict[str, Any]:
        """Return what the draft or a chosen entry differs in from what is live or was before."""
        chosen = request.GET.get("entry")
        if not chosen and draft:
            live = self.public_data(request, row)
            return {"differences": list_differences(self, live, draft.data), "of_draft": True}
        if not listed:
            return {}
        entries = history.entries_of(row)
        entry = get_object_or_404(entries, pk=chosen) if chosen else entries[0]
        if not chosen or request.GET.get("with") == "before":
            before = entries.filter(pk__lt=entry.pk).first()
            found = list_differences(self, before.data if before else {}, entry.data)
            return {"differences": found, "entry": entry, "before": True, "first": not before}
        live = self.recorded_data(request, row)
        return {"differences": list_differences(self, entry.data, live), "entry": entry}

    def deleted_view(self, request: HttpRequest) -> HttpResponse:
        """List deleted rows; one that is brought back is a draft until somebody publishes it."""
        if not self.may_write(request, None):
            raise PermissionDenied
        deleted = history.list_deleted(self.model)
        if request.method == "POST":
            entry = get_object_or_404(deleted, pk=request.POST.get("_restore") or None)
            draft = history.bring_back(entry, self.public_data(request, None), request.user)
            self.tell(request, f"“{entry}” is a draft now. Its former addresses come back with it.")
            return self.back(None, draft)
        context = {
            **self.page_context(request),
            "title": f"Deleted {self.opts.verbose_name_plural}",
            "entries": deleted.defer("data")[:ENTRIES_ON_A_PAGE],
        }
        return TemplateResponse(request, "desk/deleted.html", context)

    def page_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts}
