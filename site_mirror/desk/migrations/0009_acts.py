"""Words for the acts of a history; no table changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('desk', '0008_translated_from'),
    ]

    operations = [
        migrations.AlterField(
            model_name='historyentry',
            name='act',
            field=models.CharField(choices=[('found', 'As it was before the next change'), ('added', 'Added'), ('changed', 'Changed'), ('published', 'Published'), ('withdrawn', 'Withdrawn'), ('deleted', 'Deleted'), ('brought_back', 'Brought back')], max_length=20),
        ),
    ]
