"""Link checks of the admin: dead links are refused, and a change that breaks links is confirmed.

A form is saved in a transaction, because only saved rows have the inlines, the new slug and the new
headings. If a link is dead, the transaction is rolled back and the form is shown again with its
errors.
"""

from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from itertools import groupby
from typing import Any, cast

from django import forms
from django.contrib.admin.utils import unquote
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from msgspec import Struct, field

from catalogue.links.checking import (
    Checker,
    DeadLink,
    dead_links_naming,
    links_broken_by,
    newly_broken,
    words_of,
)

CONFIRMATION_FIELD = "_break_links"
"""Name of the check box that confirms a change; its value is the digest of the listed breaks."""
TOKEN_FIELD = "csrfmiddlewaretoken"  # noqa: S105  (a name)


class LinksRefused(Exception):
    """A saved form has dead links or breaks links; the transaction must be rolled back."""


class LinkCheck(Struct):
    """The link check of one request; it is `open` until the saved form has been checked.

    `words` are parts of the addresses that the row had; `broken` are links of other rows.
    """

    open: bool = True
    words: Collection[str] = ()
    dead: list[DeadLink] = field(default_factory=list)
    broken: list[DeadLink] = field(default_factory=list)


def link_check_of(request: HttpRequest) -> LinkCheck:
    """Return the link check of a request, which the first call creates."""
    check: LinkCheck | None = getattr(request, "link_check", None)
    if check is None:
        check = LinkCheck()
        request.link_check = check  # type: ignore[attr-defined]
    return check


class LinkedForm(forms.ModelForm[Any]):
    """A form that shows dead links at their fields."""

    link_check = LinkCheck()

    def clean(self) -> Any:
        cleaned = super().clean()
        for dead in self.link_check.dead:
            if dead.link.field.model is self._meta.model:
                name = dead.link.field.name
                self.add_error(name if name in self.fields else None, str(dead))
        if broken := self.link_check.broken:
            self.add_error(None, f"Nothing has been saved. {breaking_summary(broken)}")
        return cleaned


class LinkedFormSet:
    """Inlines that show dead links at their fields; a row is found by the typed address."""

    link_check = LinkCheck()

    def clean(self) -> None:
        super().clean()  # type: ignore[misc]
        for form in self.forms:  # type: ignore[attr-defined]
            for dead in self.link_check.dead:
                link, typed = dead.link, getattr(form, "cleaned_data", {})
                if link.field.model is form._meta.model and link.target in str(
                    typed.get(link.field.name)
                ):
                    form.add_error(link.field.name, str(dead))


def breaking_summary(broken: Collection[DeadLink]) -> str:
    links = "1 link" if len(broken) == 1 else f"{len(broken)} links"
    return f"This change breaks {links} of other texts."


def digest_of(broken: Collection[DeadLink]) -> str:
    words = [f"{form_url(dead.link.row)} {dead.sentence}" for dead in broken]
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def is_confirmed(request: HttpRequest, broken: Collection[DeadLink]) -> bool:
    """Whether the editor confirmed exactly this list."""
    return request.POST.get(CONFIRMATION_FIELD) == digest_of(broken)


def breaking_context(broken: Collection[DeadLink]) -> dict[str, Any]:
    """Return the context of `breaking.html`; it is empty if there are no links."""
    if not broken:
        return {}
    return {
        "breaking": [
            {"row": row, "form": form_url(row), "links": [dead.sentence for dead in several]}
            for row, several in groupby(broken, key=lambda dead: dead.link.row)
        ],
        "breaking_summary": breaking_summary(broken),
        "breaking_field": CONFIRMATION_FIELD,
        "breaking_seal": digest_of(broken),
    }


def form_url(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


class LinkedAdmin:
    """A form whose links are checked, and to whose row other texts may link."""

    model: Any
    get_object: Callable[..., Any]

    form = LinkedForm
    change_form_before_template = "catalogue/breaking.html"

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        check, show = link_check_of(request), super().changeform_view  # type: ignore[misc]
        row = self.get_object(request, unquote(object_id)) if object_id else None
        if row and request.method == "POST":
            check.words = words_of([row])
        try:
            return cast("HttpResponse", show(request, object_id, form_url, extra_context))
        except LinksRefused:
            check.open = False
            broken = newly_broken(check.broken)
            check.broken = [] if is_confirmed(request, broken) else broken
        context = {**(extra_context or {}), **breaking_context(check.broken)}
        return cast("HttpResponse", show(request, object_id, form_url, context))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: Any = None, **options: Any
    ) -> type[Any]:
        form = super().get_form(request, obj, change, **options)  # type: ignore[misc]
        return type(form.__name__, (form,), {"link_check": link_check_of(request)})

    def get_formsets_with_inlines(
        self, request: HttpRequest, obj: Any = None
    ) -> Iterator[tuple[Any, Any]]:
        attributes = {"link_check": link_check_of(request)}
        for formset, inline in super().get_formsets_with_inlines(request, obj):  # type: ignore[misc]
            yield type(formset.__name__, (formset,), attributes), inline

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        super().save_related(request, form, formsets, change)  # type: ignore[misc]
        check = link_check_of(request)
        if check.open:
            check.dead = Checker().dead_of(form.instance)
            if not check.dead:
                check.broken = dead_links_naming(check.words, [form.instance])
            if check.dead or check.broken:
                raise LinksRefused

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
