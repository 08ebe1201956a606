"""Runs the scripts for cmd.exe under Wine, from a folder with a space, & and ( in its name, with stand-ins for the tools (tool.c).

usage: scripts.py WINE TOOL.EXE FOLDER
Compares the command lines that arrive with the lines of the scripts, and prints how many. Exit code 1: a difference, which it prints.
Without record.cmd: Wine 8 splits the text of a for /f before the variable in it has its value.
"""
import os
import re
import shutil
import subprocess
import sys

WINE, TOOL, FOLDER = sys.argv[1:]
PRESETS, MODES = ["runs", "allocation", "firstcall", "exceptions"], ["file", "memory"]
VARIABLES = {"KERNEL_MAX_BUFFERS": "512", "USER_MAX_BUFFERS": "256", "RUNDOWN_SECONDS": "15"}


def windows(path):
    return "Z:" + os.path.abspath(path).replace("/", "\\")


FOLDER = os.path.join(FOLDER, "scripts")
COPY, OUT, LOG = (os.path.join(FOLDER, name) for name in ["the (copy) & more", "out (1) & 2", "log"])
shutil.rmtree(FOLDER, ignore_errors=True)
shutil.copytree("scripts", COPY)
for tools, names in {"tools": ["xperf", "tracelog", "procdump"], "system": ["fltmc", "where", "timeout", "explorer"]}.items():
    os.mkdir(os.path.join(FOLDER, tools))
    for name in names:
        shutil.copy(TOOL, os.path.join(FOLDER, tools, name + ".exe"))


def run(calls):
    """For each call (script, arguments, part of the command line that fails): whether it succeeded, output, logged command lines."""
    lines = ["@echo off", f"set TOOL_LOG={windows(LOG)}", f'set "OUT={windows(OUT)}"']
    for script, arguments, fail in calls:
        lines += [
            f"set TOOL_FAIL={fail}", f'call "{windows(os.path.join(COPY, script))}" {arguments}',
            "if errorlevel 1 (echo end failed) else echo end passed", 'echo end>>"%TOOL_LOG%"',  # Wine 8 has 1 for every code
        ]
    driver = os.path.join(FOLDER, "driver.cmd")
    with open(driver, "w", newline="\r\n") as file:
        file.write("\n".join([*lines, ""]))
    open(LOG, "w").close()
    environment = dict(os.environ, WINEPATH=";".join(windows(os.path.join(FOLDER, name)) for name in ["tools", "system"]))
    done = subprocess.run(
        [WINE, "cmd", "/c", windows(driver)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=500, encoding="cp437",
    )
    with open(LOG) as log:
        logged = [[line.rstrip() for line in part.splitlines()] for part in re.split(r"^end *\n", log.read(), flags=re.M)[:-1]]
    outputs = re.split(r"^end (passed|failed)", done.stdout, flags=re.M)
    assert len(logged) == len(calls) == len(outputs) // 2, done.stdout
    return list(zip([code == "passed" for code in outputs[1::2]], outputs[::2], logged))


def lines_of(script):
    with open(os.path.join("scripts", script), newline="\r\n") as file:
        return file.read().split("\r\n")


def commands(script, label, end):
    """The tools' command lines from a label of a script to a line, with the values of the variables."""
    lines = lines_of(script)
    lines = lines[lines.index(":" + label):]
    found = [line for line in lines[:lines.index(end)] if line.startswith(("xperf ", "tracelog "))]
    values = dict(VARIABLES, OUT=windows(OUT))
    return [re.sub("%(.*?)%", lambda match: values[match[1]], line) for line in found]


different, compared = 0, 0


def expect(what, expected, seen):
    global different, compared
    compared += len(expected) if isinstance(expected, list) else 1
    if expected != seen:
        different += 1
        print(f"{what}:\n  expected {expected}\n  seen     {seen}")


def tools(logged):
    return [line for line in logged if line.startswith(("xperf ", "tracelog "))]


calls, checks = [], []


def call(script, arguments, expected, succeeds=True, fail="", message=None):
    """Plans a call, and what is expected of it: logged command lines, success, a part of the output."""
    calls.append((script, arguments, fail))
    checks.append((expected, succeeds, message))


for tool in ["xperf", "tracelog"]:
    for preset in PRESETS:
        for mode in MODES:
            for script, end in {"start": "exit /b 0", "flush": "goto done", "stop": "goto done"}.items():
                if script == "flush" and mode == "file":
                    continue
                label = f"{script}_{preset}" + ("" if script == "flush" else "_" + mode)
                message = "Recording." if script == "start" else f'Written: "{windows(OUT)}\\merged.etl"'
                call(f"{tool}/{script}.cmd", f"{preset} {mode}", commands(f"{tool}/{script}.cmd", label, end), message=message)

    # Each command of a start fails in turn: the sessions that it has started are stopped.
    start = f"{tool}/start.cmd"
    starting = commands(start, "start_runs_file", "exit /b 0")
    for failing in starting:
        part = failing.split(" -f ")[0]
        at = next(i for i, line in enumerate(lines_of(start)) if line.split(" -f ")[0] == part)
        undo = lines_of(start)[at + 1].removeprefix("if errorlevel 1 goto ")
        expected = [*starting[:starting.index(failing) + 1], *commands(start, undo, "exit /b 1")]
        call(start, "runs file", expected, False, part.replace('"', ""), "The start failed.")

    call(start, "runs file", [], False, "fltmc", "This script needs administrator rights")
    call(start, "runs file", [], False, "where xperf", "xperf is not on the path")
    call(start, "runs ring", [], False, message="MODE is 'ring'")
    call(start, "all file", [], False, message="PRESET is 'all'")

dump = f'procdump -accepteula -mp -n %s -e 1 -f "not found" %s "{windows(OUT)}"'
call("procdump/dump.cmd", '"not found" "my app.exe"', [dump % (1, '-w "my app.exe"')])
call("procdump/dump.cmd", '"not found" 123 2', [dump % (2, ' "123"')])
call("procdump/dump.cmd", '"not found"', [], False, message="dump.cmd TEXT PROCESS [COUNT]")

different = 0
for (script, arguments, fail), (expected, succeeds, message), (succeeded, output, logged) in zip(calls, checks, run(calls)):
    logged = [line for line in logged if line.startswith(("xperf ", "tracelog ", "procdump "))]
    if logged != expected or succeeded != succeeds or (message and message not in output):
        different += 1
        print(f"{script} {arguments} ({fail}):\n  {expected}\n  {logged}\n  {succeeded} {output}")
lines = sum(len(expected) for expected, _, _ in checks)
print(f"{len(calls)} calls of scripts, {lines} command lines; {different} calls differ")
sys.exit(1 if different else 0)
