"""Base classes of the admin's forms and lists.

No other module imports the theme, except `catalogue.admin_site`.
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
from catalogue.admin.values import FIELDS, MOST_ROWS, LimitedRows, can_hold, initial_data
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
    "column",
    "pair",
    "themed",
]

Cell = TypeVar("Cell", bound=Callable[..., Any])


def pair(name: str) -> tuple[str, ...]:
    """A row of a form: the two columns of a localized text, side by side."""
    return tuple(f"{name}_{language}" for language in LANGUAGES)


def column(description: str, **look: Any) -> Callable[[Cell], Cell]:
    """A column that a list computes: with `ordering`, `boolean` or coloured as a `label`."""
    return cast("Callable[[Cell], Cell]", display(description=description, **look))


def themed(form: BaseForm) -> None:
    """Give the text inputs of a form outside the theme's own pages its look."""
    for field in form.fields.values():
        field.widget.attrs["class"] = " ".join(BASE_INPUT_CLASSES)


def described(field: Field, source: "models.Field[Any, Any]") -> Field:
    """A field that says its language, and whose name keeps its own capitals, as iOS does."""
    name = str(source.verbose_name)
    if not name.partition(",")[0].islower():
        field.label = name
    language = source.name.rpartition("_")[2]
    if language in LANGUAGES:
        field.widget.attrs["lang"] = language
    return field


def after_the_last(rows: models.QuerySet[Any]) -> int:
    """The position at which a new row comes last."""
    last: int | None = rows.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def prose(*, rows: int, look: str) -> UnfoldAdminTextareaWidget:
    return UnfoldAdminTextareaWidget({"rows": rows, "class": look})


SEARCHED = 100
"""Characters of a search that are read: every word is a condition, and SQLite takes a thousand."""


LOOKUPS = ("exact", "in", "isnull", "gte", "lt", "year", "month", "day")
"""Lookups that a list accepts in its address: those of its filters and of its date hierarchy.

Other lookups raise errors of the database for some values.
"""

SHOWN = 40
"""Characters of a wrong key that a message repeats."""


class ChangelistFormSet(LimitedRows, BaseModelFormSet[Any, Any]):  # type: ignore[misc]
    """The rows of a list whose order is dragged."""


class ThemedAdmin(ModelAdmin):  # type: ignore[misc]
    """Labels above their fields, and a warning before typed text is lost.

    A list or an add form whose address has values that no column can have, such as the year 0 or a
    key of twenty digits, is shown without them. An action on such a key changes nothing.
    """

    compressed_fields = False
    warn_unsaved_form = True
    formfield_overrides: Mapping[Any, Mapping[str, Any]] = FIELDS

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        form = self.get_form(request, None, change=False)
        return initial_data(form(), request.GET.dict())

    def response_action(
        self, request: HttpRequest, queryset: "models.QuerySet[Any]"
    ) -> HttpResponseBase | None:
        for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
            if not can_hold(self.opts.pk, key):
                words = f"Nothing was changed: {key[:SHOWN]!r} is not a key of this list."
                self.message_user(request, words, messages.ERROR)
                return None
        return cast("HttpResponseBase | None", super().response_action(request, queryset))

    def _get_edited_object_pks(self, request: HttpRequest, prefix: str) -> list[str]:
        keys = super()._get_edited_object_pks(request, prefix)
        return [key for key in keys if can_hold(self.opts.pk, key)]

    def get_changelist_formset(
        self, request: HttpRequest, **options: Any
    ) -> type[BaseModelFormSet[Any, Any]]:
        bounds = {"formset": ChangelistFormSet, "max_num": MOST_ROWS, "absolute_max": MOST_ROWS}
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
        is_known = not column or suffix in LOOKUPS
        return is_known and super().lookup_allowed(lookup, value, request)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Find a row by its key if `_to_field` in the address is empty."""
        return super().get_object(request, object_id, from_field or None)

    def get_search_results(
        self, request: HttpRequest, queryset: "models.QuerySet[Any]", search_term: str
    ) -> tuple["models.QuerySet[Any]", bool]:
        found: tuple[models.QuerySet[Any], bool] = super().get_search_results(
            request, queryset, search_term[:SEARCHED]
        )
        return found


class TextsMixin:
    """Widgets for the columns of the catalogue."""

    formfield_overrides: Mapping[Any, Mapping[str, Any]] = {
        **FIELDS,
        Prose: {"widget": prose(rows=3, look="catalogue-prose")},
        Lines: {"widget": prose(rows=4, look="catalogue-prose")},
    }
    code_rows: ClassVar[Mapping[str, int]] = {}
    """Fields that hold a source text, and the height of their editors in lines."""

    def formfield_for_dbfield(
        self, db_field: "models.Field[Any, Any]", request: HttpRequest, **options: Any
    ) -> Field | None:
        if rows := self.code_rows.get(db_field.name):
            options["widget"] = prose(rows=rows, look="catalogue-code")
        field: Field | None = super().formfield_for_dbfield(  # type: ignore[misc]
            db_field, request, **options
        )
        return field and described(field, db_field)


class CatalogueAdmin(TextsMixin, LinkedAdmin, ThemedAdmin):
    """The form of a model of the catalogue; subclasses only say what is in it."""

    list_per_page = 100
    hide_ordering_field = True
    ordering_field: str | None = None
    translation = ""
    """The Vietnamese column without which a row has no Vietnamese page or answer."""

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> Mapping[str, Any]:
        """A slug is proposed once: a published one is an address."""
        return {} if obj else self.prepopulated_fields

    def save_model(
        self, request: HttpRequest, obj: Any, form: "ModelForm[Any]", change: Any
    ) -> None:
        if self.ordering_field and not change:
            obj.position = after_the_last(self.model.objects.all())
        super().save_model(request, obj, form, change)

    @column("Languages", label=True)
    def languages(self, obj: Any) -> list[str]:
        return list(LANGUAGES) if getattr(obj, self.translation) else [ENGLISH]


class LimitedFormSet(LimitedRows, PaginationInlineFormSet):  # type: ignore[misc]
    """The rows of an inline, in a limited number."""


class LimitedInline(TabularInline):  # type: ignore[misc]
    formset = LimitedFormSet
    max_num = MOST_ROWS

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        return super().get_formset(request, obj, **{"absolute_max": MOST_ROWS} | options)


class OrderedFormSet(LinkedFormSet, LimitedFormSet):
    """Rows in an order that is dragged; a new one comes last.

    Django leaves the parent out of a row's constraints, so a row that another editor has added
    in the meantime is found here.
    """

    def clean(self) -> None:
        super().clean()
        if any(map(self._should_delete_form, self.forms)):
            return  # A row may take the name of one that is deleted in the same save.
        for form in self.forms:
            if form.has_changed() and not form.errors:
                try:
                    form.instance.validate_constraints(exclude=form._get_validation_exclusions())
                except ValidationError as fault:
                    form.add_error(None, fault)

    def save_new(self, form: "ModelForm[Any]", **options: Any) -> Any:
        siblings = self.model.objects.filter(**{self.fk.name: self.instance})
        form.instance.position = after_the_last(siblings)
        return super().save_new(form, **options)


class OrderedInline(TextsMixin, LimitedInline):
    formset = OrderedFormSet
    ordering_field = "position"
    hide_ordering_field = True
    hide_title = True
    extra = 0


class FormerSlugInline(LimitedInline):
    """Old addresses that redirect to the row. The database writes them; an editor may end one."""

    fields = ("slug",)
    readonly_fields = ("slug",)
    verbose_name_plural = "former slugs: these addresses redirect here"
    hide_title = True
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
