"""Forms that are saved only if a save that is rolled back finds no fault."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, cast

from django.contrib.admin.helpers import AdminErrorList
from django.contrib.admin.utils import unquote
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import PermissionDenied
from django.db.models import PROTECT, Model
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from catalogue.admin.base import CatalogueAdmin
from site_mirror.desk import preview
from site_mirror.desk.faults import (
    Fault,
    form_address,
    list_breaking,
    list_form_faults,
    list_refusals,
)
from site_mirror.desk.forms import BoundForms, Data, bind_forms, data_of, with_data
from site_mirror.desk.links import DeadLink, dead_links_naming, newly_broken, words_of
from site_mirror.desk.parts import without_parts
from site_mirror.desk.readers import is_public, live_sentence
from site_mirror.desk.roles import MAY_PUBLISH
from site_mirror.desk.site import seen_from
from site_mirror.desk.what_if import IN_WHAT_IF, rolled_back, what_if


class CheckedAdmin(CatalogueAdmin):
    """A form of the catalogue with checks."""

    routes: tuple[str, ...] = ("check",)
    """Views that stand beside the form of a row, and beside that of a new one: `check_view`."""
    delete_confirmation_template = "desk/deletion.html"
    delete_selected_confirmation_template = "desk/deletion.html"

    def may_write(self, request: HttpRequest, row: Any) -> bool:
        """Whether the user may write a draft of a row, or of a new row if it is `None`."""
        if row is None:
            return bool(self.has_add_permission(request))
        return bool(self.has_change_permission(request, row))

    def may_publish(self, request: HttpRequest, row: Any) -> bool:
        """Whether the user may make texts of a row public, or a new row if it is `None`."""
        return self.may_write(request, row) and request.user.has_perm(MAY_PUBLISH)

    def has_order_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and request.user.has_perm(MAY_PUBLISH)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save a row only for those who may publish, whatever route has led here."""
        if not (IN_WHAT_IF.get() or self.may_publish(request, obj if change else None)):
            raise PermissionDenied
        super().save_model(request, obj, form, change)

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        patterns = [
            path(f"{row}{route}/", view, name=f"{name}_{route}{end}")
            for route in self.routes
            for view in [self.admin_site.admin_view(getattr(self, f"{route}_view"))]
            for row, end in (("", "_new"), ("<path:object_id>/", ""))
        ]
        return patterns + super().get_urls()

    def find_row(self, request: HttpRequest, object_id: str | None) -> Any:
        """Return the row of a route, or `None` for a new one, if the user may write it."""
        row = self.get_object(request, unquote(object_id)) if object_id else None
        if object_id and row is None:
            raise Http404
        if not self.may_write(request, row):
            raise PermissionDenied
        return row

    def unposted_forms(self, request: HttpRequest, row: Any) -> BoundForms:
        return bind_forms(self, with_data(request, {}, "GET"), row)

    def public_data(self, request: HttpRequest, row: Any) -> dict[str, list[str]]:
        """Return what the form of a saved row posts if nobody types, or that of a new row."""
        return self.unposted_forms(request, row).data()

    @method_decorator(require_POST)
    def check_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Return what would refuse the publication of a form, each fault with its input."""
        row = self.find_row(request, object_id)
        data = preview.published_data(self.model, data_of(request.POST))
        faults = self.find_faults(with_data(request, data), row)
        return JsonResponse({"valid": not faults, "faults": faults})

    def find_faults(self, request: HttpRequest, row: Any) -> list[Fault]:
        """Return why the posted forms must not be saved; there is none if they may be."""
        own, others = self.try_forms(request, row)
        return own + others

    def try_forms(self, request: HttpRequest, row: Any) -> tuple[list[Fault], list[Fault]]:
        """Return the faults of the posted forms, and those that the site has if they are saved.

        While a part is invalid, the others are tried without it, so that all faults are told.
        """
        words, at = words_of([row] if row else []), None
        after: list[DeadLink] = []
        with what_if(self, request, row) as trial:
            own, others = list_form_faults(trial.forms), list_refusals(trial, row)
            if trial.row:
                # A row that readers do not see yet moves others off a list when it appears.
                at = None if row and is_public(row) else seen_from(trial.row)
                words |= words_of([trial.row])
                after = dead_links_naming(words, [trial.row], at)
            invalid = trial.forms.invalid_parts()
        others += list_breaking(newly_broken(after, at))
        if row and invalid:
            posted, saved = data_of(request.POST), self.public_data(request, row)
            if rest := without_parts(posted, saved, invalid):
                _own, found = self.try_forms(with_data(request, rest), row)
                others += [
                    fault
                    for fault in found
                    if fault not in others and fault["name"].partition("-")[0] not in invalid
                ]
        return own, others

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        field: Any = super().formfield_for_dbfield(db_field, request, **options)
        widget = getattr(field, "widget", None)
        if isinstance(widget, RelatedFieldWidgetWrapper):
            # Windows of related rows have no drafts, and open by a mouse only.
            field.widget = widget.widget
        return field

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: Any = None, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **options)
        return partial(form, request.POST) if is_bound(request) else form

    def get_formset_kwargs(self, request: HttpRequest, *where: Any) -> dict[str, Any]:
        options: dict[str, Any] = super().get_formset_kwargs(request, *where)
        return {"data": request.POST, **options} if is_bound(request) else options

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *more: Any, **options: Any
    ) -> HttpResponse:
        if is_bound(request):
            formsets = [inline.formset for inline in context["inline_admin_formsets"]]
            forms = BoundForms(self, request, context["adminform"].form, formsets)
            forms.show_faults(request.desk_faults)  # type: ignore[attr-defined]
            context["errors"] = AdminErrorList(forms.form, formsets)
        return cast("HttpResponse", super().render_change_form(request, context, *more, **options))

    def get_deleted_objects(
        self, objs: Collection[Model], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Add to the page that confirms a deletion which addresses leave the site.

        A deletion that breaks links of other texts is refused.
        """
        deleted, counts, forbidden, kept = super().get_deleted_objects(objs, request)
        # Rows that only relate others are no words of editors.
        deleted = [line for line in deleted if isinstance(line, str)]
        chosen = self.model._default_manager.filter(pk__in=[row.pk for row in objs])
        deleted += [live_sentence(row) for row in objs]
        words = words_of(objs)
        with rolled_back():
            for relation in self.opts.related_objects:
                if relation.on_delete is PROTECT:  # These rows are named already.
                    name = relation.field.name
                    rows = relation.related_model._default_manager.filter(**{f"{name}__in": objs})
                    rows.update(**{name: None})
            chosen.delete()
            after = dead_links_naming(words, list(objs))
        broken = newly_broken(after)
        has_link = _("“%(row)s” has a link. %(fault)s")
        for dead in broken:
            told = has_link % {"row": dead.link.row, "fault": dead.sentence}
            kept.append(format_html('<a href="{}">{}</a>', form_address(dead.link.row), told))
        return deleted, counts, forbidden, kept


def bind_to(data: Data, faults: Sequence[Fault], request: HttpRequest) -> HttpRequest:
    """Return a request that opens a form with other data, and with these faults and no others.

    The admin saves what is posted, so nothing is: a draft may be unfinished, or without a fault.
    """
    bound: Any = with_data(request, data, "GET")
    bound.desk_faults = faults
    return bound  # type: ignore[no-any-return]


def is_bound(request: HttpRequest) -> bool:
    return hasattr(request, "desk_faults")
