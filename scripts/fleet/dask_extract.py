#!/usr/bin/env python3
"""Extracts many traces into one store by the workers of a Dask cluster.

Each task calls 'esp-analyze extract' with some traces on a worker. The store takes each trace as a whole or not at all,
and the same trace twice is there once, so a task may run twice: a worker that is killed costs time only.

Needs the package distributed, in the same version as the cluster has, and esp-analyze on every worker. See docs/fleet.md.
"""

import argparse
import os
import re
import socket
import subprocess
import sys
import time
import zipfile

RECORDING_FILES = ("index.json", "recording.json")
TRACE_NAMES = re.compile(r"(\.etl|\.etl\.zip|\.diagsession|\.nettrace|\.nettrace\.zst|\.perf\.data)$|^perf\.data", re.IGNORECASE)
COUNTS = re.compile(r"^Traces: (\d+) new, (\d+) changed, (\d+) already there, (\d+) failed")
KNOWN = re.compile(r"^(\d+) of \d+ traces? (?:is|are) in the store already")

# Exit codes are those of esp-analyze.
DONE, FAILED, UNREADABLE, MISSING, INTERRUPTED = 0, 1, 3, 4, 130


def find_traces(paths):
    """All recordings and trace files below some paths, each with its size."""
    found = {}
    for path in paths:
        path = os.path.abspath(path)
        if not os.path.exists(path):
            raise SystemExit(f"dask_extract: there is no {path}\n  where: {path}\n  fix: name one that exists, or use --list")
        if os.path.isfile(path):
            found[path] = os.path.getsize(path)
            continue
        for folder, folders, files in os.walk(path):
            if any(name in files for name in RECORDING_FILES):
                # A recording is one trace, and so is an index of several.
                found[folder] = size_of(folder)
                folders.clear()
                continue
            for name in files:
                file = os.path.join(folder, name)
                if TRACE_NAMES.search(name) or name.lower().endswith(".zip") and holds_etl(file):
                    found[file] = os.path.getsize(file)
    return sorted(found.items())


