using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.Packing;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Opens folders of recordings, and folders of several with an index.</summary>
internal sealed class RecordedInputs(InputParts parts)
{
    /// <summary>perf.data files of recordings without a .NET process; they are read as bare files.</summary>
    public List<string> Native { get; } = [];

    /// <summary>Opens the recordings that paths name.</summary>
    public void Add(IReadOnlyList<string> paths)
    {
        var opened = new HashSet<string>();
        foreach (var (label, folder) in RecordingFolders.Find(paths, ReadIndex))
        {
            parts.Label = label;
            parts.Try(
                folder,
                () =>
                {
                    if (!opened.Add(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder))))
                        throw new TraceFormatException(
                            folder,
                            null,
                            "each recording once",
                            "this recording was named before",
                            "name it once"
                        );
                    AddRecording(folder);
                }
            );
        }

        parts.Label = "";
    }

    /// <summary>Reads an index; recordings that failed are problems of the input.</summary>
    private RecordingIndex? ReadIndex(string folder)
    {
        RecordingIndex? index = null;
        parts.Try(
            folder,
            () =>
            {
                index = RecordingIndexFile.Read(folder);
                parts.Files.Add(RecordingIndexFile.PathOf(folder));
                parts.Problems.AddRange(index.Problems);
                if (index.Recordings.Count == 0)
                    throw new TraceFormatException(
                        RecordingIndexFile.PathOf(folder),
                        null,
                        "recordings",
                        "the index has none, because none could be recorded",
                        "record again; the 'problems' in the file give the reasons"
                    );
            }
        );
        return index;
    }

    private void AddRecording(string folder)
    {
        var recording = RecordingFile.Read(folder);
        parts.Files.Add(Path.Combine(folder, Recording.FileName));
        parts.Try(RunEnvironment.FileName, () => recording = recording with { Environment = RunEnvironment.Read(folder) });
        if (recording.Environment is not null)
            parts.Files.Add(Path.Combine(folder, RunEnvironment.FileName));
        parts.Recordings.Add(new InputRecording(parts.Label, folder, recording));

        IReadOnlyList<RunCsvRow> rows = [];
        if (RunsFile(folder, recording) is { Length: > 0 } runsFile)
            parts.Try(runsFile, () => rows = parts.ReadCsv(Inside(folder, runsFile)).Rows);

        if (recording.Etw is { } etw)
        {
            // One trace of the whole machine; without it, only the CSV is available.
            parts.AddEtwTrace(etw.File.Length > 0 ? [Inside(folder, etw.File)] : [], rows);
            parts.AddRowsWithoutTrace(rows, ProgramName.Of(recording.Command), static (_, _) => { });
            return;
        }

        var uses = new Dictionary<int, int>();
        foreach (var process in recording.Processes)
        {
            var sources = new List<ITraceSource>();
            var use = uses[process.ProcessId] = uses.GetValueOrDefault(process.ProcessId) + 1;
            var own = RunCsvUses.Of(rows, process.ProcessId, use);
            var runtime = process.Runtime.Length > 0 ? process.Runtime : own.Select(row => row.Runtime).FirstOrDefault("");
            parts.Problems.AddRange(process.SessionProblems().Select(parts.Labelled));
            var wasKilled = false;
            foreach (var session in process.Sessions)
            {
                if (session.File.Length == 0)
                    continue;
                var plan = recording.PlannedSessions.FirstOrDefault(planned => planned.Name == session.Name);
                parts.Try(
                    session.File,
                    () =>
                    {
                        var source = OpenFile(
                            PackedFile.Find(Inside(folder, session.File)),
                            plan is null ? null : SessionKinds.Of(plan, runtime)
                        );
                        wasKilled |=
                            session.Error.Length == 0
                            && recording.Interruption != Recording.NotEnded
                            && source.EndsWithItsProcess(session.Bytes);
                        sources.Add(source);
                    }
                );
            }

            if (wasKilled && !recording.EndedByUser)
                parts.Problems.Add(
                    parts.Labelled($"process {process.ProcessId} crashed or was killed: events of its last 0.1 s may be missing")
                );

            AddKernelSource(folder, recording, process.ProcessId, isFirst: ReferenceEquals(process, recording.Processes[0]), sources);
            AddPerfMap(folder, process.ProcessId, sources);
            InputParts.JoinClocks(sources);
            var name = ProgramName.Of(process.CommandLine);
            parts.Processes.Add(
                new TracedProcess(process.ProcessId, name.Length > 0 ? name : ProgramName.Of(recording.Command), runtime, sources, own)
                {
                    Label = parts.Label,
                    Use = use,
                    Kept = recording.Kept,
                    Span = recording.Span,
                    HeldMs = process.HeldMs,
                }
            );
        }

        // A native program has only CPU samples.
        if (
            recording.Processes.Count == 0
            && rows.Count == 0
            && parts.Label.Length == 0
            && recording.Kernel is { File.Length: > 0, Samples: > 0 } alone
        )
            Native.Add(Inside(folder, alone.File));

        parts.AddRowsWithoutTrace(
            rows,
            ProgramName.Of(recording.Command),
            (process, sources) =>
            {
                // The recorder was killed before it knew the process.
                AddKernelSource(folder, recording, process, isFirst: !parts.Processes.Exists(other => other.Label == parts.Label), sources);
                AddPerfMap(folder, process, sources);
            }
        );
    }

    /// <summary>Path of the run CSV; a killed recorder has not recorded its name.</summary>
    private static string RunsFile(string folder, Recording recording) =>
        recording.RunsFile.Length == 0 && !recording.Complete && File.Exists(Path.Combine(folder, Recording.RunsFileName))
            ? Recording.RunsFileName
            : recording.RunsFile;

    /// <summary>The kernel session has all processes of the recording in one file; its losses are added to the first process.</summary>
    private void AddKernelSource(string folder, Recording recording, int processId, bool isFirst, List<ITraceSource> sources)
    {
        if (recording.Kernel is not { File.Length: > 0 } kernel)
            return;
        parts.Try(
            kernel.File,
            () =>
            {
                var path = Inside(folder, kernel.File);
                sources.Add(parts.PerfData(path, processId, isFirst, sources, kernel.SystemWide));
                if (isFirst)
                    parts.Files.Add(path);
            }
        );
    }

    /// <summary>Adds the perf map of a process without method events, if the recorder found one.</summary>
    private void AddPerfMap(string folder, int processId, List<ITraceSource> sources)
    {
        var path = Path.Combine(folder, PerfMap.FileNameOf(processId));
        if (sources.Count == 0 || !File.Exists(path) || sources.Exists(source => (source.Kinds & EventKinds.MethodCode) != 0))
            return;
        parts.Try(
            path,
            () =>
            {
                sources.Add(PerfMapSource.Open(path, processId, sources[0].Clock));
                parts.Files.Add(path);
            }
        );
    }

    private NetTraceSource OpenFile(string path, EventKinds? kinds)
    {
        var source = kinds is { } known ? NetTraceSource.Open(path, known) : NetTraceSource.Open(path);
        parts.Files.Add(path);
        return source;
    }

    /// <summary>Path of a recording's file inside its folder; a foreign recording cannot name other files.</summary>
    private static string Inside(string folder, string file)
    {
        var path = Path.GetFullPath(file, Path.GetFullPath(folder));
        if (
            !path.StartsWith(
                Path.GetFullPath(folder).TrimEnd(Path.DirectorySeparatorChar) + Path.DirectorySeparatorChar,
                StringComparison.Ordinal
            )
        )
            throw new TraceFormatException(
                Path.Combine(folder, Recording.FileName),
                null,
                "names of files in the recording's folder",
                $"'{file}' is outside: the recording was changed",
                "copy the recording again"
            );
        return Path.Combine(folder, file);
    }
}
