"""Settings of the test run, and what every test may ask for."""

import os

os.environ["SECRET_KEY"] = "tests only " * 8
os.environ["SITE_ROOT"] = "https://studio.example"
os.environ["ALLOWED_HOSTS"] = "studio.example,testserver,127.0.0.1,localhost"
