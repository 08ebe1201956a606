using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes a Linux recording as one .nettrace file of format 6, like record-trace's traces of a machine. The first pass over the files finds
/// methods and mappings; the second one writes all events in order of time. Memory grows with processes, methods, threads and distinct
/// stack addresses, not with events.
/// </summary>
/// <remarks>Times are ticks of the recording's clock and stay as recorded. docs/exports.md maps recorded data to events.</remarks>
public sealed class NetTraceExporter
{
    private readonly ExportSource _source;
    private readonly TraceExportOptions _options;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<ITraceSource, HashSet<(Guid Provider, int Id)>> _repeated = [];
    private readonly Dictionary<int, CodeNames> _kernelNames = [];
    private readonly List<string> _missing = [];
    private KernelMapping? _kernel;
    private long _lost;

    private NetTraceExporter(ExportSource source, TraceExportOptions options, CancellationToken cancellation) =>
        (_source, _options, _cancellation) = (source, options, cancellation);

    /// <summary>Writes the file. After an error there is no file.</summary>
    /// <param name="input">The recording.</param>
    /// <param name="files">Symbols of its native and kernel code.</param>
    /// <param name="options">Path and options.</param>
    /// <param name="cancellation">Cancels the export; no file remains.</param>
    /// <exception cref="ExportException">The input is not exactly one Linux recording, or the file exists.</exception>
    /// <exception cref="IOException">A file cannot be read, or the disk is full.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be written.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static TraceExportResult Run(
        TraceInput input,
        SymbolFiles files,
        TraceExportOptions options,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(options);
        ExportSource.Check(input, "a .nettrace");
        if (
            input
                .Processes.SelectMany(process => process.Sources)
                .OfType<NetTraceSource>()
                .Any(session => session.PointerBytes != sizeof(ulong))
        )
            throw new ExportException(
                "the recorded process is 32-bit, but .nettrace export supports only 64-bit processes",
                input.Paths[0],
                "open its .nettrace file in PerfView directly"
            );
        ExportSource.CheckOutput(options.Path, options.Overwrite);
        return new NetTraceExporter(new ExportSource(input, files), options, cancellation).Run();
    }

    private TraceExportResult Run()
    {
        var watch = Stopwatch.StartNew();
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(_options.Path))!);
        var path = FormattableString.Invariant($"{_options.Path}.{Environment.ProcessId}.tmp");
        try
        {
            ReadMethods();
            Write(path);
            File.Move(path, _options.Path, _options.Overwrite);
        }
        finally
        {
            File.Delete(path);
        }

        return new TraceExportResult(
            _options.Path,
            new FileInfo(_options.Path).Length,
            _source.RecordedBytes,
            watch.Elapsed,
            _source.Counts.ByKind,
            _lost,
            _missing,
            _source.Problems
        );
    }

    /// <summary>
    /// First pass over the sessions: finds methods, needed to find callers of small methods, and the event kinds that several sessions
    /// have.
    /// </summary>
    private void ReadMethods()
    {
        foreach (var process in _source.Input.Processes)
        {
            var methods = _source.Methods[process.ProcessId] = new ManagedCodeMap();
            _source.Layouts[process.ProcessId] = new ProcessLayout();
            HashSet<(Guid, int)> earlier = [];
            foreach (var source in process.Sources)
            {
                _cancellation.ThrowIfCancellationRequested();
                if (source is CodeNameSource map)
                    map.Read(methods);
                if (source is not NetTraceSource session)
                    continue;
                HashSet<(Guid, int)> here = [];
                var result = session.Read(
                    EventHub.Of(methods, session.Kinds),
                    (in NetTraceEvent item) => here.Add(RuntimeEventKind.Of(item.Type))
                );
                _repeated[source] = [.. earlier];
                earlier.UnionWith(here);
                _lost += result.LostEvents;
                if (result.Damage is { } damage)
                    _source.AddProblem(damage);
            }
        }
    }

    private void Write(string path)
    {
        _kernel = _source.PerfData.Length > 0 ? _source.ReadLayouts(_cancellation) : _source.ReadMachine(_cancellation);
        var (start, startUtc, processors) = _source.ReadStart();
        var pairs = new Dictionary<string, string>
        {
            [NetTraceHeader.ProcessorsKey] = processors.ToString(CultureInfo.InvariantCulture),
            ["SystemPageSize"] = Environment.SystemPageSize.ToString(CultureInfo.InvariantCulture),
            [NetTraceHeader.SwitchEventsKey] = NetTraceHeader.SwitchedIn,
            [NetTraceHeader.RecordedKindsKey] = NetTraceHeader.TextOf(
                _source.Input.Processes.Select(process => (process.ProcessId, RecordedKinds(process)))
            ),
            ["OperatingSystem"] = _source.Recording?.Host.OperatingSystem ?? "",
            ["Source"] = _options.Source,
        };
        if (_source.Threads.SampleInterval > 0)
            pairs["ExpectedCPUSamplingRate"] = _source.Threads.SampleInterval.ToString(CultureInfo.InvariantCulture);
        if (!ExportLimits.SamplesKernel(_source.Input))
            pairs[NetTraceHeader.KernelSamplesKey] = NetTraceHeader.NotRecorded;
        using var writer = new NetTraceEventWriter(path, startUtc, start, _source.Sources.First().Clock.TicksPerSecond, pairs);
        var events = new UniversalEvents(writer, _source.Counts);
        using var sessions = new SessionEvents(writer, _source.Counts, start);
        if (_source.PerfData.Length > 0)
            WritePerfData(events, sessions, start);
        else if (_source.Machine is { } trace)
            WriteMachine(events, sessions, trace, start);
        else
            WriteProcesses(events, sessions, start);
        sessions.WriteUntil(long.MaxValue);
        WriteNames(events, Math.Max(writer.LastTime, start));
        writer.End(_lost);
        _missing.AddRange(ExportLimits.OfNetTrace(_source, writer));
    }

    /// <summary>Recorded event kinds of a process, except samples and switches, which the file itself shows.</summary>
    private static EventKinds RecordedKinds(TracedProcess process) =>
        process.Kinds & ~(EventKinds.CpuSamples | EventKinds.SwitchOutStacks | EventKinds.ThreadClocks);

    /// <summary>Without perf.data only the recorded processes are known.</summary>
    private void WriteProcesses(UniversalEvents events, SessionEvents sessions, long start)
    {
        foreach (var process in _source.Input.Processes)
        {
            events.Process(start, KernelEvents.Listed, _source.FactsOf(process.ProcessId), 0, 0);
            _source.Counts.Processes++;
        }

        AddSessions(events, sessions, start);
    }

    private void AddSessions(UniversalEvents events, SessionEvents sessions, long start)
    {
        foreach (var process in _source.Input.Processes)
        {
            var methods = new MethodSymbols(events, process.ProcessId, start);
            foreach (var map in process.Sources.OfType<CodeNameSource>())
                map.ReadWithoutTimes(methods);
            foreach (var session in process.Sources.OfType<NetTraceSource>())
                sessions.Add(session, process.ProcessId, _repeated[session], methods);
        }
    }

    private void WriteMachine(UniversalEvents events, SessionEvents sessions, UniversalTrace trace, long start)
    {
        // The trace names the kernel's code itself.
        var machine = new MachineWriter(events, _source.Counts, _source.Threads, _source.FactsOf, static _ => null, start);
        _source.Write(
            new UniversalRecords(machine, trace, (in NetTraceEvent item) => sessions.TryWrite(item, item.ProcessId)),
            _kernel,
            ref _lost,
            _cancellation
        );
    }

    private void WritePerfData(UniversalEvents events, SessionEvents sessions, long start)
    {
        using var reader = PerfDataReader.Open(_source.PerfData);
        var records = new KernelRecords(
            new MachineWriter(events, _source.Counts, _source.Threads, _source.FactsOf, KernelNamesOf, start),
            reader
        );
        records.Begin(_kernel);
        AddSessions(events, sessions, start);
        for (var count = 0L; reader.TryRead(out var record); count++)
        {
            if (count % ExportSource.EventsBetweenLooks == 0)
                _cancellation.ThrowIfCancellationRequested();
            _lost += record.LostCount;
            sessions.WriteUntil(record.Time - 1);
            records.Write(record);
        }

        records.End();
        _source.AddProblems(reader);
    }

    /// <summary>Each process has its own kernel names, because it has its own mapping of the kernel.</summary>
    private CodeNames KernelNamesOf(ProcessFacts process)
    {
        if (!_kernelNames.TryGetValue(process.ProcessId, out var names))
            _kernelNames.Add(process.ProcessId, names = _source.KernelNames(_kernel));
        return names;
    }

    private void WriteNames(UniversalEvents events, long time)
    {
        foreach (var (process, names) in _kernelNames)
        {
            foreach (var range in names.Ranges())
                events.KernelSymbol(time, process, range.Start, range.Last, range.Symbol.Name);
            _source.Counts.AmbiguousAddresses += names.Ambiguous;
        }

        foreach (var process in _source.Processes)
        {
            if (process.Names is not { } names)
                continue;
            foreach (
                var range in names.Ranges().Where(range => range.MapText.Length > 0 && !_source.IsNamed(process.ProcessId, range.Start))
            )
                events.Symbol(time, process.ProcessId, range.Start, range.Last, range.MapText);
            _source.Counts.AmbiguousAddresses += names.Ambiguous;
        }
    }
}
