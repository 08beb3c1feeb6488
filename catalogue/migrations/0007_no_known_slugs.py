"""Remove the copy of all slugs, which found renames that were made while triggers were missing.

An earlier program makes its table again when it migrates.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0006_no_row_versions")]

    operations = [
        migrations.RunSQL("DROP TABLE IF EXISTS catalogue_known_slug", migrations.RunSQL.noop)
    ]
