"""Records under Wine with --sessions traceevent, where a stand-in logs the calls of ETW (etw.c), and compares them with the plan.

usage: etw.py plans|failures WINE ESP-RECORD PROGRAM MERGED.ETL FOLDER
plans: each preset and mode. failures: the default recording, once for each of its calls and error.
Prints a line on what was compared. Exit code 1: a difference, which it prints.
"""
import json
import os
import re
import shutil
import subprocess
import sys

WINE, RECORDER, PROGRAM, MERGED, FOLDER = sys.argv[2:]

# EVENT_TRACE_FLAG_…, EVENT_TRACE_…_MODE, and the classes and opcodes of the kernel's events, from evntrace.h and Microsoft's documentation.
KERNEL = {
    "ProcessThread": 0x3, "Loader": 0x4, "ContextSwitch": 0x10, "Dispatcher": 0x800, "Registry": 0x20000, "Profile": 0x1000000,
}
STACKS = {
    "Profile": {("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc", 46)},
    "ContextSwitch": {("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c", 36)},
    "Dispatcher": {("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c", 50)},
    # EVENT_TRACE_TYPE_REGCREATE to REGKCBDELETE, and REGVIRTUALIZE.
    "Registry": {("ae53722e-c863-11d2-8659-00c04fa321a1", opcode) for opcode in [*range(10, 24), 26]},
}
SEQUENTIAL, BUFFERING, SYSTEM_LOGGER, INDEPENDENT = 0x1, 0x400, 0x2000000, 0x8000000
INTERVAL, STACK_CLASS, FLAG_CLASS = 5, 3, 4
LEVELS = {"Critical": 1, "Error": 2, "Warning": 3, "Informational": 4, "Verbose": 5}
NT_KERNEL_LOGGER = "NT Kernel Logger"

PLANS = [
    [], ["--preset", "allocation"], ["--preset", "firstcall"], ["--preset", "exceptions"], ["--mode", "circular:64MB"],
    ["--nt-kernel-logger"], ["--single-session"], ["--sample-interval", "0.5"], ["--stack-filter", "80,35"],
]


def windows(path):
    return "Z:" + os.path.abspath(path).replace("/", "\\")


def record(*options, fail=None):
    """Exit code, output, calls and remaining files of a recording."""
    folder, log = os.path.join(FOLDER, "recording"), os.path.join(FOLDER, "log")
    shutil.rmtree(folder, ignore_errors=True)
    open(log, "w").close()
    environment = dict(os.environ, ETW_LOG=windows(log), ETW_MERGED=windows(MERGED), ETW_FAIL=fail or "")
    command = [WINE, RECORDER, "record", "--sessions", "traceevent", "--rundown-wait", "0.1", "--no-analyze", "--out", windows(folder)]
    done = subprocess.run(
        [*command, *options, "--", windows(PROGRAM), "a"],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100, encoding="utf-8", errors="replace",
    )
    with open(log, encoding="utf-8") as lines:
        calls = [json.loads(line) for line in lines]
    return done.returncode, done.stdout, calls, sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def plan_of(*options):
    command = [WINE, RECORDER, "record", "--sessions", "traceevent", "--dry-run", "--format", "json", *options, "--", "program"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, timeout=100, check=True).stdout)


def role(name):
    return name.rsplit("-", 1)[-1]


def words(text):
    return [] if text == "None" else text.split(", ")


def filters(provider):
    """Type, whether it lets events in, and ids, as EVENT_FILTER_DESCRIPTOR has them."""
    found = []
    for kind, name in (("0x80000200", "eventFilter"), ("0x80001000", "stackFilter")):
        if provider[name]:
            way, ids = provider[name].split(":")
            found.append((kind, way == "in", [int(number) for number in ids.split(",")]))
    return found


def expected(plan):
    """The calls of a plan, in order; sessions stop in any order."""
    circular = plan["mode"] != "file"

    def start(session, mode):
        is_file = not circular or session.get("role") == "rundown"
        way, own = SEQUENTIAL if is_file else BUFFERING, session["buffers"]
        file = session["fileName"] if is_file else ""
        return role(session["name"]), file, own["sizeKB"], own["minimum"], own["maximum"], mode | way | INDEPENDENT

    def of_user(session):
        yield ("StartTrace", *start(session, 0))
        for provider in session["providers"]:
            stacks = 4 if provider["stacks"] else 0  # EVENT_ENABLE_PROPERTY_STACK_TRACE
            yield (
                "EnableTraceEx2", session["role"], provider["id"], "enable", LEVELS[provider["level"]], int(provider["keywords"], 16),
                stacks, filters(provider),
            )

    users = [session for session in plan["userSessions"] if session["role"] != "rundown"]
    kernel = plan["kernel"]
    for session in users:
        yield from of_user(session)
    flags = sum(KERNEL[name] for name in words(kernel["events"]))
    stacks = set().union(*(STACKS[name] for name in words(kernel["stackEvents"])))
    if "Profile" in words(kernel["events"]):
        yield ("interval", kernel["sampleInterval"])
    if kernel["isPrivate"]:
        yield ("StartTrace", *start(kernel, SYSTEM_LOGGER))
        yield ("stacks", stacks)
        yield ("flags", flags)
    else:
        yield ("StartKernelTrace", *start(kernel, 0)[1:], flags, stacks)
    running = [*users, kernel]
    if circular:
        yield ("flush", sorted((role(session["name"]), session["fileName"]) for session in running))
    yield ("stop", sorted(role(session["name"]) for session in running))
    for session in plan["userSessions"]:
        if session["role"] == "rundown":
            yield from of_user(session)
            yield ("stop", ["rundown"])
    yield ("merge", "merged.etl", [session["fileName"] for session in [*plan["userSessions"], kernel]])


