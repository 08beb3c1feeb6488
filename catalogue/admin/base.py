"""The base of every form of the admin.

Only this module, `catalogue.admin_site` and `catalogue.appearance` know the theme.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar, cast

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.db import DataError, models
from django.db.models import Max
from django.forms import BaseForm, BaseModelFormSet, Field, ModelForm
from django.http import HttpRequest, HttpResponseBase
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import display
from unfold.forms import (
    AdminPasswordChangeForm,
    PaginationInlineFormSet,
    UserChangeForm,
    UserCreationForm,
)
from unfold.widgets import BASE_INPUT_CLASSES, UnfoldAdminTextareaWidget

from catalogue.admin.linking import LinkedAdmin, LinkedFormSet
from catalogue.admin.values import FORM_FIELDS, MAX_ROWS, LimitedRows, can_hold, initial_data
from catalogue.fields import Lines, Prose
from catalogue.localized import ENGLISH, LANGUAGES

__all__ = [
    "AdminPasswordChangeForm",
    "CatalogueAdmin",
    "FormerSlugInline",
    "OrderedInline",
    "ThemedAdmin",
    "UserChangeForm",
    "UserCreationForm",
    "apply_theme",
    "list_column",
    "localized_columns",
]

Cell = TypeVar("Cell", bound=Callable[..., Any])


def localized_columns(name: str) -> tuple[str, ...]:
    """Return the two columns of a localized text, which a form shows in one row."""
    return tuple(f"{name}_{language}" for language in LANGUAGES)


def list_column(description: str, **look: Any) -> Callable[[Cell], Cell]:
    """Decorate a method as a column of a list, with `ordering`, `boolean` or colours (`label`)."""
    return cast("Callable[[Cell], Cell]", display(description=description, **look))


def apply_theme(form: BaseForm) -> None:
    """Style the text inputs of a form that is not on a page of the theme."""
    for field in form.fields.values():
        field.widget.attrs["class"] = " ".join(BASE_INPUT_CLASSES)


def set_label_and_language(field: Field, source: "models.Field[Any, Any]") -> Field:
    """Set the language of a form field, and keep the capitals of its name, such as iOS."""
    name = str(source.verbose_name)
    if not name.partition(",")[0].islower():
        field.label = name
    language = source.name.rpartition("_")[2]
    if language in LANGUAGES:
        field.widget.attrs["lang"] = language
    return field


def next_position(rows: models.QuerySet[Any]) -> int:
    """Return the position that makes a new row the last one."""
    last: int | None = rows.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def textarea(*, rows: int, css_class: str) -> UnfoldAdminTextareaWidget:
    return UnfoldAdminTextareaWidget({"rows": rows, "class": css_class})


MAX_SEARCH_CHARACTERS = 100
"""Limit of a search, because every word is a condition, and SQLite allows a thousand."""


ALLOWED_LOOKUPS = ("exact", "in", "isnull", "gte", "lt", "year", "month", "day")
"""The lookups of filters and date hierarchies. Others raise errors for some texts."""

MAX_QUOTED_KEY_CHARACTERS = 40
"""Characters of a wrong key that an error message quotes."""


class ChangelistFormSet(LimitedRows, BaseModelFormSet[Any, Any]):  # type: ignore[misc]
    """The rows of a list that are sorted by dragging."""


class ThemedAdmin(ModelAdmin):  # type: ignore[misc]
    """A form with labels above its fields and a warning before typed text is lost.

    Values in an address that no column can have, such as the year 0 or a key of twenty digits, are
    ignored by a list and by an add form. An action on such a key changes nothing.
    """

    compressed_fields = False
    warn_unsaved_form = True
    formfield_overrides: Mapping[Any, Mapping[str, Any]] = FORM_FIELDS

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        form = self.get_form(request, None, change=False)
        return initial_data(form(), request.GET.dict())

    def response_action(
        self, request: HttpRequest, queryset: "models.QuerySet[Any]"
    ) -> HttpResponseBase | None:
        for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
            if not can_hold(self.opts.pk, key):
                quoted = key[:MAX_QUOTED_KEY_CHARACTERS]
                message = f"Nothing was changed: {quoted!r} is not a key of this list."
                self.message_user(request, message, messages.ERROR)
                return None
        return cast("HttpResponseBase | None", super().response_action(request, queryset))

    def _get_edited_object_pks(self, request: HttpRequest, prefix: str) -> list[str]:
        keys = super()._get_edited_object_pks(request, prefix)
        return [key for key in keys if can_hold(self.opts.pk, key)]

    def get_changelist_formset(
        self, request: HttpRequest, **options: Any
    ) -> type[BaseModelFormSet[Any, Any]]:
        bounds = {"formset": ChangelistFormSet, "max_num": MAX_ROWS, "absolute_max": MAX_ROWS}
        return cast(
            "type[BaseModelFormSet[Any, Any]]",
            super().get_changelist_formset(request, **bounds | options),
        )

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        try:
            return cast("ChangeList", super().get_changelist_instance(request))
        except (ValueError, IndexError, OverflowError, DataError) as error:
            raise IncorrectLookupParameters(*error.args) from error

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        column, _, suffix = lookup.rpartition("__")
        is_known = not column or suffix in ALLOWED_LOOKUPS
        return is_known and super().lookup_allowed(lookup, value, request)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Find a row by its key if `_to_field` in the address is empty."""
        return super().get_object(request, object_id, from_field or None)

    def get_search_results(
        self, request: HttpRequest, queryset: "models.QuerySet[Any]", search_term: str
    ) -> tuple["models.QuerySet[Any]", bool]:
        results: tuple[models.QuerySet[Any], bool] = super().get_search_results(
            request, queryset, search_term[:MAX_SEARCH_CHARACTERS]
        )
        return results


