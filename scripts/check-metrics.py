"""Reads figures with Prometheus' own Python parser, which is strict.

check-metrics.py URL KEY     those of a daemon
check-metrics.py FOLDER      those that tests/http kept before and after each story: every metric has to move
"""

import pathlib
import sys
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families


def read(text):
    """Every metric by its name: its type, and its samples with their values."""
    families = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation, f"{family.name} has no help"
        samples = {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for sample in family.samples}
        families[family.name] = (family.type, samples)
    return families


def of_daemon(url, key):
    request = urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as response:
        assert response.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
        families = read(response.read().decode())
    for name in ["asks", "asks_open", "question_response_time_seconds", "store_commit_seconds", "http_requests"]:
        assert f"askuser_{name}" in families, name
    asked = next(iter(families["askuser_asks"][1].values()))
    assert asked >= 1, f"{asked} asks were counted"
    samples = sum(len(samples) for _, samples in families.values())
    print(f"{len(families)} metrics, {samples} samples, read by prometheus_client")


def of_stories(folder):
    there, moved = set(), set()
    stories = sorted(pathlib.Path(folder).glob("*.before.txt"))
    for before in stories:
        after = before.with_name(before.name.replace(".before.", ".after."))
        was, now = read(before.read_text()), read(after.read_text())
        # What only says what is so does not move.
        there |= {name for name, (kind, _) in now.items() if kind != "info"}
        moved |= {name for name in now if now[name] != was.get(name)}
    assert len(there) > 20, f"only {len(there)} metrics in {len(stories)} stories"
    assert there <= moved, f"no story moves {sorted(there - moved)}"
    print(f"{len(there)} metrics move in {len(stories)} stories, read by prometheus_client")


if len(sys.argv) == 3:
    of_daemon(*sys.argv[1:])
else:
    of_stories(sys.argv[1])