def seen(calls):
    """The calls of a recording in the form of expected()."""

    def name(path):
        return path.rsplit("\\", 1)[-1]

    def stacks(call):
        return {(event["task"], event["opcode"]) for event in call["stacks"]}

    steps = []
    for call in calls:
        kind, session = call["call"], role(call.get("session") or "")
        start = [name(call["file"]), call["bufferKB"], call["minimum"], call["maximum"], call["mode"]] if "bufferKB" in call else []
        if kind == "StartTrace":
            steps.append((kind, session, *start))
        elif kind == "StartKernelTrace":
            steps.append((kind, *start, call["flags"], stacks(call)))
        elif kind == "EnableTraceEx2":
            found = [(filter["type"], filter["in"], filter["ids"]) for filter in call["filters"]]
            steps.append(
                (kind, session, call["provider"], call["code"], call["level"], int(call["any"], 16), call["property"], found)
            )
        elif kind == "TraceSetInformation" and call["class"] == INTERVAL:
            # Each Stop() sets it to 1 ms, too.
            if not any(step[0] == "StartKernelTrace" or step[:2] == ("StartTrace", "kernel") for step in steps):
                steps.append(("interval", call["next"]))
        elif kind == "TraceSetInformation":
            steps.append(("stacks", stacks(call)) if call["class"] == STACK_CLASS else ("flags", call["value"]))
        elif kind == "ControlTrace" and call["code"] in ("flush", "stop"):
            item = (session, name(call["file"])) if call["code"] == "flush" else session
            if steps[-1][0] != call["code"]:
                steps.append((call["code"], []))
            steps[-1][1].append(item)
            steps[-1][1].sort()
        elif kind == "CreateMergedTraceFile":
            steps.append(("merge", name(call["file"]), [name(call[f"part{i}"]) for i in range(call["count"])]))
    return steps


def plans():
    compared = 0
    for options in PLANS:
        code, output, calls, files = record(*options)
        wanted, found = list(expected(plan_of(*options))), seen(calls)
        if code or "merged.etl" not in files or wanted != found:
            print(f"{' '.join(options)}: exit code {code}, files {files}")
            for pair in zip(wanted + [None] * len(found), found + [None] * len(wanted)):
                if pair[0] != pair[1]:
                    print("  planned", pair[0], "\n  called ", pair[1])
            print(output[-2000:])
            return 1
        compared += len(found)
    print(f"{compared} calls of {len(PLANS)} plans")
    return 0


def left(calls):
    """Sessions that were started and not stopped."""
    running = set()
    for call in calls:
        if call["result"]:
            continue
        if call["call"] in ("StartTrace", "StartKernelTrace"):
            running.add(call.get("session", NT_KERNEL_LOGGER))
        elif call["call"] == "ControlTrace" and call["code"] == "stop":
            running.discard(call["session"])
    return running


def failures():
    good = record()[2]
    last = max(call["number"] for call in good if call["call"] != "CreateMergedTraceFile")
    outcomes = {}
    for number in [*range(1, last + 1), 1001]:
        for error in ("0xB7", "0xAA"):
            code, output, calls, files = record(fail=f"{number}:{error}")
            failed = next((call for call in calls if call["number"] == number and call["result"]), None)
            ran, named = "[a]" in output, f"0x800700{error[2:]}" in output
            problems = []
            if left(calls):
                problems.append(f"left: {left(calls)}")
            if code not in (0, 1, 4):
                problems.append("unexpected exit code")
            if code == 4 and (ran or files or not named):
                problems.append("ends before the program, but keeps files or does not name the error")
            if code == 1 and not (ran and len(files) > 3 and re.search("0x[aA][aA]|0x[bB]7", output)):
                problems.append("a recording that fails later keeps its files and names the error")
            if code == 0 and not (ran and "merged.etl" in files):
                problems.append("has no merged file")
            if code == 0 and failed and failed["call"] in ("StartTrace", "StartKernelTrace", "EnableTraceEx2") and not named:
                problems.append("a session lacks a part, unsaid")
            if problems:
                print(f"call {number} fails with {error}: {failed}, exit code {code}, files {files}: {'; '.join(problems)}")
                print(output[-1500:])
                return 1
            outcomes[code] = outcomes.get(code, 0) + 1
    print(", ".join(f"{count} with exit code {code}" for code, count in sorted(outcomes.items())))
    return 0


sys.exit(plans() if sys.argv[1] == "plans" else failures())
