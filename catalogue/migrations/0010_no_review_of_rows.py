"""Remove the state *in review* of rows: reviews are of drafts. Its rows become drafts."""

from django.db import migrations, models

import catalogue.rules

MODELS = ['app', 'post', 'principle', 'sciencetopic', 'timelineentry']
STATES = [('draft', 'Draft'), ('published', 'Published')]
HELP = 'Readers see published rows only. Setting a row back to draft withdraws it.'
MESSAGE = 'Choose one of draft, published.'


def end_reviews(apps, editor):
    for model in MODELS:
        apps.get_model('catalogue', model).objects.filter(state='in_review').update(state='draft')


def state_rule(model):
    return catalogue.rules.Rule(condition=models.Q(('state__in', ['draft', 'published'])), field='state', message=MESSAGE, name=f'{model}_state_is_one_of_its_values', violation_error_message=MESSAGE)


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0009_feed_ids'),
    ]

    operations = [
        migrations.RunPython(end_reviews, migrations.RunPython.noop),
        *(migrations.RemoveConstraint(model, f'{model}_state_is_one_of_its_values') for model in MODELS),
        *(migrations.AlterField(model, 'state', models.CharField(choices=STATES, default='draft', help_text=HELP, max_length=20)) for model in MODELS),
        *(migrations.AddConstraint(model, state_rule(model)) for model in MODELS),
    ]
