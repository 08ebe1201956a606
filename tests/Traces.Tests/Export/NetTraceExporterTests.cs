using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.Symbols;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Tests.Export;

/// <summary>Exports as .nettrace, read back by our reader and by TraceEvent.</summary>
public sealed class NetTraceExporterTests : IDisposable
{
    private static readonly string s_perfData = TestFiles.Data("others/perf-record.data");

    private readonly TempFolder _folder = new();

    private string Exported => Path.Combine(_folder.Path, "x.nettrace");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Our_reader_finds_every_event_of_the_runtime_again()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        Export(input);

        var (before, after) = (new EventCounter(), new EventCounter());
        input.Processes[0].Read(before);
        var process = Assert.Single(TraceInputReader.Open([Exported]).Processes);
        process.Read(after);
        Assert.Equal(input.Processes[0].ProcessId, process.ProcessId);
        Assert.True(before is { Marks: > 50, Gcs: > 0, JitStarts: > 100, Exceptions: > 0, Waits: > 0 });
        Assert.Equal(
            (
                before.Marks,
                before.Waits,
                before.Suspends,
                before.Restarts,
                before.Gcs,
                before.JitStarts,
                before.JittedLoads,
                before.Exceptions,
                before.Ticks
            ),
            (
                after.Marks,
                after.Waits,
                after.Suspends,
                after.Restarts,
                after.Gcs,
                after.JitStarts,
                after.JittedLoads,
                after.Exceptions,
                after.Ticks
            )
        );
    }

    [Fact]
    public void TraceEvent_finds_the_same_runtime_events_with_times_threads_and_payloads()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);
        var result = Export(input);

        // The session clr is the first one: none of its events is repeated.
        var recorded = Read(((NetTraceSource)input.Processes[0].Sources[0]).Name, input.Processes[0].ProcessId);
        var all = Read(Exported, input.Processes[0].ProcessId);
        Assert.NotEmpty(recorded);
        Assert.Empty(recorded.Except(all));
        Assert.Equal(
            result.Events.Single(pair => pair.Kind.StartsWith("events of the runtime", StringComparison.Ordinal)).Count,
            all.Count
        );
    }

    [Fact]
    public void Marks_keep_the_names_of_their_fields()
    {
        Export(TraceInputReader.Open([TestFiles.Recording]));

        var marks = new List<string>();
        using var source = new EventPipeEventSource(Exported);
        source.Dynamic.All += data =>
        {
            if (data.ProviderName == "EtwSerializerProfiler-Runs")
                marks.Add($"{data.EventName} {string.Join(",", data.PayloadNames)}");
        };
        source.Process();

        var before = new List<string>();
        foreach (var file in Directory.GetFiles(TestFiles.Recording, "*.nettrace"))
        {
            using var original = new EventPipeEventSource(file);
            original.Dynamic.All += data =>
            {
                if (data.ProviderName == "EtwSerializerProfiler-Runs")
                    before.Add($"{data.EventName} {string.Join(",", data.PayloadNames)}");
            };
            original.Process();
        }

        Assert.NotEmpty(marks);
        Assert.Contains(marks, mark => mark.Contains(',', StringComparison.Ordinal));
        Assert.Equal(before.Distinct().Order(), marks.Distinct().Order());
    }

    [Fact]
    public void Our_reader_finds_the_samples_of_perf_with_times_threads_and_names()
    {
        var input = TraceInputReader.Open([s_perfData]);
        Export(input);

        var before = Samples(Assert.Single(input.Processes));
        var after = Samples(Assert.Single(TraceInputReader.Open([Exported]).Processes));
        Assert.True(before.Count > 100);
        Assert.Equal(before.Select(item => (item.Time, item.Thread)), after.Select(item => (item.Time, item.Thread)));
        Assert.Equal(before.Select(item => item.Methods), after.Select(item => item.Methods));
        Assert.Contains(after, item => item.Methods.Contains("Spin", StringComparison.Ordinal));
    }

    [Fact]
    public void TraceEvent_finds_the_samples_of_perf_and_TraceLog_their_methods()
    {
        var input = TraceInputReader.Open([s_perfData]);
        var result = Export(input);
        var ours = Samples(input.Processes[0]);

        var (samples, symbols, mappings) = (new List<(long, int)>(), 0L, 0L);
        using (var source = new EventPipeEventSource(Exported))
        {
            var (system, events) = (new UniversalSystemTraceEventParser(source), new UniversalEventsTraceEventParser(source));
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
            events.cpu += data => samples.Add((data.TimeStampQPC, data.ThreadID));
#pragma warning restore CS0618
            system.ProcessSymbol += _ => symbols++;
            system.ProcessMapping += _ => mappings++;
            source.Process();
            Assert.Equal(0, source.EventsLost);
        }

        Assert.Equal(
            ours.Select(item => (item.Time, item.Thread)),
            samples.Where(item => ours.Any(sample => sample.Time == item.Item1 && sample.Thread == item.Item2))
        );
        Assert.Equal(Count(result, "CPU samples"), samples.Count);
        Assert.Equal(Count(result, "names of native and kernel code"), symbols);
        Assert.True(mappings > 0);

        var etlx = TraceLog.CreateFromEventPipeDataFile(Exported, Path.Combine(_folder.Path, "x.etlx"));
        using var log = new TraceLog(etlx);
        var names = new List<string>();
        foreach (
            var data in log.Events.Where(item =>
                item.ProviderName == "Universal.Events" && item.EventName == "cpu" && item.ProcessID == input.Processes[0].ProcessId
            )
        )
        {
            Assert.NotNull(data.CallStack());
            names.Add(data.CallStack().CodeAddress.FullMethodName);
        }

        Assert.Equal(ours.Count, names.Count);
        Assert.True(ours.Count(item => item.Leaf.Length > 0) > 60);
        foreach (var (sample, name) in ours.Zip(names).Where(pair => pair.First.Leaf.Length > 0))
            Assert.Contains(sample.Leaf, name.Replace("::", ".", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    /// <summary>
    /// The walk of a copied stack knows whether it reached the thread's start; its last frame alone does not always show it.
    /// </summary>
    [Fact]
    public void The_ends_of_stacks_are_those_of_the_recording_also_in_an_export_of_the_export()
    {
        var pairs = new Dictionary<string, string>
        {
            [NetTraceHeader.RecordedKindsKey] = NetTraceHeader.TextOf([(7, EventKinds.CpuSamples | EventKinds.OtherProcesses)]),
        };
        using (var writer = new NetTraceEventWriter(Exported, DateTime.UnixEpoch, 0, 1_000_000_000, pairs))
        {
            var events = new UniversalEvents(writer, new ExportCounts());
            events.Process(1, KernelEvents.Listed, new ProcessFacts(7, "program", "", 0), 0, 0);
            foreach (var (time, end) in new[] { (10, (ushort)0), (11, KernelPayload.StackIsCut), (12, KernelPayload.StackIsWhole) })
                events.Sample(time, 0, 7, 8, 0x1000, end, [0x1000, 0x2000]);
            writer.End(0);
        }

        var input = TraceInputReader.Open([Exported]);
        (long, bool?)[] ends = [(10, null), (11, true), (12, false)];
        Assert.Equal(ends, EndsIn(input));
        var again = Path.Combine(_folder.Path, "again.nettrace");
        NetTraceExporter.Run(input, NoSymbols(), new TraceExportOptions(again), TestContext.Current.CancellationToken);
        Assert.Equal(ends, EndsIn(TraceInputReader.Open([again])));
        var etl = Path.Combine(_folder.Path, "again.etl");
        EtlExporter.Run(input, NoSymbols(), new TraceExportOptions(etl), TestContext.Current.CancellationToken);
        Assert.Equal(ends.Select(end => end.Item2), EndsIn(TraceInputReader.Open([etl])).Select(end => end.Item2));

        static List<(long, bool?)> EndsIn(TraceInput input)
        {
            var ends = new StackEnds();
            Assert.Single(input.Processes).Read(ends);
            return ends.Seen;
        }
    }

    [Fact]
    public void What_cannot_be_exported_is_refused_with_advice()
    {
        var windows = Path.Combine(_folder.Path, "windows.etl");
        using (var trace = new SyntheticEtl(windows))
        {
            trace.Process(10, "App.exe");
            trace.Gc(1000, 10, 11, 1, 0, 50);
        }

        var other = Path.Combine(_folder.Path, "copy");
        Directory.CreateDirectory(other);
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, Path.Combine(other, Path.GetFileName(file)));
        Refused("is already a Windows trace", windows);
        Refused("several recordings", TestFiles.Recording, other);
        Refused("name the trace without #from and #to", TestFiles.Recording + "#to=1");
        Refused("only a run CSV", Path.Combine(TestFiles.Recording, "runs.csv"));
        File.WriteAllText(Exported, "mine");
        Refused("--force", TestFiles.Recording);
        Assert.Equal("mine", File.ReadAllText(Exported));
    }

    [Fact]
    public void What_ends_early_leaves_nothing_behind()
    {
        using var ended = new CancellationTokenSource();
        ended.Cancel();
        Assert.Throws<OperationCanceledException>(() =>
            NetTraceExporter.Run(TraceInputReader.Open([TestFiles.Recording]), NoSymbols(), new TraceExportOptions(Exported), ended.Token)
        );
        Assert.Empty(Directory.GetFiles(_folder.Path));
    }

    private void Refused(string text, params string[] paths) =>
        Assert.Contains(text, Assert.Throws<ExportException>(() => Export(TraceInputReader.Open(paths))).Message, StringComparison.Ordinal);

    private TraceExportResult Export(TraceInput input) =>
        NetTraceExporter.Run(input, NoSymbols(), new TraceExportOptions(Exported), TestContext.Current.CancellationToken);

    private static long Count(TraceExportResult result, string kind) => result.Events.Single(pair => pair.Kind == kind).Count;

    private static SymbolFiles NoSymbols() => new("", DateTime.MinValue, TimeSpan.Zero);

    /// <summary>The events of the runtime and of event sources in a file.</summary>
    private static List<(long Time, int Thread, string Provider, int Id, int Version, string Payload)> Read(string path, int process)
    {
        var events = new List<(long, int, string, int, int, string)>();
        using var source = new EventPipeEventSource(path);
        source.AllEvents += data =>
        {
            if (
                data.ProcessID == process
                && data.ProviderGuid != UniversalSystemTraceEventParser.ProviderGuid
                && data.ProviderGuid != UniversalEventsTraceEventParser.ProviderGuid
            )
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
                events.Add(
                    (data.TimeStampQPC, data.ThreadID, data.ProviderName, (int)data.ID, data.Version, Convert.ToHexString(data.EventData()))
                );
#pragma warning restore CS0618
        };
        source.Process();
        return events;
    }

    private static List<(long Time, int Thread, string Methods, string Leaf)> Samples(TracedProcess process)
    {
        var (methods, layout) = (new ManagedCodeMap(), new ProcessLayout());
        process.Read(methods);
        process.Read(layout);
        var samples = new Stacks(new SymbolResolver(process.ProcessId, methods, layout, NoSymbols()));
        process.Read(samples);
        return samples.Seen;
    }

    private sealed class Stacks(SymbolResolver resolver) : IEventSubscriber
    {
        public List<(long Time, int Thread, string Methods, string Leaf)> Seen { get; } = [];

        public void Subscribe(EventHub hub) =>
            hub.Subscribe(
                (in CpuSample item) =>
                {
                    var (names, leaf) = (new List<string>(), "");
                    for (var i = 0; i < item.Frames.Length; i++)
                    {
                        var symbol = resolver.Symbols[resolver.Resolve(item.CodeAddress(i), item.At.Time, i < item.KernelFrames)];
                        if (symbol.MethodId != 0)
                            names.Add(symbol.Name);
                        if (symbol.MethodId != 0 && i == 0)
                            leaf = symbol.Name;
                    }

                    Seen.Add((item.At.Time, (int)item.At.ThreadId, string.Join(';', names), leaf));
                }
            );
    }

    private sealed class StackEnds : IEventSubscriber
    {
        public List<(long Time, bool? IsCut)> Seen { get; } = [];

        public void Subscribe(EventHub hub) => hub.Subscribe((in CpuSample sample) => Seen.Add((sample.At.Time, sample.IsCut)));
    }
}
