"""Texts that were saved before unseen characters were dropped, and dates of edits."""

import catalogue.models.workflow
from catalogue.texts.fields import NormalizedColumn
from catalogue.texts.normalizing import normalize_text
from django.db import migrations


def clean_texts(apps, editor):
    """Write each text as it would be saved today; one of nothing else stays, for rules need one."""
    for model in apps.get_app_config('catalogue').get_models():
        names = [each.name for each in model._meta.concrete_fields if isinstance(each, NormalizedColumn)]
        for key, *texts in model.objects.values_list('pk', *names).iterator() if names else ():
            clean = map(normalize_text, texts)
            changed = {name: new for name, old, new in zip(names, texts, clean) if new and new != old}
            if changed:
                model.objects.filter(pk=key).update(**changed)


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0012_mail_in_ascii'),
    ]

    operations = [
        migrations.RunPython(clean_texts, migrations.RunPython.noop),
        *(
            migrations.AlterField(name, 'edited_at', catalogue.models.workflow.PastMoment(editable=False, null=True))
            for name in ('app', 'post')
        ),
    ]
