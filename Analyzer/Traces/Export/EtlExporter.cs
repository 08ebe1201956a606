using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes a recording of Linux as one .etl, as merging the sessions of Windows does: the events of each session one behind the other into a temporary file, whose buffers are then read in order of
/// time and written to the file. Memory grows with processes, methods (their places) and distinct addresses of stacks, not with events.
/// </summary>
/// <remarks>Times are ticks of 1 ns of CLOCK_MONOTONIC, the performance counter's frequency is 1 GHz: they stay as they were recorded. What becomes what: docs/etl-export.md.</remarks>
public sealed class EtlExporter
{
    /// <summary>Bytes of a buffer: a record of 64 KB has to fit.</summary>
    private const int BufferBytes = 128 << 10;

    /// <summary>How often the export looks whether it is to end.</summary>
    private const int EventsBetweenLooks = 65_536;

    /// <summary>Image of a process that has made a recorded thread ready, of which nothing else is known.</summary>
    private const string UnknownName = "(name not recorded)";

    private readonly TraceInput _input;
    private readonly SymbolFiles _files;
    private readonly EtlExportOptions _options;
    private readonly CancellationToken _cancellation;
    private readonly ExportCounts _counts = new();
    private readonly List<string> _problems;
    private readonly Dictionary<int, ProcessFacts> _processes = [];
    private readonly Dictionary<int, ProcessLayout> _layouts = [];
    private readonly Dictionary<int, ManagedCodeMap> _methods = [];
    private readonly RecordedThreads _threads = new();
    private readonly Recording? _recording;
    private readonly string _perfData;

    /// <summary>Damaged .nettrace files, and the time of the last event that could be read.</summary>
    private readonly Dictionary<ITraceSource, long> _damaged = [];
    private bool _isPerfDataDamaged;
    private long _lost;

    private EtlExporter(TraceInput input, SymbolFiles files, EtlExportOptions options, CancellationToken cancellation)
    {
        (_input, _files, _options, _cancellation) = (input, files, options, cancellation);
        _problems = [.. input.Problems];
        _recording = input.Recordings is [var only] ? only.Description : null;
        _perfData = input.Processes.SelectMany(process => process.Sources).OfType<PerfDataSource>().FirstOrDefault()?.Name ?? "";
    }

    /// <summary>Writes the file. It is there when all went well, and not otherwise.</summary>
    /// <param name="input">The recording.</param>
    /// <param name="files">Names of its native and kernel code.</param>
    /// <param name="options">Where and how.</param>
    /// <param name="cancellation">Ends it early; nothing is left behind.</param>
    /// <exception cref="ExportException">It is no recording of Linux, or there are several, or the file exists.</exception>
    /// <exception cref="IOException">A file cannot be read, or the disk is full.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be written.</exception>
    /// <exception cref="OperationCanceledException">It was ended early.</exception>
    public static EtlExportResult Run(TraceInput input, SymbolFiles files, EtlExportOptions options, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(options);
        Check(input, options);
        return new EtlExporter(input, files, options, cancellation).Run();
    }

    private static void Check(TraceInput input, EtlExportOptions options)
    {
        var sources = input.Processes.SelectMany(process => process.Sources).ToList();
        if (sources.Exists(source => source is EtwSource))
            throw new ExportException("it is a Windows trace already", input.Paths[0], "name a recording that esp-record made on Linux");
        if (sources.Exists(source => source is UniversalSource))
            throw new ExportException("it is a trace of a whole machine (NetTrace 6), which is not written as .etl yet", input.Paths[0], "open it in PerfView as it is, or export it to speedscope, firefox, chromium or pprof");
        if (input.Processes.Any(process => process.Range is not null))
            throw new ExportException("a part of a trace is not written as .etl", input.Paths[0], "name the trace without #from and #to");
        if (input.Processes.Select(process => process.Label).Distinct().Skip(1).Any())
            throw new ExportException("these are several recordings, and an .etl is of one machine at one time", string.Join(", ", input.Paths), "export each by itself: name its folder");
        if (sources.Count == 0)
            throw new ExportException("it holds no trace files, only a run CSV: there is nothing to export", input.Paths[0], "name a recording with .nettrace or perf.data files");
        if (sources.Select(source => source.Clock.TicksPerSecond).Distinct().Skip(1).Any())
            throw new ExportException("its files have clocks of different frequencies: they were not recorded together", input.Paths[0], "export each by itself");
        if (Directory.Exists(options.Path))
            throw new ExportException("there is a folder of that name", options.Path, "name a file with -o");
        if (File.Exists(options.Path) && !options.Overwrite)
            throw new ExportException("the file exists", options.Path, "name another file with -o, or replace it with --force");
    }

