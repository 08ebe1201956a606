using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Tests.Export;

/// <summary>
/// Traces that record-trace and perf made, exported as .etl and .nettrace and read back, by our readers and by TraceEvent.
/// </summary>
public sealed class OtherToolExportTests : IDisposable
{
    private const string Machine = "others/record-trace.nettrace";
    private const string Perf = "others/perf-record.data";

    /// <summary>First of the threads that represent unrecorded ones.</summary>
    private const int NotRecorded = 5 << 20;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    public static TheoryData<string, string> Exports =>
        new()
        {
            { Machine, "etl" },
            { Machine, "nettrace" },
            { Perf, "etl" },
            { Perf, "nettrace" },
        };

    [Theory]
    [MemberData(nameof(Exports))]
    public void Our_reader_finds_the_same_samples_switches_and_methods(string file, string format)
    {
        var input = TraceInputReader.Open([TestFiles.Data(file)]);
        var exported = TraceInputReader.Open([Export(input, format)]);

        Assert.Equal(
            input.Processes.Select(process => (process.ProcessId, process.Program)),
            exported.Processes.Select(process => (process.ProcessId, process.Program))
        );
        foreach (var (before, after) in input.Processes.Zip(exported.Processes))
        {
            var (recorded, read) = (Listen(before), Listen(after));
            Assert.True(recorded.Samples.Count > 200);
            Assert.Equal(recorded.Samples, read.Samples);
            Assert.Equal(recorded.Methods, read.Methods);
            Assert.Contains(read.Methods, method => method.Contains("Mixture.Spin Optimized", StringComparison.Ordinal));
            Assert.Equal(file == Machine, recorded.Switches.Count > 50);
            Assert.Equal(recorded.Switches, read.Switches);
            Assert.Equal(recorded.Others, read.Others);
            Assert.Equal(WithSwitchInStacks(before.Kinds), after.Kinds);
        }
    }

    /// <summary>
    /// record-trace has one event for each time off the processors; a format that has both ends has two, and their times are the event's
    /// own.
    /// </summary>
    [Theory]
    [InlineData("etl")]
    [InlineData("nettrace")]
    public void TraceEvent_finds_the_samples_and_switches_of_every_process_of_the_machine(string format)
    {
        var (samples, away) = ReadMachine(TestFiles.Data(Machine));
        var path = Export(TraceInputReader.Open([TestFiles.Data(Machine)]), format);

        Assert.True(samples.Count > 1 && away.Count > 400);
        if (format == "nettrace")
        {
            var (exportedSamples, exportedAway) = ReadMachine(path);
            Assert.Equal(samples, exportedSamples);

            // The time of the export's event is that of the switch in; a thread's first switch in has the value 0.
            Assert.Empty(
                away.Select(item => (item.Thread, item.Time + item.Value, item.Value))
                    .Except(exportedAway.Select(item => (item.Thread, item.Time, item.Value)))
            );
            return;
        }

        var (counts, switchedOut, switchedIn) = (new SortedDictionary<int, int>(), new HashSet<(int, long)>(), new HashSet<(int, long)>());
        var owners = new Dictionary<int, int>();
        using var source = EtlTraceEventSource.Open(path);
        source.Kernel.ThreadStartGroup += data => owners[data.ThreadID] = data.ProcessID;
        source.Kernel.PerfInfoSample += data =>
            counts[owners.GetValueOrDefault(data.ThreadID)] = counts.GetValueOrDefault(owners.GetValueOrDefault(data.ThreadID)) + 1;
        source.Kernel.ThreadCSwitch += data =>
        {
            Assert.True(data.NewThreadID >= NotRecorded ^ data.OldThreadID >= NotRecorded);
            if (data.NewThreadID >= NotRecorded)
                switchedOut.Add((data.OldThreadID, Time(data)));
            else
                switchedIn.Add((data.NewThreadID, Time(data)));
        };
        source.Process();
        Assert.Equal(samples, counts);
        Assert.Empty(away.Select(item => (item.Thread, item.Time)).Except(switchedOut));
        Assert.Empty(away.Select(item => (item.Thread, item.Time + item.Value)).Except(switchedIn));
    }

    /// <summary>NetTrace 6 with the events of two runtimes: an export has all of them, with their processes.</summary>
    [Theory]
    [InlineData("etl")]
    [InlineData("nettrace")]
    public void Events_of_several_runtimes_in_one_file_stay_those_of_their_process(string format)
    {
        var files = TraceInputReader.Open([.. Directory.GetFiles(TestFiles.Recording, "*.nettrace"), TestFiles.Unmarked]);
        Assert.Equal(2, files.Processes.Count);
        var machine = Export(files, "nettrace", "machine");
        var input = TraceInputReader.Open([machine]);
        var exported = TraceInputReader.Open([Export(input, format)]);

        Assert.IsType<UniversalSource>(input.Processes[0].Sources[0]);
        Assert.Equal(files.Processes.Select(process => process.ProcessId), exported.Processes.Select(process => process.ProcessId));
        foreach (var (before, after) in files.Processes.Zip(exported.Processes))
        {
            var (recorded, read) = (Count(before), Count(after));
            Assert.True(recorded.Item5 > 0);
            Assert.Equal(recorded, read);
        }
    }

