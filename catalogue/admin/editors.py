"""Who may edit: the framework's users and groups, in the look of the rest."""

from django.contrib import admin
from django.contrib.auth import admin as auth
from django.contrib.auth.models import Group, User

from catalogue.admin.base import (
    AdminPasswordChangeForm,
    ThemedAdmin,
    UserChangeForm,
    UserCreationForm,
)

admin.site.unregister([User, Group])


@admin.register(User)
class UserAdmin(auth.UserAdmin, ThemedAdmin):  # type: ignore[type-arg]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    autocomplete_fields = ("groups",)
    filter_horizontal = ("user_permissions",)


@admin.register(Group)
class GroupAdmin(auth.GroupAdmin, ThemedAdmin):
    """Editors by what they may do."""
