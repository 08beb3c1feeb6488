"""The forms of users and groups.

An editor without superuser status manages only accounts and groups whose rights the editor has,
gives only these rights, and cannot make an account staff or superuser. Other accounts are shown
without a form.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth import admin as auth
from django.contrib.auth.forms import UserChangeForm as UnthemedUserChangeForm
from django.contrib.auth.models import Group, User
from django.db.models import ManyToManyField
from django.forms import ModelForm, ModelMultipleChoiceField
from django.http import HttpRequest

from catalogue.admin import privileges
from catalogue.admin.base import (
    AdminPasswordChangeForm,
    ThemedAdmin,
    UserChangeForm,
    UserCreationForm,
)

admin.site.unregister([User, Group])


class OwnRightsMixin:
    """A form that offers and accepts only rights that the editor has.

    Rows with other rights can be neither changed nor deleted.
    """

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed: bool = super().has_change_permission(request, obj)  # type: ignore[misc]
        return allowed and (obj is None or privileges.may_manage(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed: bool = super().has_delete_permission(request, obj)  # type: ignore[misc]
        return allowed and (obj is None or privileges.may_manage(request.user, obj))

    def formfield_for_manytomany(
        self, db_field: "ManyToManyField[Any, Any]", request: HttpRequest, **options: Any
    ) -> ModelMultipleChoiceField[Any] | None:
        if db_field.name == "groups":
            options["queryset"] = privileges.grantable_groups(request.user)
        else:
            options["queryset"] = privileges.permissions_of(request.user)
        field: ModelMultipleChoiceField[Any] | None = super().formfield_for_manytomany(  # type: ignore[misc]
            db_field, request, **options
        )
        return field


@admin.register(User)
class UserAdmin(OwnRightsMixin, auth.UserAdmin, ThemedAdmin):  # type: ignore[type-arg]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    autocomplete_fields = ("groups",)
    filter_horizontal = ("user_permissions",)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return () if privileges.is_superuser(request.user) else ("is_staff", "is_superuser")

    def get_form(  # type: ignore[override]
        self, request: HttpRequest, obj: User | None = None, **options: Any
    ) -> "type[ModelForm[User]]":
        if obj and not self.has_change_permission(request, obj):
            # The form of the theme needs a field that this page without fields does not have.
            options["form"] = UnthemedUserChangeForm
        form: type[ModelForm[User]] = super().get_form(request, obj, **options)
        return form


@admin.register(Group)
class GroupAdmin(OwnRightsMixin, auth.GroupAdmin, ThemedAdmin):  # type: ignore[misc]
    """Groups of editors with the same rights."""
