using System.Diagnostics;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes a Linux recording as one .etl, as merging does on Windows: the events of each session go one after the other into a temporary
/// file, whose buffers are then read in order of time and written to the file. Memory grows with processes, method addresses and distinct
/// stack addresses, not with events.
/// </summary>
/// <remarks>
/// Times are ticks of 1 ns of CLOCK_MONOTONIC and stay as recorded; the performance counter's frequency is 1 GHz. docs/etl-export.md maps
/// recorded data to events.
/// </remarks>
public sealed class EtlExporter
{
    /// <summary>Size of a buffer: a record of 64 KB must fit.</summary>
    private const int BufferBytes = 128 << 10;

    private readonly ExportSource _source;
    private readonly TraceExportOptions _options;
    private readonly CancellationToken _cancellation;

    /// <summary>Damaged .nettrace files, and the time of their last readable event.</summary>
    private readonly Dictionary<ITraceSource, long> _damaged = [];
    private bool _isKernelFileDamaged;
    private KernelMapping? _kernel;
    private long _lost;

    private EtlExporter(ExportSource source, TraceExportOptions options, CancellationToken cancellation) =>
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
        ExportSource.Check(input, "an .etl");
        ExportSource.CheckOutput(options.Path, options.Overwrite);
        return new EtlExporter(new ExportSource(input, files), options, cancellation).Run();
    }

    private TraceExportResult Run()
    {
        var watch = Stopwatch.StartNew();
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(_options.Path))!);
        var events = FormattableString.Invariant($"{_options.Path}.{Environment.ProcessId}.events");
        var merged = FormattableString.Invariant($"{_options.Path}.{Environment.ProcessId}.tmp");
        try
        {
            var header = Header();
            using (var writer = new EtlWriter(events, header))
                WriteSessions(writer, header);
            Merge(events, merged, header with { EventsLost = Math.Min(_lost, int.MaxValue), Compress = _options.Compress });
            File.Move(merged, _options.Path, _options.Overwrite);
        }
        finally
        {
            File.Delete(events);
            File.Delete(merged);
        }

        return new TraceExportResult(
            _options.Path,
            new FileInfo(_options.Path).Length,
            _source.RecordedBytes,
            watch.Elapsed,
            _source.Counts.ByKind,
            _lost,
            ExportLimits.Of(_source.Counts, _source.Input, _source.Threads, _source.HasKernelEvents),
            _source.Problems
        );
    }

    private EtlWriteOptions Header()
    {
        _kernel = _source.ReadMachine(_cancellation);
        var (start, startUtc, processors) = _source.ReadStart();
        var host = _source.Recording?.Host;
        return new EtlWriteOptions
        {
            BufferSize = BufferBytes,
            Processors = processors,
            Clock = EtlClock.PerformanceCounter,
            PerformanceFrequency = _source.Sources.First().Clock.TicksPerSecond,
            StartTicks = start,
            StartTimeUtc = startUtc,
            CpuMegahertz = (int)(host?.CpuMegahertz ?? 0),
            OSVersion = new Version(10, 0, 0), // version of the layouts; the system's version is in the session's name
            SessionName = ExportedProcess.Cut($"Linux: {host?.OperatingSystem ?? "unknown system"}"),
            LogFileName = _options.Source,
        };
    }

    private void WriteSessions(EtlWriter writer, EtlWriteOptions header)
    {
        var start = header.StartTicks;
        if (_source.Input.Processes.FirstOrDefault(process => (process.Kinds & EventKinds.RunMarks) != 0) is { } marked)
            RunsManifest.Write(writer, start, marked.ProcessId);
        var runtime = new RuntimeEvents(writer, _source.Counts, header.Processors, start);
        if (_source.Machine is null)
        {
            foreach (var process in _source.Input.Processes)
                WriteRuntimeEvents(runtime, process);
        }

        var end = Math.Max(
            _source.Machine is { } machine ? WriteMachine(writer, runtime, machine, header) : WriteKernelEvents(writer, start),
            runtime.LastTime
        );
        foreach (var process in _source.Processes)
            WriteNames(writer, process.Names, end);
        foreach (var map in _source.Input.Processes.SelectMany(process => process.Sources).OfType<CodeNameSource>())
        {
            var methods = new MethodRundown(writer, map.ProcessId, end);
            map.ReadWithoutTimes(methods);
            _source.Counts.NamedRanges += methods.Methods;
        }

        // They come at the start of the trace; all damage is known by now.
        writer.Flush();
        foreach (var process in _source.Input.Processes)
            Exported(process).Write(writer, start);
    }

    private ExportedProcess Exported(TracedProcess process)
    {
        var kinds = process.Kinds & ~(EventKinds.SwitchOutStacks | EventKinds.ThreadClocks);
        if ((process.Details & EventDetails.ManagedSamples) != 0)
            kinds &= ~EventKinds.CpuSamples;
        if ((process.Kinds & EventKinds.SwitchOutStacks) != 0)
            kinds |= EventKinds.SwitchInStacks;
        return new ExportedProcess(
            process.ProcessId,
            process.Program,
            process.Runtime,
            kinds,
            process.Details,
            process.HeldMs,
            _options.Source,
            _source.Recording?.Host.OperatingSystem ?? ""
        )
        {
            Ends = [.. Ends(process)],
            Kept = process.Kept,
            Span = process.Span,
        };
    }

    /// <summary>The time up to which damaged files have events, for each kind that reports read from them.</summary>
    private IEnumerable<(EventKinds Kinds, long Until)> Ends(TracedProcess process)
    {
        foreach (var (source, share) in process.Shares(EventKinds.All))
        {
            if (source is PerfDataSource or UniversalSource && _isKernelFileDamaged)
                yield return (
                    (share & EventKinds.SwitchOutStacks) != 0 ? share | EventKinds.SwitchInStacks : share,
                    _source.FactsOf(process.ProcessId).LastTime
                );
            else if (_damaged.TryGetValue(source, out var until))
                yield return (share, until);
        }
    }

    private void WriteRuntimeEvents(RuntimeEvents runtime, TracedProcess process)
    {
        runtime.BeginProcess(process.ProcessId);
        var methods = _source.Methods[process.ProcessId] = new ManagedCodeMap();
        foreach (var source in process.Sources)
        {
            _cancellation.ThrowIfCancellationRequested();
            if (source is not NetTraceSource session)
            {
                if (source is CodeNameSource map)
                    map.Read(methods);
                continue;
            }

            var result = runtime.Write(session, methods);
            _lost += result.LostEvents;
            if (result.Damage is not { } damage)
                continue;
            _damaged.Add(source, result.LastTime);
            _source.AddProblem(damage);
        }
    }

    /// <summary>Writes the events of perf.data in two passes.</summary>
    /// <returns>Time of the last one.</returns>
    private long WriteKernelEvents(EtlWriter writer, long start)
    {
        if (_source.PerfData.Length == 0)
            return start;
        _kernel = _source.ReadLayouts(_cancellation);
        var kernelNames = _source.KernelNames(_kernel);
        using var reader = PerfDataReader.Open(_source.PerfData);
        var events = new KernelEvents(writer);
        events.Volume(start);
        events.Machine(
            start,
            (int)(_source.Recording?.Host.CpuMegahertz ?? 0),
            Math.Max(reader.Features.ProcessorsOnline, 1),
            reader.Features.MemoryBytes,
            reader.Features.HostName
        );
        var machine = new MachineWriter(events, _source.Counts, _source.Threads, _source.FactsOf, _ => kernelNames, start);
        var records = new KernelRecords(machine, reader);
        records.Begin(_kernel);
        for (var count = 0L; reader.TryRead(out var record); count++)
        {
            if (count % ExportSource.EventsBetweenLooks == 0)
                _cancellation.ThrowIfCancellationRequested();
            _lost += record.LostCount;
            records.Write(record);
        }

        records.End();
        writer.Flush();
        _isKernelFileDamaged = reader.Damage is not null;
        _source.AddProblems(reader);
        WriteNames(writer, kernelNames, machine.LastTime);
        return machine.LastTime;
    }

    /// <summary>Writes the events of a machine-wide trace, and the methods that it names.</summary>
    /// <returns>Time of the last one.</returns>
    private long WriteMachine(EtlWriter writer, RuntimeEvents runtime, UniversalTrace trace, EtlWriteOptions header)
    {
        var start = header.StartTicks;
        var kernelNames = _source.KernelNames(_kernel);
        var events = new KernelEvents(writer);
        events.Volume(start);
        events.Machine(start, 0, header.Processors, 0, "");
        var machine = new MachineWriter(events, _source.Counts, _source.Threads, _source.FactsOf, _ => kernelNames, start);
        var damage = _source.Write(new UniversalRecords(machine, trace, runtime.Write), _kernel, ref _lost, _cancellation);
        _isKernelFileDamaged = damage is not null;
        writer.Flush();
        WriteNames(writer, kernelNames, machine.LastTime);
        WriteMethods(writer, trace, machine.LastTime);
        return machine.LastTime;
    }

    /// <summary>Writes the methods that a machine-wide trace names, for all processes.</summary>
    private void WriteMethods(EtlWriter writer, UniversalTrace trace, long time)
    {
        var rundowns = trace
            .Processes.Where(process => process.HasNames)
            .ToDictionary(process => process.Id, process => new MethodRundown(writer, process.Id, time));
        var passes = trace
            .Processes.Where(process => process.HasNames)
            .ToDictionary(process => process.Id, process => new UniversalPass(trace, process, EventHub.Of(rundowns[process.Id])));
        using var reader = new NetTraceReader(trace.Layout);
        for (var count = 0L; reader.TryRead(out var item); count++)
        {
            if (count % ExportSource.EventsBetweenLooks == 0)
                _cancellation.ThrowIfCancellationRequested();
            if (
                item.Type.Universal is UniversalEventKind.Mapping or UniversalEventKind.Symbol
                && passes.TryGetValue(item.ProcessId, out var pass)
            )
                pass.OnEvent(item);
        }

        _source.Counts.NamedRanges += rundowns.Values.Sum(rundown => rundown.Methods);
    }

    private void WriteNames(EtlWriter writer, CodeNames? names, long time)
    {
        if (names is null)
            return;
        _source.Counts.NamedRanges += names.Write(writer, time);
        _source.Counts.AmbiguousAddresses += names.Ambiguous;
    }

    /// <summary>Writes the events of a file to another one in order of time.</summary>
    private void Merge(string from, string to, EtlWriteOptions header)
    {
        using var reader = EtlReader.Open(from, new EtlReadOptions { SessionRecords = true });
        using var writer = new EtlWriter(to, header);
        for (var count = 0L; reader.TryRead(out var item); count++)
        {
            if (count % ExportSource.EventsBetweenLooks == 0)
                _cancellation.ThrowIfCancellationRequested();

            // The new file has its own log file header.
            if (!item.IsKernel || item.Group != EtlKernelGroups.EventTrace)
                writer.Write(item);
        }

        if (reader.Statistics.LateEvents > 0)
            _source.Problems.Add(
                FormattableString.Invariant(
                    $"{Plural.Of(reader.Statistics.LateEvents, "event")} out of order: the recording's streams overlap too far for sorting"
                )
            );
    }
}
