"""The form of people: each has a role, which is a group, and no rights beside it.

An Administrator manages only accounts, and gives only roles, whose rights the Administrator has.
Other accounts are shown without a form. A superuser manages all.
"""

from typing import Any, cast

from django.contrib import admin
from django.contrib.admin import RelatedFieldListFilter
from django.contrib.auth import admin as auth
from django.contrib.auth.forms import UserChangeForm as UnthemedUserChangeForm
from django.contrib.auth.models import Group, User
from django.db.models import ManyToManyField
from django.forms import ModelForm, ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from catalogue.admin import privileges
from catalogue.admin.base import ThemedAdmin

admin.site.unregister([User, Group])

NAMES = ("first_name", "last_name", "email")
ROLES_HELP = _(
    "A Writer writes drafts, an Editor publishes, withdraws and deletes, too, and an Administrator "
    "also manages people."
)


class RoleFilter(RelatedFieldListFilter):
    def field_choices(self, *args: Any) -> Any:
        return [(key, gettext(str(name))) for key, name in super().field_choices(*args)]


@admin.register(User)
class UserAdmin(auth.UserAdmin, ThemedAdmin):  # type: ignore[type-arg]
    form = UserChangeForm
    add_form = UserCreationForm
    add_form_template = None
    change_password_form = AdminPasswordChangeForm
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Name"), {"fields": NAMES}),
        (_("Role"), {"fields": ("groups", "is_active")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "password1", "password2")}),
        (_("Name"), {"fields": NAMES}),
        (_("Role"), {"fields": ("groups",)}),
    )
    list_display = ("username", "email", "first_name", "last_name", "active")
    list_filter = (("groups", RoleFilter), "is_active")

    @admin.display(description=_("active"), ordering="is_active")
    def active(self, obj: User) -> str:
        return gettext("Yes") if obj.is_active else gettext("No")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or privileges.may_manage(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or privileges.may_manage(request.user, obj))

    def formfield_for_manytomany(
        self, db_field: "ManyToManyField[Any, Any]", request: HttpRequest, **options: Any
    ) -> ModelMultipleChoiceField[Any] | None:
        options["queryset"] = privileges.grantable_groups(request.user)
        options["widget"] = UnfoldAdminCheckboxSelectMultipleWidget()
        options |= {"label": _("Role"), "help_text": ROLES_HELP}
        field: Any = super().formfield_for_manytomany(db_field, request, **options)
        field.label_from_instance = lambda group: gettext(group.name)
        return cast("ModelMultipleChoiceField[Any]", field)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        """Name the accounts alone, because what belongs to them has no names for people."""
        deleted, _counts, forbidden, kept = super().get_deleted_objects(objs, request)
        return [line for line in deleted if isinstance(line, str)], {}, forbidden, kept

    def get_form(  # type: ignore[override]
        self, request: HttpRequest, obj: User | None = None, **options: Any
    ) -> "type[ModelForm[User]]":
        if obj and not self.has_change_permission(request, obj):
            # The form of the theme needs a field that this page without fields does not have.
            options["form"] = UnthemedUserChangeForm
        form: type[ModelForm[User]] = super().get_form(request, obj, **options)
        return form

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: Any) -> None:
        """Let each active account log in at the desk, where its role decides what it may do."""
        obj.is_staff = True
        super().save_model(request, obj, form, change)
