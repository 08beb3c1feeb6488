"""Keep with the draft of a row for which English texts its Vietnamese ones are right."""

from uuid import NAMESPACE_URL, uuid5

from django.db import migrations, models
from django.utils import timezone


def keep_with_drafts(apps, editor):
    drafts = apps.get_model('desk', 'Draft').objects
    for each in apps.get_model('desk', 'Translation').objects.all():
        new = {
            'key': uuid5(NAMESPACE_URL, f'{each.kind}/{each.row}'),
            'is_open': False,
            'saved_at': timezone.now(),
            'translated_from': each.english,
        }
        drafts.update_or_create(
            kind=each.kind,
            row=each.row,
            defaults={'translated_from': each.english},
            create_defaults=new,
        )


class Migration(migrations.Migration):

    dependencies = [
        ('desk', '0007_rows_and_relations'),
    ]

    operations = [
        migrations.AddField(
            model_name='draft',
            name='translated_from',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.RunPython(keep_with_drafts, migrations.RunPython.noop),
        migrations.DeleteModel('Translation'),
    ]