def holds_etl(archive):
    """Whether an archive has an .etl file; one that cannot be opened may have had one."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return any(name.lower().endswith(".etl") for name in opened.namelist())
    except (OSError, zipfile.BadZipFile):
        return True


def size_of(folder):
    """Bytes in a folder and those below it."""
    return sum(os.path.getsize(os.path.join(inner, name)) for inner, _, files in os.walk(folder) for name in files)


def chunks_of(traces, most, most_bytes):
    """Traces in chunks: the largest first, so that none of them is what all wait for at the end."""
    chunk, size = [], 0
    for path, length in sorted(traces, key=lambda trace: (-trace[1], trace[0])):
        if chunk and (len(chunk) == most or size + length > most_bytes):
            yield chunk
            chunk, size = [], 0
        chunk.append(path)
        size += length
    if chunk:
        yield chunk


def extract(paths, program, store, options, windows_paths):
    """Runs on a worker: extracts some traces. Raises when the tool fails, and Dask tries again."""
    if os.name == "nt":
        paths = [on_windows(path, windows_paths) for path in paths]
    started = time.monotonic()
    run = subprocess.run(
        [program, "extract", *paths, "--store", store, *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace", check=False)
    if run.returncode != DONE:
        raise RuntimeError(f"{socket.gethostname()}: esp-analyze ended with {run.returncode}: {run.stdout.strip()[-2000:]}")
    return {"host": socket.gethostname(), "seconds": time.monotonic() - started, "output": run.stdout}


def on_windows(path, prefixes):
    """A path as a Windows worker sees it."""
    for ours, theirs in prefixes:
        if path.startswith(ours):
            return theirs + path[len(ours):].replace("/", "\\")
    return path


class Totals:
    """What the tasks said that have ended."""

    def __init__(self, chunks):
        self.chunks = chunks
        self.traces = sum(len(chunk) for chunk in chunks)
        self.ended = self.traces_ended = self.new = self.changed = self.known = self.failed = 0
        self.bad_files, self.bad_chunks, self.hosts = [], [], {}

    def add(self, chunk, result):
        """A task that did its work."""
        self.ended += 1
        self.traces_ended += len(chunk)
        self.hosts[result["host"]] = self.hosts.get(result["host"], 0) + 1
        for line in result["output"].splitlines():
            if line.startswith("failed: "):
                self.bad_files.append(line[len("failed: "):])
            elif match := COUNTS.match(line):
                new, changed, known, failed = map(int, match.groups())
                self.new, self.changed, self.known, self.failed = self.new + new, self.changed + changed, self.known + known, self.failed + failed
            elif match := KNOWN.match(line):
                self.known += int(match.group(1))

    def add_failure(self, chunk, error):
        """A task that was given up."""
        self.ended += 1
        self.traces_ended += len(chunk)
        self.bad_chunks.append((chunk, error))

    def progress(self, seconds, workers):
        """One line on how far it is."""
        left = seconds / self.traces_ended * (self.traces - self.traces_ended) if self.traces_ended else None
        return f"{self.traces_ended} of {self.traces} traces, {len(self.bad_chunks)} of {self.ended} tasks given up, {workers} workers, " + (f"{left:.0f} s left" if left is not None else "time left not known yet")

    def summary(self, seconds):
        """Lines for the end."""
        for chunk, error in self.bad_chunks:
            yield f"given up: {len(chunk)} traces from {chunk[0]} on: {error}"
        for line in self.bad_files:
            yield f"failed: {line}"
        yield f"Traces: {self.new} new, {self.changed} changed, {self.known} already there, {self.failed} failed; {sum(len(chunk) for chunk, _ in self.bad_chunks)} given up."
        yield f"Tasks: {self.ended} in {seconds:.1f} s on {', '.join(f'{host} ({count})' for host, count in sorted(self.hosts.items())) or 'no host'}."


def parse(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="The store's password: set ESP_CLICKHOUSE_PASSWORD in the environment of the workers.")
    parser.add_argument("paths", metavar="PATH", nargs="*", help="recordings, trace files, and folders of them, as the workers see them")
    parser.add_argument("--scheduler", required=True, metavar="ADDRESS", help="address of the Dask scheduler, such as tcp://host:8786")
    parser.add_argument("--store", required=True, help="where rows go, such as clickhouse:http://host:8123/esp")
    parser.add_argument("--list", metavar="FILE", help="file with a path of a trace in each line, instead of searching folders")
    parser.add_argument("--chunk", type=int, default=8, metavar="N", help="traces in a task at most (8)")
    parser.add_argument("--chunk-mb", type=float, default=1000, metavar="MB", help="size of the traces of a task at most, but for one that is larger (1000)")
    parser.add_argument("--tries", type=int, default=3, metavar="N", help="how often a task is tried that fails (3)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes of a task (1; a Dask worker has its own number of tasks at a time)")
    parser.add_argument("--program", default="esp-analyze", help="esp-analyze on the workers")
    parser.add_argument("--windows-path", action="append", default=[], metavar="OURS=THEIRS", help=r"what a path begins with on Windows workers, such as /traces=\\server\traces")
    parser.add_argument("--option", action="append", default=[], metavar="OPTION", help="one more argument of 'esp-analyze extract', such as --option=--retry-failed")
    parser.add_argument("--wait", type=float, default=60, metavar="S", help="how long to wait for the scheduler and for the first worker (60)")
    return parser.parse_args(arguments)


def run(options, traces):
    """Submits the tasks and waits for them."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        print(f"dask_extract: this Python has no package distributed\n  where: {sys.executable}\n  fix: apt-get install python3-distributed and run it by /usr/bin/python3, or pip install distributed", file=sys.stderr)
        return MISSING
    chunks = list(chunks_of(traces, max(options.chunk, 1), options.chunk_mb * 1e6))
    prefixes = [tuple(pair.split("=", 1)) for pair in options.windows_path]
    totals, started = Totals(chunks), time.monotonic()
    try:
        client = Client(options.scheduler, timeout=options.wait, set_as_default=False)
        client.wait_for_workers(1, timeout=options.wait)
    except (OSError, TimeoutError) as error:
        print(f"dask_extract: the cluster does not answer: {error}\n  where: {options.scheduler}\n  fix: start dask-scheduler and dask-worker, or correct the address", file=sys.stderr)
        return MISSING
    with client:
        tasks = {}
        for chunk in chunks:
            future = client.submit(extract, chunk, options.program, options.store, ["--jobs", str(options.jobs), *options.option], prefixes, retries=max(options.tries - 1, 0), pure=False)
            tasks[future.key] = (future, chunk)
        shown = 0.0
        for future in as_completed([future for future, _ in tasks.values()], loop=client.loop):
            _, chunk = tasks[future.key]
            if future.status == "finished":
                totals.add(chunk, future.result())
            else:
                totals.add_failure(chunk, str(future.exception()) if future.status == "error" else f"the task is {future.status}: the scheduler ended or was told to cancel it")
            if time.monotonic() - shown > 1 or totals.ended == len(chunks):
                shown = time.monotonic()
                workers = len(client.scheduler_info().get("workers", {})) if client.status == "running" else 0
                print(totals.progress(shown - started, workers), file=sys.stderr, flush=True)
    for line in totals.summary(time.monotonic() - started):
        print(line)
    return FAILED if totals.bad_chunks else DONE


def main(arguments):
    """The program."""
    options = parse(arguments)
    if options.list:
        with open(options.list, encoding="utf-8") as lines:
            traces = [(line.strip(), 0) for line in lines if line.strip()]
    else:
        traces = find_traces(options.paths)
    if not traces:
        print("dask_extract: no traces were found\n  where: " + (", ".join(options.paths) or options.list or "no PATH") + "\n  fix: name recordings, trace files or folders of them", file=sys.stderr)
        return UNREADABLE
    try:
        return run(options, traces)
    except KeyboardInterrupt:
        print("Interrupted: what is in the store stays; the same command goes on where this one stopped.", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
