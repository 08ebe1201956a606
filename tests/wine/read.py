"""Checks a report on a recording, as esp-analyze writes it with --format json.

usage: read.py FILE
Runs must have names, marks and no errors, and 99 % of them the marker's wait; prints how many. Causes must have CPU time.
"""
import collections
import json
import sys

report = json.load(open(sys.argv[1]))
if report["report"] == "runs":
    runs = report["runs"]
    delimiters = collections.Counter(run["delimiter"] for run in runs)
    print(
        f"{len(runs)} runs, {report['runsFound']} of {report['runsExpected']} with the marker's wait; delimited by",
        ", ".join(f"{name} {count}" for name, count in sorted(delimiters.items())),
    )
    good = (
        runs
        and all(run["serializer"] and run["delimiter"] == "Marks" and not run["error"] for run in runs)
        and report["runsFound"] >= 0.99 * report["runsExpected"]
    )
else:
    cpu = sum(row["serializerMs"] for row in report["rows"])
    print(f"{len(report['rows'])} rows, {cpu:.0f} ms of CPU time in the serializers")
    good = cpu > 0
sys.exit(0 if good else 1)
