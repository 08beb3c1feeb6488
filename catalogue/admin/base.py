"""The base of every form of the admin.

Only this module, `catalogue.admin.moments` and `catalogue.admin.editors` know the theme.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Max
from django.forms import BaseForm, Field, ModelForm
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import PaginationInlineFormSet
from unfold.widgets import (
    BASE_INPUT_CLASSES,
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminTextareaWidget,
)

from catalogue.admin.lists import (
    ListedAdmin,
    OrderedAdmin,
    languages_cell,
    title_cell,
)
from catalogue.admin.moments import MOMENTS
from catalogue.texts.fields import Lines, Prose
from catalogue.texts.localized import ENGLISH, LANGUAGES
from catalogue.texts.markdown import HOLDS_WORDS, formula_warnings
from catalogue.texts.markdown_rules import validate_markdown


def localized_columns(*names: str) -> tuple[str, ...]:
    """Return the two columns of each localized text; a form shows those of one text in one row."""
    return tuple(f"{name}_{language}" for name in names for language in LANGUAGES)


def apply_theme(form: BaseForm) -> None:
    """Style the text inputs of a form that is not on a page of the theme."""
    for field in form.fields.values():
        field.widget.attrs["class"] = " ".join(BASE_INPUT_CLASSES)


def capitalize(name: str) -> str:
    """Return a name with a capital, unless it has some already, as iOS has."""
    return capfirst(name) if name.partition(",")[0].islower() else name


def set_label_and_language(field: Field, source: "models.Field[Any, Any]") -> Field:
    """Set the language of a form field, and keep the capitals of its name."""
    name = str(source.verbose_name)
    if capitalize(name) == name:
        field.label = source.verbose_name  # It is translated where it is shown.
    language = source.name.rpartition("_")[2]
    if language in LANGUAGES:
        field.widget.attrs["lang"] = language
    return field


def former_of(slugs: models.QuerySet[Any]) -> models.QuerySet[Any]:
    """Return former slugs, except one that its row has again."""
    return slugs.exclude(slug=models.F("owner__slug"))


def next_position(rows: models.QuerySet[Any]) -> int:
    last: int | None = rows.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def textarea(*, rows: int, css_class: str) -> UnfoldAdminTextareaWidget:
    return UnfoldAdminTextareaWidget({"rows": rows, "class": css_class})


class RelatedChoices(UnfoldAdminCheckboxSelectMultipleWidget):  # type: ignore[misc]
    """Boxes for the rows that a row refers to, as a group with a name."""

    template_name = "catalogue/related_choices.html"

    def __init__(self, legend: str) -> None:
        super().__init__()
        self.legend = legend

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        return {**super().get_context(name, value, attrs), "legend": self.legend}


class ThemedAdmin(ListedAdmin, ModelAdmin):  # type: ignore[misc]
    """A form with labels above its fields and a warning before typed text is lost."""

    compressed_fields = False
    warn_unsaved_form = True
    show_add_link = False
    formfield_overrides = MOMENTS


class TextsMixin:
    """Widgets for the columns of the catalogue."""

    formfield_overrides: Mapping[Any, Mapping[str, Any]] = {
        **MOMENTS,
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

    def formfield_for_manytomany(
        self, db_field: "models.Field[Any, Any]", request: HttpRequest, **options: Any
    ) -> Field | None:
        options["widget"] = RelatedChoices(capfirst(str(db_field.verbose_name)))
        return super().formfield_for_manytomany(db_field, request, **options)  # type: ignore[misc,no-any-return]


class CatalogueAdmin(TextsMixin, OrderedAdmin, ThemedAdmin):
    """The form of a model of the catalogue; subclasses only declare its content."""

    title_of_row = "title"
    """The name of the localized text that lists show as the title of a row."""
    translation = ""
    """The Vietnamese column without which a row has no Vietnamese text."""

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> Mapping[str, Any]:
        """Propose a slug for new rows only, because a published slug is part of an address."""
        return {} if obj else self.prepopulated_fields

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Return the inlines, without an empty list of former slugs."""
        inlines = list(super().get_inlines(request, obj))
        if obj and hasattr(obj, "former_slugs") and former_of(obj.former_slugs).exists():
            return inlines
        return [inline for inline in inlines if not issubclass(inline, FormerSlugInline)]

    def save_model(
        self, request: HttpRequest, obj: Any, form: "ModelForm[Any]", change: Any
    ) -> None:
        if self.ordered and not change:
            obj.position = next_position(self.model.objects.all())
        super().save_model(request, obj, form, change)

    def warn_of_formulas(self, request: HttpRequest, obj: Any) -> None:
        """Show a warning for each formula of a saved text that holds words."""
        for field in obj._meta.fields:
            if validate_markdown in field.validators:
                for warning in formula_warnings(getattr(obj, field.name)):
                    text = gettext(HOLDS_WORDS) % warning.values
                    sentence = f"{capfirst(field.verbose_name)}. {text}"
                    self.message_user(request, sentence, messages.WARNING)

    @admin.display(description=_("Title"))
    def title(self, obj: Any) -> str:
        columns = localized_columns(self.title_of_row)
        english, vietnamese = (getattr(obj, column, "") for column in columns)
        return title_cell(english or str(obj), vietnamese)

    @admin.display(description=_("Languages"))
    def languages(self, obj: Any) -> str:
        return languages_cell(LANGUAGES if getattr(obj, self.translation) else [ENGLISH])


class OrderedFormSet(PaginationInlineFormSet):  # type: ignore[misc]
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


class OrderedInline(TextsMixin, TabularInline):  # type: ignore[misc]
    formset = OrderedFormSet
    ordering_field = "position"
    hide_ordering_field = True
    hide_title = True
    extra = 0

    def formfield_for_dbfield(
        self, db_field: "models.Field[Any, Any]", request: HttpRequest, **options: Any
    ) -> Field | None:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if field and field.label:  # The headings of the table are no labels of its inputs.
            field.widget.attrs["aria-label"] = capfirst(str(field.label))
            if field.help_text:
                field.widget.attrs["aria-describedby"] = f"{db_field.name}_column_help"
        return field


class FormerSlugFormSet(PaginationInlineFormSet):  # type: ignore[misc]
    """Former slugs; one that is deleted stays known, so that its addresses may vanish."""

    def delete_existing(self, obj: Any, commit: bool = True) -> None:  # noqa: FBT001, FBT002
        obj.owner = None
        obj.save()


class FormerSlugInline(TabularInline):  # type: ignore[misc]
    """Former slugs, whose addresses redirect to the row. Editors may only delete them."""

    formset = FormerSlugFormSet
    fields = ("slug",)
    readonly_fields = ("slug",)
    verbose_name_plural = _("former addresses, which redirect here")
    hide_title = True
    extra = 0

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        return former_of(super().get_queryset(request))

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
