from typing import Any

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations

FORMER_NAME = "Content editors"


def rename_group(apps: Apps, schema_editor: Any) -> None:
    """Let the members of the group of former versions be Editors."""
    groups = apps.get_model("auth", "Group")._default_manager
    if not groups.filter(name="Editor").exists():
        groups.filter(name=FORMER_NAME).update(name="Editor")


class Migration(migrations.Migration):
    dependencies = [
        ("desk", "0003_translations"),
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="draft",
            options={"permissions": [("publish_draft", "Can publish, withdraw and delete")]},
        ),
        migrations.RunPython(rename_group, migrations.RunPython.noop),
    ]
