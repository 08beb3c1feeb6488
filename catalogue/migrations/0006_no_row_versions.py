"""Remove the row versions of posts, which a freeze no longer reads.

Their triggers are not restored after a migration, because the program no longer has them. An
earlier program makes its table again when it migrates.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0005_limits_of_texts")]

    operations = [
        migrations.RunSQL("DROP TABLE IF EXISTS catalogue_post_stamp", migrations.RunSQL.noop)
    ]
