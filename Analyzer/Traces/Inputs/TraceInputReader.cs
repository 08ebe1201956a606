using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.JitDumps;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Opens the user's input: folders of recordings or indexes, trace files, run CSVs, or several of them.</summary>
public sealed class TraceInputReader
{
    /// <summary>
    /// Maximum number of processes from a bare perf.data file (each needs its own passes), and the minimum share of samples relative to the
    /// first one.
    /// </summary>
    private const int MaxPerfProcesses = 4;

    private const double MinShare = 0.1;

    private static readonly string[] s_etwExtensions = [".etl", ".zip", ".diagsession"];

    private readonly List<TracedProcess> _processes = [];
    private readonly List<string> _problems = [];
    private readonly List<string> _files = [];
    private readonly Dictionary<string, PerfDataSource> _perfData = [];
    private readonly List<NetTraceSource> _bareSources = [];

    /// <summary>perf.data files without a recording.</summary>
    private readonly List<string> _perfFiles = [];

    /// <summary>Files of an ETW trace; several of them form one trace.</summary>
    private readonly List<string> _etwFiles = [];
    private readonly List<RunCsvRow> _bareRows = [];

    /// <summary>Skipped serializers, from run CSVs without a recording.</summary>
    private readonly List<LeftOutSerializer> _bareLeftOut = [];
    private readonly List<InputRecording> _recordings = [];

    /// <summary>Label of the current recording, as a prefix of its problems.</summary>
    private string _label = "";
    private TraceFormatException? _firstFailure;
    private bool _hasRunCsv;

    private TraceInputReader() { }

    /// <summary>
    /// Opens paths; one may name a part of a trace and run delimiters (<see cref="TracePart"/>). An unreadable file is a problem of the
    /// input as long as another one is readable.
    /// </summary>
    /// <exception cref="TraceFormatException">Nothing is readable; the error is that of the first unreadable file.</exception>
    /// <exception cref="Contents.NoEventMatchesException">The trace lacks the events that should delimit its runs.</exception>
    public static TraceInput Open(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var named = paths;
        (paths, var part) = TracePart.Of(named);
        var reader = new TraceInputReader();
        reader.AddRecordings([.. paths.Where(RecordingFolders.IsNamedBy)]);
        foreach (var path in paths.Where(path => !RecordingFolders.IsNamedBy(path)))
            reader.Try(path, () => reader.Add(path));
        reader.AddEtwTrace(reader._etwFiles, reader._bareRows);
        reader.AddPerfProcesses();
        reader.AddBareProcesses();
        if (reader._processes.TrueForAll(process => process.Sources.Count == 0 && process.CsvRows.Count == 0))
            throw reader._firstFailure
                ?? new TraceFormatException(
                    paths.Count > 0 ? paths[0] : "",
                    null,
                    "a recording or a trace file",
                    "no trace was found",
                    "name the folder of a recording, or a .nettrace, perf.data or .etl file"
                );
        IReadOnlyList<TracedProcess> processes = part.Range is not { } range
            ? reader._processes
            : [.. reader._processes.Select(process => process with { Range = range, CsvRows = [] })];
        if (part.Events is { } events)
            processes = EventRunReader.Read(processes, events);
        return new TraceInput(named, processes, reader._recordings, reader._hasRunCsv, reader._problems, reader._files)
        {
            LeftOut = reader._bareLeftOut,
            MyCode = part.MyCode,
        };
    }

    /// <summary>Whether a path names a Windows trace, by its extension.</summary>
    public static bool IsWindowsTrace(string path) => s_etwExtensions.Contains(Path.GetExtension(path).ToLowerInvariant());

    private void Add(string path)
    {
        if (path.EndsWith(".csv", StringComparison.OrdinalIgnoreCase))
        {
            var content = ReadCsv(path);
            _bareRows.AddRange(content.Rows);
            _bareLeftOut.AddRange(content.LeftOut);
        }
        else if (IsWindowsTrace(path))
            _etwFiles.Add(path);
        else if (PerfDataReader.IsPerfData(path))
            _perfFiles.Add(path);
        else
            AddNetTrace(NetTraceLayout.Scan(path));
    }

    private void AddNetTrace(NetTraceLayout layout)
    {
        if (UniversalTrace.IsIn(layout))
        {
            AddMachineTrace(UniversalTrace.Open(layout));
            return;
        }

        _bareSources.Add(NetTraceSource.Open(layout));
        _files.Add(layout.Path);
    }