class TextsMixin:
    """Widgets for the columns of the catalogue."""

    formfield_overrides: Mapping[Any, Mapping[str, Any]] = {
        **FORM_FIELDS,
        Prose: {"widget": textarea(rows=3, css_class="catalogue-prose")},
        Lines: {"widget": textarea(rows=4, css_class="catalogue-prose")},
    }
    code_rows: ClassVar[Mapping[str, int]] = {}
    """Fields with a source text, and the height of their inputs in lines."""

    def formfield_for_dbfield(
        self, db_field: "models.Field[Any, Any]", request: HttpRequest, **options: Any
    ) -> Field | None:
        if rows := self.code_rows.get(db_field.name):
            options["widget"] = textarea(rows=rows, css_class="catalogue-code")
        field: Field | None = super().formfield_for_dbfield(  # type: ignore[misc]
            db_field, request, **options
        )
        return field and set_label_and_language(field, db_field)


class CatalogueAdmin(TextsMixin, LinkedAdmin, ThemedAdmin):
    """The form of a model of the catalogue; subclasses only declare its content."""

    list_per_page = 100
    hide_ordering_field = True
    ordering_field: str | None = None
    translation = ""
    """The Vietnamese column without which a row has no Vietnamese text."""

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> Mapping[str, Any]:
        """Propose a slug for new rows only, because a published slug is part of an address."""
        return {} if obj else self.prepopulated_fields

    def save_model(
        self, request: HttpRequest, obj: Any, form: "ModelForm[Any]", change: Any
    ) -> None:
        if self.ordering_field and not change:
            obj.position = next_position(self.model.objects.all())
        super().save_model(request, obj, form, change)

    @list_column("Languages", label=True)
    def languages(self, obj: Any) -> list[str]:
        return list(LANGUAGES) if getattr(obj, self.translation) else [ENGLISH]


class LimitedFormSet(LimitedRows, PaginationInlineFormSet):  # type: ignore[misc]
    """The rows of an inline, in a limited number."""


class LimitedInline(TabularInline):  # type: ignore[misc]
    formset = LimitedFormSet
    max_num = MAX_ROWS

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        return super().get_formset(request, obj, **{"absolute_max": MAX_ROWS} | options)


class OrderedFormSet(LinkedFormSet, LimitedFormSet):
    """Rows that are sorted by dragging; a new row comes last.

    Constraints are validated here, because Django does so without the parent and does not find a
    row that another editor has added in the meantime.
    """

    def clean(self) -> None:
        super().clean()
        if any(map(self._should_delete_form, self.forms)):
            return  # A row may have the name of a row that is deleted in the same save.
        for form in self.forms:
            if form.has_changed() and not form.errors:
                try:
                    form.instance.validate_constraints(exclude=form._get_validation_exclusions())
                except ValidationError as fault:
                    form.add_error(None, fault)

    def save_new(self, form: "ModelForm[Any]", **options: Any) -> Any:
        siblings = self.model.objects.filter(**{self.fk.name: self.instance})
        form.instance.position = next_position(siblings)
        return super().save_new(form, **options)


class OrderedInline(TextsMixin, LimitedInline):
    formset = OrderedFormSet
    ordering_field = "position"
    hide_ordering_field = True
    hide_title = True
    extra = 0


class FormerSlugInline(LimitedInline):
    """Former slugs, whose addresses redirect to the row. Editors may only delete them."""

    fields = ("slug",)
    readonly_fields = ("slug",)
    verbose_name_plural = "former slugs: these addresses redirect here"
    hide_title = True
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