    [Fact]
    public void What_a_machine_trace_names_is_named_once_and_as_it_is_there()
    {
        var path = Export(TraceInputReader.Open([TestFiles.Data(Machine)]), "nettrace");
        var (recorded, exported) = (Symbols(TestFiles.Data(Machine)), Symbols(path));
        var added = exported.Except(recorded).ToList();
        Assert.Equal(recorded, exported.Where(symbol => !added.Contains(symbol)));
        Assert.DoesNotContain(
            added,
            symbol => recorded.Any(other => other.Process == symbol.Process && other.Start <= symbol.Start && symbol.Start <= other.End)
        );
    }

    /// <summary>An export may fail with a file error. It never crashes, and a written file is readable.</summary>
    [Theory]
    [InlineData(Machine)]
    [InlineData(Perf)]
    public void Damage_is_an_error_of_the_file_or_noted(string file)
    {
        var whole = File.ReadAllBytes(TestFiles.Data(file));
        var random = new Random(7);
        for (var round = 0; round < 60; round++)
        {
            var bytes = whole.ToArray();
            for (var flip = random.Next(1, 20); flip > 0; flip--)
                bytes[random.Next(round % 3 == 0 ? 3000 : bytes.Length)] ^= (byte)(1 << random.Next(8));
            if (round % 5 == 0)
                bytes = bytes[..random.Next(bytes.Length)];
            var path = _folder.Write("damaged" + Path.GetExtension(file), bytes);
            foreach (var format in (string[])["etl", "nettrace"])
            {
                try
                {
                    var input = TraceInputReader.Open([path]);
                    TraceInputReader.Open([Export(input, format)]);
                }
                catch (TraceFormatException exception)
                {
                    Assert.Equal(path, exception.TraceFile);
                }
                catch (ExportException exception)
                {
                    Assert.NotEmpty(exception.Message);
                }
            }
        }
    }

    /// <summary>An .etl has at most 2,048 processors and records of 64 KB; a damaged trace can have any values.</summary>
    [Theory]
    [InlineData(5_000, 10, 0)]
    [InlineData(1, 40_000, 2)]
    public void A_processor_or_a_name_that_an_etl_cannot_hold_ends_no_export(int processor, int nameLength, int switches)
    {
        var trace = new NetTrace6Bytes { Processor = processor }
            .EventType(1, "Universal.Events", 0, "cpu")
            .EventType(2, "Universal.Events", 0, "cswitch")
            .Thread(2, 84, 12, new string('n', nameLength))
            .Events(isCompressed: false, (2, 2, 2_000, 0, 1), (1, 2, 3_000, 0, 1), (2, 2, 4_000, 0, 1));
        var path = _folder.Write("made.nettrace", trace.ToArray());

        var exported = TraceInputReader.Open([Export(TraceInputReader.Open([path]), "etl")]);

        Assert.True(Listen(Assert.Single(exported.Processes)).Switches.Count >= switches);
    }

    [Fact]
    public void A_trace_that_was_cut_off_is_exported_up_to_there_and_the_result_says_so()
    {
        var bytes = File.ReadAllBytes(TestFiles.Data(Machine));
        var path = _folder.Write("cut.nettrace", bytes[..^4]);
        var recorded = Listen(Assert.Single(TraceInputReader.Open([path]).Processes));
        Assert.True(recorded.Samples.Count > 20);

        foreach (var format in (string[])["etl", "nettrace"])
        {
            var (exported, result) = (PathOf("cut", format), Run(TraceInputReader.Open([path]), format, PathOf("cut", format)));
            Assert.Contains(result.Problems, problem => problem.Contains("damaged at offset", StringComparison.Ordinal));
            Assert.Equal(recorded.Samples, Listen(Assert.Single(TraceInputReader.Open([exported]).Processes)).Samples);
        }
    }

    [Fact]
    public void Two_machines_are_not_written_into_one_file()
    {
        var copy = _folder.Write("copy.nettrace", File.ReadAllBytes(TestFiles.Data(Machine)));
        foreach (
            var paths in (string[][])
                [
                    [TestFiles.Data(Machine), copy],
                    [TestFiles.Data(Machine), TestFiles.Unmarked],
                ]
        )
        {
            var input = TraceInputReader.Open(paths);
            Assert.Contains("several traces", Assert.Throws<ExportException>(() => Export(input, "etl")).Message, StringComparison.Ordinal);
            Assert.Contains(
                "export each separately",
                Assert.Throws<ExportException>(() => Export(input, "nettrace")).Message,
                StringComparison.Ordinal
            );
        }
    }

