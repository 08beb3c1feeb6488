"""Pictures leave more room above a title, so all of them are drawn again after the migration."""

from django.db import migrations

TABLES = ("apppicture", "postpicture", "tagpicture")


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0017_sharing_pictures")]

    operations = [
        migrations.RunSQL(f"DELETE FROM catalogue_{table}", migrations.RunSQL.noop)  # noqa: S608
        for table in TABLES
    ]