    private EtlExportResult Run()
    {
        var watch = Stopwatch.StartNew();
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(_options.Path))!);
        var events = FormattableString.Invariant($"{_options.Path}.{Environment.ProcessId}.events");
        var merged = FormattableString.Invariant($"{_options.Path}.{Environment.ProcessId}.tmp");
        try
        {
            var header = Header();
            using (var writer = new EtlWriter(events, header))
                WriteSessions(writer, header.StartTicks);
            Merge(events, merged, header with { EventsLost = Math.Min(_lost, int.MaxValue), Compress = _options.Compress });
            File.Move(merged, _options.Path, _options.Overwrite);
        }
        finally
        {
            File.Delete(events);
            File.Delete(merged);
        }

        var recorded = _input.Processes.SelectMany(process => process.Sources).Select(source => source.Name).Distinct().Where(File.Exists).Sum(path => new FileInfo(path).Length);
        return new EtlExportResult(_options.Path, new FileInfo(_options.Path).Length, recorded, watch.Elapsed, _counts.ByKind, _lost, ExportLimits.Of(_counts, _input, _threads, _perfData.Length > 0), _problems);
    }

    private EtlWriteOptions Header()
    {
        var clocks = _input.Processes.SelectMany(process => process.Sources).Select(source => source.Clock).ToList();
        var start = clocks.Select(clock => clock.OriginTicks).Where(ticks => ticks > 0).DefaultIfEmpty().Min();
        var frequency = clocks[0].TicksPerSecond;
        var startUtc = _recording?.StartedUtc ?? DateTime.UnixEpoch;
        var session = _input.Processes.SelectMany(process => process.Sources).OfType<NetTraceSource>().FirstOrDefault();
        var host = _recording?.Host;
        var processors = host?.LogicalProcessors ?? 1;
        if (_perfData.Length > 0)
        {
            using var reader = PerfDataReader.Open(_perfData);
            _problems.AddRange(reader.Warnings.Select(warning => $"{_perfData}: {warning}"));
            processors = Math.Max(processors, reader.Features.ProcessorsOnline);
            if (reader.Features.Clock is { } clock)
                startUtc = DateTime.UnixEpoch.AddTicks((clock.WallClockNs + start - clock.ClockNs) / 100);
        }
        else if (session is not null)
        {
            startUtc = session.StartUtc.AddTicks((long)((start - session.Clock.OriginTicks) * (double)TimeSpan.TicksPerSecond / frequency));
        }

        return new EtlWriteOptions
        {
            BufferSize = BufferBytes,
            Processors = processors,
            Clock = EtlClock.PerformanceCounter,
            PerformanceFrequency = frequency,
            StartTicks = start,
            StartTimeUtc = startUtc,
            CpuMegahertz = (int)(host?.CpuMegahertz ?? 0),
            OSVersion = new Version(10, 0, 0), // the layouts' version: that of the system stands in the session's name
            SessionName = ExportedProcess.Cut($"Linux: {host?.OperatingSystem ?? "unknown system"}"),
            LogFileName = _options.Source,
        };
    }

    private void WriteSessions(EtlWriter writer, long start)
    {
        if (_input.Processes.FirstOrDefault(process => (process.Kinds & EventKinds.RunMarks) != 0) is { } marked)
            RunsManifest.Write(writer, start, marked.ProcessId);
        var runtime = new RuntimeEvents(writer, _counts, _recording?.Host.LogicalProcessors ?? 1, start);
        foreach (var process in _input.Processes)
            WriteRuntimeEvents(runtime, process);
        var end = Math.Max(WriteKernelEvents(writer, start), runtime.LastTime);
        foreach (var process in _processes.Values)
            WriteNames(writer, process.Names, end);
        foreach (var map in _input.Processes.SelectMany(process => process.Sources).OfType<PerfMapSource>())
        {
            var methods = new MethodRundown(writer, map.ProcessId, end);
            map.Read(methods);
            _counts.NamedRanges += methods.Methods;
        }

        // They stand at the begin of the trace. What is damaged is known by now.
        writer.Flush();
        foreach (var process in _input.Processes)
            Exported(process).Write(writer, start);
    }

    private ExportedProcess Exported(TracedProcess process)
    {
        var kinds = process.Kinds & ~(EventKinds.SwitchOutStacks | EventKinds.ThreadClocks);
        if ((process.Details & EventDetails.ManagedSamples) != 0)
            kinds &= ~EventKinds.CpuSamples;
        if ((process.Kinds & EventKinds.SwitchOutStacks) != 0)
            kinds |= EventKinds.SwitchInStacks;
        return new ExportedProcess(process.ProcessId, process.Program, process.Runtime, kinds, process.Details, process.HeldMs, _options.Source, _recording?.Host.OperatingSystem ?? "")
        {
            Ends = [.. Ends(process)],
            Kept = process.Kept,
            Span = process.Span,
        };
    }

    /// <summary>Up to when there are events of damaged files, of the kinds that reports read from them.</summary>
    private IEnumerable<(EventKinds Kinds, long Until)> Ends(TracedProcess process)
    {
        foreach (var (source, share) in process.Shares(EventKinds.All))
        {
            if (source is PerfDataSource && _isPerfDataDamaged)
                yield return ((share & EventKinds.SwitchOutStacks) != 0 ? share | EventKinds.SwitchInStacks : share, FactsOf(process.ProcessId).LastTime);
            else if (_damaged.TryGetValue(source, out var until))
                yield return (share, until);
        }
    }

    private void WriteRuntimeEvents(RuntimeEvents runtime, TracedProcess process)
    {
        runtime.BeginProcess(process.ProcessId);
        var methods = _methods[process.ProcessId] = new ManagedCodeMap();
        foreach (var source in process.Sources)
        {
            _cancellation.ThrowIfCancellationRequested();
            if (source is not NetTraceSource session)
            {
                if (source is PerfMapSource map)
                    map.Read(methods);
                continue;
            }

            var result = runtime.Write(session, methods);
            _lost += result.LostEvents;
            if (result.Damage is not { } damage)
                continue;
            _damaged.Add(source, result.LastTime);
            _problems.Add($"{damage.File}: damaged at offset {damage.Offset.ToString(CultureInfo.InvariantCulture)} ({damage.Reason}); what lies before it was exported");
        }
    }

    /// <summary>Writes the events of perf.data in two passes.</summary>
    /// <returns>Time of the last one.</returns>
    private long WriteKernelEvents(EtlWriter writer, long start)
    {
        if (_perfData.Length == 0)
            return start;
        var kernel = ReadLayouts();
        var kernelLayout = new ProcessLayout();
        if (kernel is { } mapped)
            EventHub.Of(kernelLayout).Publish(mapped);
        var kernelNames = new CodeNames(0, new SymbolResolver(0, new ManagedCodeMap(), kernelLayout, _files), kernelLayout);
        using var reader = PerfDataReader.Open(_perfData);
        var events = new KernelEvents(writer);
        events.Volume(start);
        events.Machine(start, (int)(_recording?.Host.CpuMegahertz ?? 0), Math.Max(reader.Features.ProcessorsOnline, 1), reader.Features.MemoryBytes, reader.Features.HostName);
        var records = new KernelRecords(events, _counts, _threads, FactsOf, _ => kernelNames, start);
        records.Begin(reader, kernel);
        for (var count = 0L; reader.TryRead(out var record); count++)
        {
            if (count % EventsBetweenLooks == 0)
                _cancellation.ThrowIfCancellationRequested();
            _lost += record.LostCount;
            records.Write(record);
        }

        records.End();
        writer.Flush();
        _isPerfDataDamaged = reader.Damage is not null;
        if (reader.Damage is { } damage)
            _problems.Add($"{_perfData}: damaged at offset {damage.Offset.ToString(CultureInfo.InvariantCulture)} ({damage.Reason}); what lies before it was exported");
        if (reader.UnknownSamples > 0)
            _problems.Add($"{_perfData}: {reader.UnknownSamples.ToString(CultureInfo.InvariantCulture)} samples belong to no event of its header and were left out");
        WriteNames(writer, kernelNames, records.LastTime);
        return records.LastTime;
    }

    /// <summary>First pass over perf.data: what lies where in the processes that the recording names, and which threads there are.</summary>
    private KernelMapping? ReadLayouts()
    {
        using var reader = PerfDataReader.Open(_perfData);
        var records = _input.Processes.ToDictionary(process => process.ProcessId, process => new LayoutRecords(process.ProcessId, reader.Features));
        var hubs = new Dictionary<int, EventHub>();
        foreach (var process in _input.Processes)
            hubs[process.ProcessId] = EventHub.Of(_layouts[process.ProcessId] = new ProcessLayout());
        while (reader.TryRead(out var record))
        {
            _threads.Read(record);
            if (record.Type is not (PerfRecordType.Mmap or PerfRecordType.Mmap2 or PerfRecordType.Comm or PerfRecordType.Fork))
                continue;
            foreach (var (process, layout) in records)
                layout.Read(record, hubs[process]);
        }

        return _layouts.Values.Select(layout => layout.Kernel).FirstOrDefault(kernel => kernel is not null);
    }

    private void WriteNames(EtlWriter writer, CodeNames? names, long time)
    {
        if (names is null)
            return;
        _counts.NamedRanges += names.Write(writer, time);
        _counts.AmbiguousAddresses += names.Ambiguous;
    }

    private ProcessFacts FactsOf(int processId)
    {
        if (_processes.TryGetValue(processId, out var facts))
            return facts;
        var traced = _input.Processes.FirstOrDefault(process => process.ProcessId == processId);
        var recorded = _recording?.Processes.FirstOrDefault(process => process.ProcessId == processId);
        facts = new ProcessFacts(processId, traced?.Program ?? _threads.Names.GetValueOrDefault(processId, UnknownName), recorded?.CommandLine ?? "", recorded?.ExitCode ?? 0);
        if (traced is not null)
        {
            var layout = _layouts[processId];
            var resolver = new SymbolResolver(processId, _methods[processId], layout, _files.Of(traced.Label));
            facts = facts with { Resolver = resolver, Names = new CodeNames(processId, resolver, layout) };
        }

        _processes.Add(processId, facts);
        return facts;
    }

    /// <summary>Writes the events of a file in order of time to another one.</summary>
    private void Merge(string from, string to, EtlWriteOptions header)
    {
        using var reader = EtlReader.Open(from, new EtlReadOptions { SessionRecords = true });
        using var writer = new EtlWriter(to, header);
        for (var count = 0L; reader.TryRead(out var item); count++)
        {
            if (count % EventsBetweenLooks == 0)
                _cancellation.ThrowIfCancellationRequested();

            // The new file has a log file header of its own.
            if (!item.IsKernel || item.Group != EtlKernelGroups.EventTrace)
                writer.Write(item);
        }

        if (reader.Statistics.LateEvents > 0)
            _problems.Add(FormattableString.Invariant($"{Plural.Of(reader.Statistics.LateEvents, "event")} out of order: the recording's streams overlap too far"));
    }
}
