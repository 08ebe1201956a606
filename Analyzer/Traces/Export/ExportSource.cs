using System.Globalization;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>A recording to be exported as one trace: the part shared by both exporters.</summary>
/// <param name="input">The recording.</param>
/// <param name="files">Names of its native and kernel code.</param>
internal sealed class ExportSource(TraceInput input, SymbolFiles files)
{
    /// <summary>How often an export checks for cancellation.</summary>
    public const int EventsBetweenLooks = 65_536;

    /// <summary>Name of an otherwise unknown process that readied a recorded thread.</summary>
    private const string UnknownName = "(name not recorded)";

    private readonly Dictionary<int, ProcessFacts> _processes = [];

    /// <summary>Kernel names in the trace; other traces get them from this machine.</summary>
    private readonly ManagedCodeMap _kernelCode = new();

    public TraceInput Input => input;

    public SymbolFiles Files => files;

    public ExportCounts Counts { get; } = new();

    /// <summary>Damaged or unreadable parts of the recording, a sentence each.</summary>
    public List<string> Problems { get; } = [.. input.Problems];

    /// <summary>Mappings of each process.</summary>
    public Dictionary<int, ProcessLayout> Layouts { get; } = [];

    /// <summary>Methods of each process.</summary>
    public Dictionary<int, ManagedCodeMap> Methods { get; } = [];

    public RecordedThreads Threads { get; } = new();

    /// <summary>The recording's description; null for files of other tools.</summary>
    public Recording? Recording { get; } = input.Recordings is [var only] ? only.Description : null;

    /// <summary>Path of perf.data; empty without one.</summary>
    public string PerfData { get; } =
        input.Processes.SelectMany(process => process.Sources).OfType<PerfDataSource>().FirstOrDefault()?.Name ?? "";

    /// <summary>The machine-wide trace of record-trace; null for others.</summary>
    public UniversalTrace? Machine { get; } =
        input.Processes.SelectMany(process => process.Sources).OfType<UniversalSource>().FirstOrDefault()?.Trace;

    /// <summary>Whether there are CPU samples or other events of the kernel.</summary>
    public bool HasKernelEvents => PerfData.Length > 0 || Machine is not null;

    /// <summary>Processes that occurred.</summary>
    public IReadOnlyCollection<ProcessFacts> Processes => _processes.Values;

    /// <summary>All sources of all processes.</summary>
    public IEnumerable<ITraceSource> Sources => input.Processes.SelectMany(process => process.Sources);

    /// <summary>Size of the recording's files.</summary>
    public long RecordedBytes => Sources.Select(source => source.Name).Distinct().Where(File.Exists).Sum(path => new FileInfo(path).Length);

    /// <summary>Accepts only one Linux recording, or one Linux trace of another tool.</summary>
    /// <param name="input">The input.</param>
    /// <param name="format">The format, as in "an .etl".</param>
    /// <exception cref="ExportException">It cannot be exported.</exception>
    public static void Check(TraceInput input, string format)
    {
        var sources = input.Processes.SelectMany(process => process.Sources).ToList();
        if (sources.Exists(source => source is EtwSource))
            throw new ExportException("it is already a Windows trace", input.Paths[0], "name a recording or trace made on Linux");
        if (
            sources.OfType<UniversalSource>().FirstOrDefault() is { } machine
            && !sources.TrueForAll(source => source is UniversalSource other && other.Trace == machine.Trace)
        )
            throw new ExportException(
                $"these are several traces, one of them of a whole machine, but {format} describes one machine at one time",
                string.Join(", ", input.Paths),
                "export each separately"
            );
        if (input.Processes.Any(process => process.Range is not null))
            throw new ExportException(
                $"{format} exports a whole recording, not a part of a trace",
                input.Paths[0],
                "name the trace without #from and #to"
            );
        if (input.Processes.Any(process => process.EventRuns is not null))
            throw new ExportException(
                $"{format} exports all events, so --runs has no effect",
                input.Paths[0],
                "leave out --runs, and give it to the command that reads the export"
            );
        if (input.Processes.Select(process => process.Label).Distinct().Skip(1).Any())
            throw new ExportException(
                $"these are several recordings, but {format} describes one machine at one time",
                string.Join(", ", input.Paths),
                "export each separately: name its folder"
            );
        if (sources.Count == 0)
            throw new ExportException(
                "there is nothing to export: the recording has no trace files, only a run CSV",
                input.Paths[0],
                "name a recording with .nettrace or perf.data files"
            );
        if (sources.Select(source => source.Clock.TicksPerSecond).Distinct().Skip(1).Any())
            throw new ExportException(
                "the files' clocks have different frequencies, so they were not recorded together",
                input.Paths[0],
                "export each separately"
            );
    }