    /// <summary>Adds a .nettrace file of a whole machine; each of its .NET processes becomes a process of the input.</summary>
    private void AddMachineTrace(UniversalTrace trace)
    {
        _files.Add(trace.Layout.Path);
        if (trace.Sources.Count == 0)
            throw new TraceFormatException(
                trace.Layout.Path,
                null,
                "CPU samples or events of a runtime",
                "the trace has none",
                "see its events with 'esp-analyze stats'"
            );
        _problems.AddRange(trace.Problems.Select(Labelled));
        foreach (var source in trace.Sources)
            _processes.Add(
                new TracedProcess(
                    source.ProcessId,
                    source.Program,
                    source.RuntimeVersion,
                    [source],
                    [.. _bareRows.Where(row => row.ProcessId == source.ProcessId)]
                )
            );
    }

    private void AddRecordings(IReadOnlyList<string> paths)
    {
        var opened = new HashSet<string>();
        foreach (var (label, folder) in RecordingFolders.Find(paths, ReadIndex))
        {
            _label = label;
            Try(
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

        _label = "";
    }

    /// <summary>Reads an index; recordings that failed are problems of the input.</summary>
    private RecordingIndex? ReadIndex(string folder)
    {
        RecordingIndex? index = null;
        Try(
            folder,
            () =>
            {
                index = RecordingIndexFile.Read(folder);
                _files.Add(RecordingIndexFile.PathOf(folder));
                _problems.AddRange(index.Problems);
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
        _files.Add(Path.Combine(folder, Recording.FileName));
        Try(RunEnvironment.FileName, () => recording = recording with { Environment = RunEnvironment.Read(folder) });
        if (recording.Environment is not null)
            _files.Add(Path.Combine(folder, RunEnvironment.FileName));
        _recordings.Add(new InputRecording(_label, folder, recording));

        IReadOnlyList<RunCsvRow> rows = [];
        if (RunsFile(folder, recording) is { Length: > 0 } runsFile)
            Try(runsFile, () => rows = ReadCsv(Inside(folder, runsFile)).Rows);

        if (recording.Etw is { } etw)
        {
            // One trace of the whole machine; without it, only the CSV is available.
            AddEtwTrace(etw.File.Length > 0 ? [Inside(folder, etw.File)] : [], rows);
            AddRowsWithoutTrace(rows, ProgramName.Of(recording.Command), static (_, _) => { });
            return;
        }

        foreach (var process in recording.Processes)
        {
            var sources = new List<ITraceSource>();
            IReadOnlyList<RunCsvRow> own = [.. rows.Where(row => row.ProcessId == process.ProcessId)];
            var runtime = process.Runtime.Length > 0 ? process.Runtime : own.Select(row => row.Runtime).FirstOrDefault("");
            _problems.AddRange(process.SessionProblems().Select(Labelled));
            var wasKilled = false;
            foreach (var session in process.Sessions)
            {
                if (session.File.Length == 0)
                    continue;
                var plan = recording.PlannedSessions.FirstOrDefault(planned => planned.Name == session.Name);
                Try(
                    session.File,
                    () =>
                    {
                        var source = OpenFile(Inside(folder, session.File), plan is null ? null : SessionKinds.Of(plan, runtime));
                        wasKilled |=
                            session.Error.Length == 0
                            && recording.Interruption != Recording.NotEnded
                            && source.EndsWithItsProcess(session.Bytes);
                        sources.Add(source);
                    }
                );
            }

            if (wasKilled && !recording.EndedByUser)
                _problems.Add(Labelled($"process {process.ProcessId} crashed or was killed: events of its last 0.1 s may be missing"));

            AddKernelSource(folder, recording, process.ProcessId, isFirst: ReferenceEquals(process, recording.Processes[0]), sources);
            AddPerfMap(folder, process.ProcessId, sources);
            JoinClocks(sources);
            var name = ProgramName.Of(process.CommandLine);
            _processes.Add(
                new TracedProcess(process.ProcessId, name.Length > 0 ? name : ProgramName.Of(recording.Command), runtime, sources, own)
                {
                    Label = _label,
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
            && _label.Length == 0
            && recording.Kernel is { File.Length: > 0, Samples: > 0 } alone
        )
            _perfFiles.Add(Inside(folder, alone.File));

        AddRowsWithoutTrace(
            rows,
            ProgramName.Of(recording.Command),
            (process, sources) =>
            {
                // The recorder was killed before it knew the process.
                AddKernelSource(folder, recording, process, isFirst: !_processes.Exists(other => other.Label == _label), sources);
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
        Try(
            kernel.File,
            () =>
            {
                var path = Inside(folder, kernel.File);
                sources.Add(PerfData(path, processId, isFirst, sources, kernel.SystemWide));
                if (isFirst)
                    _files.Add(path);
            }
        );
    }

    /// <summary>Records of a process in a perf.data file, which is opened for the first of its processes only.</summary>
    private PerfDataSource PerfData(
        string path,
        int processId,
        bool reportsLosses,
        List<ITraceSource> others,
        bool isSystemWide = false,
        bool isAlone = false
    )
    {
        var ticksPerSecond = TicksPerSecond(others);
        if (_perfData.TryGetValue(path, out var opened) && opened.Clock.TicksPerSecond == ticksPerSecond)
            return opened.OfProcess(processId, reportsLosses);
        return _perfData[path] = PerfDataSource.Open(path, processId, reportsLosses, isSystemWide, isAlone, ticksPerSecond);
    }

    /// <summary>
    /// Samples of EventPipe's sample profiler lack CPU time, which the clocks of their threads provide from another file.
    /// </summary>
    private static void JoinClocks(List<ITraceSource> sources)
    {
        if (sources.Find(HasClocks) is not { } clocks)
            return;
        for (var i = 0; i < sources.Count; i++)
        {
            if (sources[i] is NetTraceSource trace && (trace.Kinds & EventKinds.CpuSamples) != 0)
                sources[i] = trace.WithClocks(clocks);
        }
    }

    private static bool HasClocks(ITraceSource source) =>
        (source.Kinds & EventKinds.ThreadClocks) != 0 || source is PerfDataSource { HasSteppedClocks: true };

    private static long TicksPerSecond(List<ITraceSource> sources) =>
        sources.Count > 0 ? sources[0].Clock.TicksPerSecond : PerfDataSource.NanosecondsPerSecond;

    /// <summary>Adds the perf map of a process without method events, if the recorder found one.</summary>
    private void AddPerfMap(string folder, int processId, List<ITraceSource> sources)
    {
        var path = Path.Combine(folder, PerfMap.FileNameOf(processId));
        if (sources.Count == 0 || !File.Exists(path) || sources.Exists(source => (source.Kinds & EventKinds.MethodCode) != 0))
            return;
        Try(
            path,
            () =>
            {
                sources.Add(PerfMapSource.Open(path, processId, sources[0].Clock));
                _files.Add(path);
            }
        );
    }

    /// <summary>Adds an ETW trace of a whole machine; each of its .NET processes becomes a process of the input.</summary>
    private void AddEtwTrace(List<string> files, IReadOnlyList<RunCsvRow> rows)
    {
        if (files.Count == 0)
            return;
        Try(
            files[0],
            () =>
            {
                var trace = EtwTrace.Open(files);
                _files.AddRange(trace.Paths);
                _problems.AddRange(trace.Problems.Select(Labelled));
                foreach (var source in trace.Sources)
                {
                    var name = ProgramName.Of(trace.NameOf(source.ProcessId));
                    IReadOnlyList<RunCsvRow> own = [.. rows.Where(row => row.ProcessId == source.ProcessId)];
                    var exported = trace.ExportedOf(source.ProcessId);
                    _processes.Add(
                        new TracedProcess(
                            source.ProcessId,
                            name.Length > 0 ? name : $"process {source.ProcessId}",
                            trace.RuntimeOf(source.ProcessId),
                            [source],
                            own
                        )
                        {
                            Label = _label,
                            HeldMs = exported?.HeldMs,
                            Kept = exported?.Kept,
                            Span = exported?.Span,
                        }
                    );
                }

                if (trace.Sources.Count == 0)
                    throw new TraceFormatException(
                        files[0],
                        null,
                        "events of a .NET runtime",
                        "the trace has none",
                        "see its events with 'esp-analyze stats', and record with the provider Microsoft-Windows-DotNETRuntime"
                    );
            }
        );
    }

    /// <summary>
    /// Adds the processes with most CPU samples of a bare perf.data file. Beside EventPipe files, it belongs to their processes.
    /// </summary>
    private void AddPerfProcesses()
    {
        foreach (var path in _perfFiles)
        {
            Try(
                path,
                () =>
                {
                    _files.Add(path);
                    if (_bareSources.Count > 0)
                        return;
                    var sampled = PerfDataProcesses.Read(path).Where(process => process is { ProcessId: > 0, Samples: > 0 }).ToList();
                    if (sampled.Count == 0)
                        throw new TraceFormatException(
                            path,
                            null,
                            "CPU samples of a process",
                            "the file has none",
                            "record with esp-record, or with perf record -e cpu-clock"
                        );
                    var chosen = sampled.Where(process => process.Samples >= sampled[0].Samples * MinShare).Take(MaxPerfProcesses).ToList();
                    foreach (var (index, process) in chosen.Index())
                    {
                        var records = PerfData(path, process.ProcessId, index == 0, [], isAlone: true);
                        var names = JitNames.Find(records, _problems);
                        if (names is not null && names.Name != path)
                            _files.Add(names.Name);
                        var name =
                            process.Name is "dotnet" or "" && names?.Program is { Length: > 0 } program ? program
                            : process.Name.Length > 0 ? process.Name
                            : Path.GetFileNameWithoutExtension(path);
                        _processes.Add(
                            new TracedProcess(
                                process.ProcessId,
                                name,
                                "",
                                names is null ? [records] : [records, names],
                                [.. _bareRows.Where(row => row.ProcessId == process.ProcessId)]
                            )
                        );
                    }
                }
            );
        }
    }

    /// <summary>Bare files belong together if they were recorded in one process.</summary>
    private void AddBareProcesses()
    {
        foreach (var group in _bareSources.GroupBy(source => source.ProcessId))
        {
            var sources = new List<ITraceSource>(group);
            var program =
                group.Select(source => ProgramName.Of(source.CommandLine)).FirstOrDefault(name => name.Length > 0)
                ?? Path.GetFileNameWithoutExtension(group.First().Name);
            var runtime = group.Select(source => source.RuntimeVersion).FirstOrDefault(version => version.Length > 0) ?? "";
            foreach (var path in _perfFiles)
            {
                var reportsLosses = ReferenceEquals(group.First(), _bareSources[0]);
                Try(path, () => sources.Add(PerfData(path, group.Key, reportsLosses, sources)));
            }

            JoinClocks(sources);
            _processes.Add(
                new TracedProcess(group.Key, program, runtime, sources, [.. _bareRows.Where(row => row.ProcessId == group.Key)])
            );
        }

        AddRowsWithoutTrace(_bareRows, "", static (_, _) => { });
    }

    /// <summary>Adds runs of a process without runtime events (Mono, .NET Framework without ETW), from the CSV only.</summary>
    private void AddRowsWithoutTrace(IReadOnlyList<RunCsvRow> rows, string program, Action<int, List<ITraceSource>> addSources)
    {
        foreach (var group in rows.GroupBy(row => row.ProcessId))
        {
            if (_processes.Any(process => process.Key == new ProcessKey(_label, group.Key)))
                continue;
            var sources = new List<ITraceSource>();
            addSources(group.Key, sources);
            _processes.Add(new TracedProcess(group.Key, program, group.First().Runtime, sources, [.. group]) { Label = _label });
        }
    }

    private NetTraceSource OpenFile(string path, EventKinds? kinds)
    {
        var source = kinds is { } known ? NetTraceSource.Open(path, known) : NetTraceSource.Open(path);
        _files.Add(path);
        return source;
    }

    private RunCsvContent ReadCsv(string path)
    {
        var content = RunCsvReader.Read(path);
        _hasRunCsv = true;
        _files.Add(path);
        _problems.AddRange(content.Problems.Select(Labelled));
        return content;
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

    private void Try(string path, Action open)
    {
        try
        {
            open();
        }
        catch (TraceFormatException exception)
        {
            Remember(exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Remember(
                new TraceFormatException(
                    path,
                    0,
                    SystemProblem.Of(exception, path, "name another file, or make this one readable"),
                    exception
                )
            );
        }
    }

    private void Remember(TraceFormatException exception)
    {
        _firstFailure ??= exception;
        _problems.Add(Labelled(exception.Message));
    }

    private string Labelled(string problem) => _label.Length > 0 ? $"{_label}: {problem}" : problem;
}
