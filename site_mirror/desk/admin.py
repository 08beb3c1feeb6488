"""The forms of the catalogue at the desk: checked by a save that is rolled back, with a preview."""

from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from typing import Any, cast

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from catalogue.models import Publishable
from site_mirror.desk import preview
from site_mirror.desk.breaking import breaking_context, is_confirmed
from site_mirror.desk.forms import data_of
from site_mirror.desk.held_forms import (
    HeldForm,
    HeldFormSet,
    Hold,
    hold_forms,
    with_hold,
)
from site_mirror.desk.links import (
    Checker,
    dead_links_naming,
    links_broken_by,
    newly_broken,
    words_of,
)
from site_mirror.desk.state_actions import StateActions
from site_mirror.desk.what_if import what_if

View = Callable[..., HttpResponse]
SHOWN = (("page", "Page"), ("list", "In lists"), ("markdown", "Markdown"), ("json", "JSON"))
"""What the preview can show of a row, with labels."""


class DeskAdmin:
    """A form of the catalogue at the desk."""

    model: Any
    opts: Any
    admin_site: Any
    get_object: Callable[..., Any]
    has_add_permission: Callable[..., bool]
    has_change_permission: Callable[..., bool]

    change_form_template = "desk/change_form.html"

    def may_write(self, request: HttpRequest, row: Any) -> bool:
        """Whether the user may write texts of a row, or a new row if it is `None`."""
        return self.may_publish(request, row)

    def may_publish(self, request: HttpRequest, row: Any) -> bool:
        """Whether the user may make texts of a row public, or a new row if it is `None`."""
        if row is None:
            return self.has_add_permission(request)
        return self.has_change_permission(request, row)

    def get_urls(self) -> list[URLPattern]:
        routes: tuple[tuple[str, View], ...] = (
            ("preview", self.preview_view),
            ("check", self.check_view),
        )
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        patterns = [
            path(f"{row}{route}/", self.admin_site.admin_view(view), name=f"{name}_{route}{end}")
            for route, view in routes
            for row, end in (("", "_new"), ("<path:object_id>/", ""))
        ]
        return patterns + super().get_urls()  # type: ignore[misc,no-any-return]

    def find_row(self, request: HttpRequest, object_id: str | None) -> Any:
        """Return the row of a route, or `None` for a new one, if the user may write it."""
        row = self.get_object(request, unquote(object_id)) if object_id else None
        if object_id and row is None:
            raise Http404
        if not self.may_write(request, row):
            raise PermissionDenied
        return row

    @property
    def preview_view(self) -> View:
        @require_POST
        @xframe_options_sameorigin
        def view(request: HttpRequest, object_id: str | None = None) -> HttpResponse:
            row = self.find_row(request, object_id)
            return preview.show_preview(self, request, row, data_of(request.POST), request.POST)

        return view

    @property
    def check_view(self) -> View:
        @require_POST
        def view(request: HttpRequest, object_id: str | None = None) -> HttpResponse:
            row = self.find_row(request, object_id)
            return preview.check_form(self, request, row, data_of(request.POST))

        return view

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        show = super().changeform_view  # type: ignore[misc]
        context = {**(extra_context or {}), "desk": self.panel_context(object_id)}
        if request.method != "POST":
            return cast("HttpResponse", show(request, object_id, form_url, context))
        with transaction.atomic():  # The check and the save see the same rows.
            row = self.get_object(request, unquote(object_id)) if object_id else None
            if row is not None or not object_id:
                hold = self.find_hold(request, row)
                if hold:
                    hold_forms(request, hold)
                    context |= breaking_context(hold.broken)
            return cast("HttpResponse", show(request, object_id, form_url, context))

    def panel_context(self, object_id: str | None) -> dict[str, Any]:
        """Return the context of the panel beside the form."""

        def route(name: str) -> str:
            end, args = ("", [object_id]) if object_id else ("_new", [])
            page = f"admin:{self.opts.app_label}_{self.opts.model_name}_{name}{end}"
            return reverse(page, args=args)

        return {
            "form": f"{self.opts.model_name}_form",
            "preview": route("preview"),
            "check": route("check"),
            "shown": SHOWN,
            "languages": settings.LANGUAGES,
        }

    def find_hold(self, request: HttpRequest, row: Any) -> Hold | None:
        """Return why the posted forms must not be saved; `None` if they may be."""
        if not self.may_publish(request, row):
            raise PermissionDenied
        words = words_of([row] if row else [])
        with what_if(self, request, row) as trial:  # type: ignore[arg-type]
            checker = Checker()
            if trial.row is None:
                return Hold(dead=checker.dead_in_form(trial.forms.form))
            dead = checker.dead_of(trial.row)
            after = dead_links_naming(words, [trial.row])
        broken = newly_broken(after)
        if dead or (broken and not is_confirmed(request, broken)):
            return Hold(dead=dead, broken=broken)
        return None

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: Any = None, **options: Any
    ) -> type[Any]:
        form = super().get_form(request, obj, change, **options)  # type: ignore[misc]
        return with_hold(form, HeldForm, request)

    def get_formsets_with_inlines(
        self, request: HttpRequest, obj: Any = None
    ) -> Iterator[tuple[Any, Any]]:
        for formset, inline in super().get_formsets_with_inlines(request, obj):  # type: ignore[misc]
            yield with_hold(formset, HeldFormSet, request), inline

    def get_deleted_objects(
        self, objs: Collection[Model], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Add the links that a deletion breaks to what the page of its confirmation lists."""
        deleted, counts, *others = super().get_deleted_objects(objs, request)  # type: ignore[misc]
        chosen = self.model._default_manager.filter(pk__in=[row.pk for row in objs])
        broken = links_broken_by(chosen.delete, objs)
        if broken:
            counts["links of other texts that break"] = len(broken)
            deleted += [f"“{dead.link.row}” has a link. {dead.sentence}" for dead in broken]
        return deleted, counts, *others


class PublishableDeskAdmin(DeskAdmin, StateActions):
    """A form of rows with a state."""


def bring_to_the_desk() -> None:
    """Register each form of the catalogue again, as one of the desk."""
    import_module("catalogue.admin")  # It registers the forms.
    for model, plain in [*admin.site._registry.items()]:
        if model._meta.app_label == "catalogue":
            desk = PublishableDeskAdmin if issubclass(model, Publishable) else DeskAdmin
            admin.site.unregister(model)
            admin.site.register(model, type(type(plain).__name__, (desk, type(plain)), {}))


bring_to_the_desk()