    /// <summary>Rejects a folder, and an existing file unless it may be replaced.</summary>
    /// <exception cref="ExportException">The file cannot be written there.</exception>
    public static void CheckOutput(string path, bool overwrite)
    {
        if (Directory.Exists(path))
            throw new ExportException("a folder has this name", path, "name a file with -o");
        if (File.Exists(path) && !overwrite)
            throw new ExportException("the file exists", path, "name another file with -o, or replace it with --force");
    }

    /// <summary>Start of the trace on its clock and in UTC, and number of processors. Adds problems of perf.data's header.</summary>
    public (long Start, DateTime StartUtc, int Processors) ReadStart()
    {
        var clocks = Sources.Select(source => source.Clock).ToList();
        var start = clocks.Select(clock => clock.OriginTicks).Where(ticks => ticks > 0).DefaultIfEmpty().Min();
        var startUtc = Recording?.StartedUtc ?? DateTime.UnixEpoch;
        var processors = Recording?.Host.LogicalProcessors ?? 1;
        if (PerfData.Length > 0)
        {
            using var reader = PerfDataReader.Open(PerfData);
            Problems.AddRange(reader.Warnings.Select(warning => $"{PerfData}: {warning}"));
            processors = Math.Max(processors, reader.Features.ProcessorsOnline);
            if (reader.Features.Clock is { } clock)
                startUtc = DateTime.UnixEpoch.AddTicks((clock.WallClockNs + start - clock.ClockNs) / 100);
        }
        else if (Machine is { Layout.Header: var header })
        {
            (startUtc, processors) = (
                header.StartUtc,
                Math.Clamp(header.Processors ?? 0, Threads.LastProcessor + 1, EtlWriter.MaxProcessor + 1)
            );
        }
        else if (Sources.OfType<NetTraceSource>().FirstOrDefault() is { } session)
        {
            startUtc = session.StartUtc.AddTicks(
                (long)((start - session.Clock.OriginTicks) * (double)TimeSpan.TicksPerSecond / clocks[0].TicksPerSecond)
            );
        }

        return (start, startUtc, processors);
    }

    /// <summary>First pass over perf.data: finds the mappings of the recording's processes, and the threads.</summary>
    /// <returns>The kernel's code, if it was recorded.</returns>
    public KernelMapping? ReadLayouts(CancellationToken cancellation)
    {
        using var reader = PerfDataReader.Open(PerfData);
        var events = new PerfDataEvents(reader);
        var passes = input.Processes.ToDictionary(
            process => process.ProcessId,
            process =>
                (
                    Records: new LayoutRecords(process.ProcessId, reader.Features),
                    Hub: EventHub.Of(Layouts[process.ProcessId] = new ProcessLayout())
                )
        );
        for (var count = 0L; reader.TryRead(out var record); count++)
        {
            if (count % EventsBetweenLooks == 0)
                cancellation.ThrowIfCancellationRequested();
            Threads.Read(record);
            if (record.Type is not (PerfRecordType.Mmap or PerfRecordType.Mmap2 or PerfRecordType.Comm or PerfRecordType.Fork))
                continue;
            var process = events.ProcessOf(record);
            if (process == PerfDataEvents.AnyProcess)
            {
                foreach (var (records, hub) in passes.Values)
                    records.Read(record, hub);
            }
            else if (passes.TryGetValue(process, out var pass))
            {
                pass.Records.Read(record, pass.Hub);
            }
        }

        return Layouts.Values.Select(layout => layout.Kernel).FirstOrDefault(kernel => kernel is not null);
    }

    /// <summary>First pass over a machine-wide trace: finds mappings, names and threads. Does nothing for other traces.</summary>
    /// <returns>The kernel's code, if the trace has its address.</returns>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public KernelMapping? ReadMachine(CancellationToken cancellation)
    {
        if (Machine is null)
            return null;
        var passes = new Dictionary<int, UniversalPass>();
        var kernel = new KernelCodeNames(_kernelCode);
        foreach (var process in Machine.Processes)
        {
            var hub = EventHub.Of(Layouts[process.Id] = new ProcessLayout());
            hub.Add(Methods[process.Id] = new ManagedCodeMap());
            hub.Add(kernel);
            passes.Add(process.Id, new UniversalPass(Machine, process, hub));
        }

        using var reader = new NetTraceReader(Machine.Layout);
        for (var count = 0L; reader.TryRead(out var item); count++)
        {
            if (count % EventsBetweenLooks == 0)
                cancellation.ThrowIfCancellationRequested();
            Threads.Read(item, Machine);
            passes[item.ProcessId].OnEvent(item);
        }

        Threads.ThreadNames = reader.ThreadNames;
        return Layouts.Values.Select(layout => layout.Kernel).FirstOrDefault(mapping => mapping is not null);
    }

