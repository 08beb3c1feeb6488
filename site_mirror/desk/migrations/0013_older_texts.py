"""Keep the English of then of each outdated text; a digest of all English texts told no more."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('desk', '0012_result_of_run'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='draft',
            name='translated_from',
        ),
        migrations.AlterField(
            model_name='historyentry',
            name='act',
            field=models.CharField(choices=[('found', 'As it was before the next change'), ('added', 'Added'), ('changed', 'Changed'), ('moved', 'Moved'), ('published', 'Published'), ('withdrawn', 'Withdrawn'), ('deleted', 'Deleted'), ('brought_back', 'Brought back')], max_length=20),
        ),
        migrations.CreateModel(
            name='OlderText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('row', models.BigIntegerField()),
                ('text', models.CharField(max_length=80)),
                ('english', models.TextField()),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('kind', 'row', 'text'), name='desk_older_text_once')],
            },
        ),
    ]
