"""Reads the figures of a daemon with Prometheus' own Python parser: check-metrics.py URL KEY"""

import sys
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families

url, key = sys.argv[1:]
request = urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {key}"})
with urllib.request.urlopen(request) as response:
    assert response.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    text = response.read().decode()
families = {family.name: family for family in text_string_to_metric_families(text)}
samples = sum(len(family.samples) for family in families.values())
for name in ["asks", "asks_open", "question_response_time_seconds", "store_commit_seconds", "http_requests"]:
    assert f"askuser_{name}" in families, name
asked = next(iter(families["askuser_asks"].samples)).value
assert asked >= 1, f"{asked} asks were counted"
print(f"{len(families)} metrics, {samples} samples, read by prometheus_client")