    /// <summary>Second pass over a machine-wide trace: writes its events.</summary>
    /// <param name="records">Writes the events.</param>
    /// <param name="kernel">Range of the kernel's code, from <see cref="ReadMachine"/>.</param>
    /// <param name="lost">Incremented by the number of lost events.</param>
    /// <param name="cancellation">Cancels the export.</param>
    /// <returns>The damage of the file; null when it is intact.</returns>
    /// <exception cref="IOException">The file cannot be read, or the export not be written.</exception>
    public TraceDamage? Write(UniversalRecords records, KernelMapping? kernel, ref long lost, CancellationToken cancellation)
    {
        records.Begin(kernel);
        using var reader = new NetTraceReader(Machine!.Layout);
        for (var count = 0L; reader.TryRead(out var item); count++)
        {
            if (count % EventsBetweenLooks == 0)
                cancellation.ThrowIfCancellationRequested();
            records.Write(item);
        }

        records.End();
        lost += reader.LostEvents;
        if (reader.Damage is { } damage)
            AddProblem(damage);
        return reader.Damage;
    }

    /// <summary>Whether the trace itself names the code at an address of a process.</summary>
    public bool IsNamed(int processId, ulong address) => Machine is not null && Methods[processId].TryFindName(address, out _, out _);

    /// <summary>Names the kernel's code.</summary>
    /// <param name="kernel">Its range; null when not recorded.</param>
    public CodeNames KernelNames(KernelMapping? kernel)
    {
        var layout = new ProcessLayout();
        if (kernel is { } mapped)
            EventHub.Of(layout).Publish(mapped);
        return new CodeNames(0, new SymbolResolver(0, _kernelCode, layout, files), layout);
    }

    /// <summary>What is known of a process.</summary>
    public ProcessFacts FactsOf(int processId)
    {
        if (_processes.TryGetValue(processId, out var facts))
            return facts;
        var traced = input.Processes.FirstOrDefault(process => process.ProcessId == processId);
        var recorded = Recording?.Processes.FirstOrDefault(process => process.ProcessId == processId);
        facts = new ProcessFacts(
            processId,
            traced?.Program ?? Threads.Names.GetValueOrDefault(processId, UnknownName),
            recorded?.CommandLine ?? "",
            recorded?.ExitCode ?? 0
        );
        if (Layouts.TryGetValue(processId, out var layout))
        {
            var resolver = new SymbolResolver(processId, Methods[processId], layout, files.Of(traced?.Label ?? ""));
            facts = facts with { Resolver = resolver, Names = new CodeNames(processId, resolver, layout) };
        }

        _processes.Add(processId, facts);
        return facts;
    }

    /// <summary>Records the damage of a .nettrace file.</summary>
    public void AddProblem(TraceDamage damage) =>
        Problems.Add(
            $"{damage.File}: damaged at offset {damage.Offset.ToString(CultureInfo.InvariantCulture)} ({damage.Reason}); data before the damage was exported"
        );

    /// <summary>Records what was unreadable in perf.data.</summary>
    public void AddProblems(PerfDataReader reader)
    {
        if (reader.Damage is { } damage)
            Problems.Add(
                $"{PerfData}: damaged at offset {damage.Offset.ToString(CultureInfo.InvariantCulture)} ({damage.Reason}); data before the damage was exported"
            );
        if (reader.UnknownSamples > 0)
            Problems.Add(
                $"{PerfData}: {reader.UnknownSamples.ToString(CultureInfo.InvariantCulture)} samples match no event of its header and were omitted"
            );
    }

    /// <summary>Forwards kernel names.</summary>
    private sealed class KernelCodeNames(ManagedCodeMap names) : IEventSubscriber
    {
        private readonly EventHub _names = EventHub.Of(names);

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe(
                (in ModuleLoaded module) =>
                {
                    if (module.Path == SymbolFiles.KernelModule)
                        _names.Publish(module);
                }
            );
            hub.Subscribe(
                (in CodeName code) =>
                {
                    if (code.Kind == CodeKind.Kernel)
                        _names.Publish(code);
                }
            );
        }
    }
}
