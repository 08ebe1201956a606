using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>What was opened so far: processes with their sources, files, problems; and how any file is opened.</summary>
internal sealed class InputParts
{
    private readonly Dictionary<string, PerfDataSource> _perfData = [];

    /// <summary>The processes, in the order in which they were found.</summary>
    public List<TracedProcess> Processes { get; } = [];

    public List<string> Problems { get; } = [];

    /// <summary>Paths of the files that were opened.</summary>
    public List<string> Files { get; } = [];

    public List<InputRecording> Recordings { get; } = [];

    /// <summary>Label of the current recording, as a prefix of its problems.</summary>
    public string Label { get; set; } = "";

    public bool HasRunCsv { get; private set; }

    /// <summary>The error of the first unreadable file; null when all were readable.</summary>
    public TraceFormatException? FirstFailure { get; private set; }

    /// <summary>Opens a file; if that fails, the failure is a problem of the input.</summary>
    public void Try(string path, Action open)
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

    /// <summary>A problem with the label of its recording.</summary>
    public string Labelled(string problem) => Label.Length > 0 ? $"{Label}: {problem}" : problem;

    /// <summary>Reads a run CSV.</summary>
    public RunCsvContent ReadCsv(string path)
    {
        var content = RunCsvReader.Read(path);
        HasRunCsv = true;
        Files.Add(path);
        Problems.AddRange(content.Problems.Select(Labelled));
        return content;
    }

    /// <summary>Records of a process in a perf.data file, which is opened for the first of its processes only.</summary>
    public PerfDataSource PerfData(
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

    /// <summary>Adds an ETW trace of a whole machine; each of its .NET processes becomes a process of the input.</summary>
    public void AddEtwTrace(List<string> files, IReadOnlyList<RunCsvRow> rows)
    {
        if (files.Count == 0)
            return;
        Try(
            files[0],
            () =>
            {
                var trace = EtwTrace.Open(files);
                Files.AddRange(trace.Paths);
                Problems.AddRange(trace.Problems.Select(Labelled));
                foreach (var source in trace.Sources)
                {
                    var name = ProgramName.Of(trace.NameOf(source.ProcessId));
                    IReadOnlyList<RunCsvRow> own = [.. rows.Where(row => row.ProcessId == source.ProcessId)];
                    var exported = trace.ExportedOf(source.ProcessId);
                    Processes.Add(
                        new TracedProcess(
                            source.ProcessId,
                            name.Length > 0 ? name : $"process {source.ProcessId}",
                            trace.RuntimeOf(source.ProcessId),
                            [source],
                            own
                        )
                        {
                            Label = Label,
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

    /// <summary>Adds runs of a process without runtime events (Mono, .NET Framework without ETW), from the CSV only.</summary>
    public void AddRowsWithoutTrace(IReadOnlyList<RunCsvRow> rows, string program, Action<int, List<ITraceSource>> addSources)
    {
        foreach (var group in rows.GroupBy(row => row.ProcessId))
        {
            if (Processes.Any(process => process.Key == new ProcessKey(Label, group.Key)))
                continue;
            var sources = new List<ITraceSource>();
            addSources(group.Key, sources);
            Processes.Add(new TracedProcess(group.Key, program, group.First().Runtime, sources, [.. group]) { Label = Label });
        }
    }

    /// <summary>
    /// Samples of EventPipe's sample profiler lack CPU time, which the clocks of their threads provide from another file.
    /// </summary>
    public static void JoinClocks(List<ITraceSource> sources)
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

    private void Remember(TraceFormatException exception)
    {
        FirstFailure ??= exception;
        Problems.Add(Labelled(exception.Message));
    }
}
