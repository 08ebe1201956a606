"""Compares the tables of recordings of one command line, as esp-analyze table --format csv writes them.

usage: same_rows.py TABLE.CSV OTHER.CSV...
Each must have the rows of the first with the same number of runs, none failed, and CPU time in some row. Exit code 1: a difference, printed.
"""
import csv
import sys


def rows(file):
    with open(file, newline="", encoding="utf-8") as lines:
        return {tuple(row[name] for name in ("serializer", "test", "kind", "objects")): row for row in csv.DictReader(lines)}


first, wrong = rows(sys.argv[1]), 0
for file in sys.argv[2:]:
    other = rows(file)
    for key in sorted(first.keys() | other.keys()):
        pair = [table[key]["runs"] if key in table else "no" for table in (first, other)]
        if pair[0] != pair[1] or (key in other and other[key]["failedRuns"] != "0"):
            wrong += 1
            print(f"{file}: {' '.join(key)}: {pair[1]} runs, {pair[0]} in {sys.argv[1]}")
    if not any(row["cpuMs"] for row in other.values()):
        wrong += 1
        print(f"{file}: no row has CPU time")
    print(f"{file}: {len(other)} rows, {sum(int(row['runs']) for row in other.values())} runs")
sys.exit(1 if wrong or not first else 0)
