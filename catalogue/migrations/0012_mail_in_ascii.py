"""Addresses of mail are in ASCII, as the format `email` of JSON Schema says."""

import catalogue.rules
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0011_counted_by_slug'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='studio',
            name='studio_email_is_an_address',
        ),
        migrations.AddConstraint(
            model_name='studio',
            constraint=catalogue.rules.Rule(condition=models.Q(('email__regex', '^[!-~]+@[!-~]+\\Z')), field='email', message='Give an e-mail address in ASCII, with the domain as DNS stores it, for example hello@xn--mnchen-3ya.example for hello@münchen.example.', name='studio_email_is_an_address', violation_error_message='Give an e-mail address in ASCII, with the domain as DNS stores it, for example hello@xn--mnchen-3ya.example for hello@münchen.example.'),
        ),
    ]