    /// <summary>In both formats a stack comes with the switch in.</summary>
    private static EventKinds WithSwitchInStacks(EventKinds kinds) =>
        (kinds & EventKinds.SwitchOutStacks) == 0 ? kinds : (kinds & ~EventKinds.SwitchOutStacks) | EventKinds.SwitchInStacks;

    private string Export(TraceInput input, string format, string name = "x")
    {
        var path = PathOf(name, format);
        Run(input, format, path);
        return path;
    }

    private static TraceExportResult Run(TraceInput input, string format, string path)
    {
        var (options, files) = (new TraceExportOptions(path) { Overwrite = true }, new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero));
        return format == "etl"
            ? EtlExporter.Run(input, files, options, TestContext.Current.CancellationToken)
            : NetTraceExporter.Run(input, files, options, TestContext.Current.CancellationToken);
    }

    private string PathOf(string name, string format) => Path.Combine(_folder.Path, $"{name}.export.{format}");

    /// <summary>Samples by process, and each time off the processors, by TraceEvent.</summary>
    private static (SortedDictionary<int, int> Samples, HashSet<(int Thread, long Time, long Value)> Away) ReadMachine(string path)
    {
        var (samples, away) = (new SortedDictionary<int, int>(), new HashSet<(int, long, long)>());
        using var source = new EventPipeEventSource(path);
        var events = new UniversalEventsTraceEventParser(source);
        events.cpu += data => samples[data.ProcessID] = samples.GetValueOrDefault(data.ProcessID) + 1;
        events.cswitch += data =>
        {
            if (data.ThreadID > 0)
                away.Add((data.ThreadID, Time(data), (long)data.Value));
        };
        source.Process();
        return (samples, away);
    }

    private static List<(int Process, ulong Start, ulong End, string Name)> Symbols(string path)
    {
        var symbols = new List<(int, ulong, ulong, string)>();
        using var source = new EventPipeEventSource(path);
        new UniversalSystemTraceEventParser(source).ProcessSymbol += data =>
            symbols.Add((data.ProcessID, data.StartAddress, data.EndAddress, data.Name));
        source.Process();
        return symbols;
    }

    private static long Time(Microsoft.Diagnostics.Tracing.TraceEvent data)
    {
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        return data.TimeStampQPC;
#pragma warning restore CS0618
    }

    private static (int, int, int, int, int, int, int, int) Count(TracedProcess process)
    {
        var counter = new EventCounter();
        process.Read(counter);
        return (
            counter.Marks,
            counter.Waits,
            counter.Suspends,
            counter.Restarts,
            counter.Gcs,
            counter.JitStarts,
            counter.JittedLoads,
            counter.Exceptions
        );
    }

    private static Listener Listen(TracedProcess process)
    {
        var (methods, layout) = (new ManagedCodeMap(), new ProcessLayout());
        process.Read(methods);
        process.Read(layout);
        var listener = new Listener(
            new SymbolResolver(process.ProcessId, methods, layout, new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero))
        );
        process.Read(listener);
        listener.Sort();
        return listener;
    }

    private sealed class Listener(SymbolResolver resolver) : IEventSubscriber
    {
        public List<(long Time, int Thread, int Frames)> Samples { get; } = [];

        /// <summary>Names on the stack of each sample, with the tier of methods.</summary>
        public List<string> Methods { get; } = [];

        public List<(long Time, long Thread, string How)> Switches { get; } = [];

        public List<(long Time, long Process)> Others { get; } = [];

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe(
                (in CpuSample item) =>
                {
                    var names = new List<string>();
                    for (var i = 0; i < item.Frames.Length; i++)
                    {
                        var symbol = resolver.Symbols[resolver.Resolve(item.CodeAddress(i), item.At.Time, i < item.KernelFrames)];
                        names.Add(FormattableString.Invariant($"{symbol.Name} {symbol.Tier}"));
                    }

                    Samples.Add((item.At.Time, (int)item.At.ThreadId, item.Frames.Length));
                    Methods.Add(string.Join(';', names));
                }
            );
            hub.Subscribe((in SwitchedIn item) => Switches.Add((item.At.Time, item.At.ThreadId, "in")));
            hub.Subscribe((in SwitchedOut item) => Switches.Add((item.At.Time, item.At.ThreadId, item.IsPreempted ? "preempted" : "out")));
            hub.Subscribe((in OtherProcessSample item) => Others.Add((item.At.Time, item.At.ProcessId)));
        }

        /// <summary>Events of two processors may have one time.</summary>
        public void Sort()
        {
            Switches.Sort();
            Others.Sort();
        }
    }
}
