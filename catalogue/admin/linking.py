"""Link checks of the admin: dead links are refused, and a change that breaks links is confirmed.

A form is saved in a transaction, because only saved rows have the inlines, the new slug and the new
headings. If a link is dead, the transaction is rolled back and the form is shown again with its
errors.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import model_ngettext, unquote
from django.core.exceptions import NON_FIELD_ERRORS
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from msgspec import Struct, field

from catalogue.breaking import (
    LinkState,
    Place,
    broken_places,
    group_by_row,
    places_broken_by,
    places_digest,
    read_link_state,
    row_key,
    summarize_places,
)
from catalogue.linking import Checker, DeadLink

CONFIRMATION_FIELD = "_break_links"
"""Name of the check box that confirms a change; its value is the digest of the listed places."""

LinkFaults = Mapping[str, Sequence[str]]


class LinksRefused(Exception):
    """A saved form has dead links or breaks links; the transaction must be rolled back."""

    def __init__(self, dead: list[DeadLink], after: LinkState | None) -> None:
        super().__init__("Links are not in order.")
        self.dead = dead
        self.after = after


class LinkCheck(Struct):
    """The link check of one request.

    `open` is true until the saved form has been checked. `was_public` is true if other texts may
    link to the row.
    """

    open: bool = True
    was_public: bool = False
    dead: list[DeadLink] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


class Confirmation(Struct, frozen=True):
    """The page that asks for a confirmation: its title and button, and the address to go back to.

    `hidden` are the fields of the request that is sent again, and `objects` the rows to delete.
    """

    title: str
    button: str
    back: str
    hidden: Mapping[str, Sequence[Any]]
    objects: Sequence[Any] = ()


def link_check_of(request: HttpRequest) -> LinkCheck:
    """Return the link check of a request, which the first call creates."""
    check: LinkCheck | None = getattr(request, "link_check", None)
    if check is None:
        check = LinkCheck()
        request.link_check = check  # type: ignore[attr-defined]
    return check


class LinkedForm(forms.ModelForm[Any]):
    """A form that shows dead links at their fields."""

    link_faults: LinkFaults = {}

    def clean(self) -> Any:
        cleaned = super().clean()
        for column, faults in self.link_faults.items():
            for words in faults:
                self.add_error(column if column in self.fields else None, words)
        return cleaned


class LinkedFormSet:
    """Inlines that show dead links at their fields; a row is found by the typed address."""

    link_faults: Sequence[DeadLink] = ()

    def clean(self) -> None:
        super().clean()  # type: ignore[misc]
        for form in self.forms:  # type: ignore[attr-defined]
            for fault in self.link_faults:
                column = fault.link.column
                if fault.link.target in str(getattr(form, "cleaned_data", {}).get(column, "")):
                    form.add_error(column, str(fault))


def is_confirmed(request: HttpRequest, places: Collection[Place]) -> bool:
    """Whether the editor confirmed exactly these places."""
    return request.POST.get(CONFIRMATION_FIELD) == places_digest(places)


def breaking_context(places: Collection[Place]) -> dict[str, Any]:
    """Return the context of the templates that list broken places; empty if there are none."""
    if not places:
        return {}
    groups = [
        {
            "title": str(group.row) if group.row else "The site itself",
            "kind": group.row._meta.verbose_name if group.row else "",
            "form": form_url(group.row) if group.row else "",
            "words": [place.words for place in group.places],
        }
        for group in group_by_row(places)
    ]
    return {
        "breaking": groups,
        "breaking_summary": summarize_places(places),
        "breaking_seal": places_digest(places),
        "breaking_field": CONFIRMATION_FIELD,
    }


def form_url(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


class LinkedAdmin:
    """A form whose links are checked, and to whose row other texts may link."""

    model: Any
    opts: Any
    admin_site: Any
    media: Any
    get_object: Callable[..., Any]
    get_deleted_objects: Callable[..., Any]
    has_delete_permission: Callable[..., bool]

    form = LinkedForm
    change_form_before_template = "catalogue/breaking.html"
    actions: ClassVar[Sequence[str]] = ["delete_selected"]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        check = link_check_of(request)
        show: Callable[..., HttpResponse] = super().changeform_view  # type: ignore[misc]
        if request.method != "POST":
            return show(request, object_id, form_url, extra_context)
        row = self.get_object(request, unquote(object_id)) if object_id else None
        check.was_public = row is not None and Checker().seen_at(row) is not None
        try:
            return show(request, object_id, form_url, extra_context)
        except LinksRefused as refused:
            check.open, check.dead = False, refused.dead
            if refused.after and row and not refused.dead:
                places = broken_places(read_link_state(), refused.after, {row_key(row)})
                check.places = [] if is_confirmed(request, places) else places
        return show(
            request,
            object_id,
            form_url,
            {**(extra_context or {}), **breaking_context(check.places)},
        )

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: Any = None, **options: Any
    ) -> type[Any]:
        form: type[Any] = super().get_form(  # type: ignore[misc]
            request, obj, change, **options
        )
        check = link_check_of(request)
        faults: dict[str, Sequence[str]] = {}
        for each in check.dead:
            if isinstance(each.link.row, self.model):
                faults[each.link.column] = [*faults.get(each.link.column, ()), str(each)]
        if check.places:
            faults[NON_FIELD_ERRORS] = [f"Nothing has been saved. {summarize_places(check.places)}"]
        return type(form.__name__, (form,), {"link_faults": faults}) if faults else form

    def get_formsets_with_inlines(
        self, request: HttpRequest, obj: Any = None
    ) -> Iterator[tuple[Any, Any]]:
        pairs = super().get_formsets_with_inlines(request, obj)  # type: ignore[misc]
        for formset, inline in pairs:
            faults = [
                each
                for each in link_check_of(request).dead
                if isinstance(each.link.row, inline.model)
            ]
            attributes = {"link_faults": faults}
            yield (type(formset.__name__, (formset,), attributes) if faults else formset), inline

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        super().save_related(request, form, formsets, change)  # type: ignore[misc]
        check = link_check_of(request)
        if check.open:
            dead = Checker().dead_of(form.instance)
            after = read_link_state() if check.was_public and not dead else None
            if dead or after:
                raise LinksRefused(dead, after)

    def delete_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if row and self.has_delete_permission(request, row):
            question = self.ask_before_deleting(request, [row], row.delete, form_url(row), {})
            if question:
                return question
        response: HttpResponse = super().delete_view(  # type: ignore[misc]
            request, object_id, extra_context
        )
        return response

    @admin.action(permissions=["delete"], description="Delete selected %(verbose_name_plural)s")
    def delete_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        hidden = {**selection_fields(request, queryset), "action": ["delete_selected"]}
        back = request.get_full_path()
        question = self.ask_before_deleting(request, list(queryset), queryset.delete, back, hidden)
        return question or delete_selected(cast("Any", self), request, queryset)

    def ask_before_deleting(
        self,
        request: HttpRequest,
        rows: list[Model],
        delete: Callable[[], object],
        back: str,
        hidden: Mapping[str, Sequence[Any]],
    ) -> HttpResponse | None:
        """Return the page that asks for a confirmation; `None` if it is not needed or given."""
        objects, _, lacking, protected = self.get_deleted_objects(rows, request)
        if lacking or protected:
            return None
        places = places_broken_by(delete, {row_key(row) for row in rows})
        if not places or is_confirmed(request, places):
            return None
        name = (
            str(rows[0])
            if len(rows) == 1
            else f"{len(rows)} {model_ngettext(self.opts, len(rows))}"
        )
        question = Confirmation(
            f"Delete “{name}”?",
            "Delete all the same",
            back,
            {**hidden, "post": ["yes"]},
            objects,
        )
        return self.confirmation_page(request, places, question)

    def confirmation_page(
        self,
        request: HttpRequest,
        places: Collection[Place],
        question: Confirmation,
    ) -> HttpResponse:
        """Return a page that lists broken places and sends the same request with a confirmation."""
        context = {
            **self.admin_site.each_context(request),
            **breaking_context(places),
            "title": question.title,
            "opts": self.opts,
            "media": self.media,
            "button": question.button,
            "back": question.back,
            "hidden": [
                (name, value) for name in question.hidden for value in question.hidden[name]
            ],
            "objects": question.objects,
        }
        return TemplateResponse(request, "catalogue/breaking_page.html", context)


def selection_fields(request: HttpRequest, queryset: QuerySet[Any]) -> dict[str, list[Any]]:
    """Return the fields of a list's form that name the chosen rows."""
    return {
        ACTION_CHECKBOX_NAME: [row.pk for row in queryset],
        "select_across": [request.POST.get("select_across", "0")],
        "index": [request.POST.get("index", "0")],
    }
