"""Runs test classes under Wine, each in a process of its own, because Wine 8 crashes or hangs some.

usage: classes.py WINE BIN PROJECT...
BIN has the builds for Windows. left-out.txt beside this file names the classes that do not run there. A class has two tries.
Prints a line a project. Exit code 1: a class failed, which it prints.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

WINE, BIN, PROJECTS = sys.argv[1], sys.argv[2], sys.argv[3:]
LIMIT = 45  # seconds; the slowest class takes 25
TOTAL = re.compile(r"Total: (\d+), Errors: (\d+), Failed: (\d+), Skipped: (\d+)")


def left_out():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "left-out.txt"), encoding="utf-8") as lines:
        return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def run(folder, program, name):
    """Numbers of total, errors, failed and skipped tests; the end of the output when the class did not pass."""
    command = [WINE, os.path.join(folder, program + ".exe"), "-parallel", "none", "-class", name]
    for _ in range(2):
        # A process that hangs when it exits has printed its total.
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output = process.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            output = process.communicate()[0]
        text = output.decode("utf-8", "replace").replace("\r", "")
        found = TOTAL.search(text)
        numbers = [int(number) for number in found.groups()] if found else [0, 1, 0, 0]
        if not numbers[1] and not numbers[2]:
            return numbers, ""
    return numbers, "\n".join([line for line in text.split("\n") if "[FAIL]" in line][:5] or text.split("\n")[-4:])


def main():
    failed, skipped_classes = False, left_out()
    for project in PROJECTS:
        program = f"EtwSerializerProfiler.{project}.Tests"
        folder = os.path.join(BIN, f"{project}.Tests", "release")
        listed = subprocess.run(
            ["dotnet", "exec", os.path.join(folder, program + ".dll"), "-list", "classes"],
            stdout=subprocess.PIPE, check=True, encoding="utf-8", env={name: value for name, value in os.environ.items() if name != "DOTNET_ROOT"},
        )
        classes = [line.strip() for line in listed.stdout.split("\n") if line.startswith(program)]
        chosen = [name for name in classes if name not in skipped_classes]
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            results = list(pool.map(lambda name: run(folder, program, name), chosen))
        for name, (numbers, output) in zip(chosen, results):
            if output:
                failed = True
                print(f"{name}: {numbers[2]} of {numbers[0]} failed\n{output}")
        total, errors, wrong, skipped = (sum(numbers[i] for numbers, _ in results) for i in range(4))
        print(f"{project}: {len(chosen)} of {len(classes)} classes, {total - wrong - skipped} tests passed, {wrong + errors} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
