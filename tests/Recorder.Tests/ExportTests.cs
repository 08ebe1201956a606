using System.Globalization;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Packing;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers.Kernel;
using ThreadState = System.Diagnostics.ThreadState;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// A real recording as an .etl: esp-analyze reports the same for both, and TraceEvent, which does not know recordings, finds the same
/// events in it.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ExportTests(ExportedRecording recording, ITestOutputHelper output) : IClassFixture<ExportedRecording>
{
    /// <summary>Event of the runtime that represents several (GCDynamicEvent), to which TraceEvent's parser assigns ids.</summary>
    private const int DynamicEvent = 39;
    private const int FirstOwnId = 65_500;

    /// <summary>Process of the threads that were not recorded.</summary>
    private const int NotRecorded = 5 << 20;

    /// <summary>Every report, all of its rows and columns.</summary>
    public static TheoryData<string> Reports =>
        [
            "table",
            "runs",
            "cpu",
            "cpu --by module",
            "cpu --by thread",
            "cpu --tree",
            "causes",
            "causes --by-run",
            "gc",
            "alloc",
            "alloc --by method",
            "exceptions",
            "locks",
            "jit",
            "waits",
        ];

    [Theory]
    [MemberData(nameof(Reports))]
    public async Task A_report_of_the_export_is_that_of_the_recording(string command)
    {
        Assert.SkipUnless(recording.Problem is null, recording.Problem ?? "");
        var words = command.Split(' ');
        var ofRecording = await Tool.AnalyzeAsync([words[0], recording.Folder, .. words[1..], "--format", "csv"]);
        var ofExport = await Tool.AnalyzeAsync([words[0], recording.Etl, .. words[1..], "--format", "csv"]);

        Assert.True(ofRecording.ExitCode == 0, ofRecording.Error);
        Assert.Equal(0, ofExport.ExitCode);
        Assert.True(ofRecording.Output.Count(character => character == '\n') > 1, "the report has no rows");

        // Starts of GCs count from the start of their session, and an .etl has one start for all.
        var (expected, begins) = words[0] == "gc" ? WithoutBegins(ofRecording.Output) : (ofRecording.Output, []);
        var (actual, exported) = words[0] == "gc" ? WithoutBegins(ofExport.Output) : (ofExport.Output, []);
        Assert.Equal(expected, actual);
        Assert.Equal(begins.Count, exported.Count);
        Assert.All(begins.Zip(exported), pair => Assert.Equal(exported[0] - begins[0], pair.Second - pair.First, 3));
    }

    [Theory]
    [InlineData("table")]
    [InlineData("runs")]
    [InlineData("cpu")]
    [InlineData("cpu --by module")]
    [InlineData("cpu --tree")]
    [InlineData("causes")]
    [InlineData("gc")]
    [InlineData("alloc")]
    [InlineData("exceptions")]
    [InlineData("locks")]
    [InlineData("jit")]
    [InlineData("waits")]
    public async Task A_report_of_the_export_as_nettrace_has_the_numbers_of_the_recording(string command)
    {
        Assert.SkipUnless(recording.Problem is null, recording.Problem ?? "");
        var words = command.Split(' ');
        var (ofRecording, ofExport) = (await RowsAsync(recording.Folder), await RowsAsync(recording.NetTrace));

        Assert.NotEmpty(ofRecording);
        Assert.Equal(ofRecording.Count, ofExport.Count);
        Assert.All(ofRecording.Zip(ofExport), rows => Assert.Equal(rows.First, rows.Second));

        async Task<List<Dictionary<string, string>>> RowsAsync(string path)
        {
            var read = await Tool.AnalyzeAsync([words[0], path, .. words[1..], "--format", "csv"]);
            Assert.True(read.ExitCode == 0, read.Error);
            var lines = read
                .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => line.TrimEnd('\r').Split(','))
                .ToList();
            return
            [
                .. lines
                    .Skip(1)
                    .Select(row =>
                        lines[0]
                            .Zip(row)
                            .Where(field => !s_ofOtherBegin.Contains(field.First))
                            .ToDictionary(field => field.First, field => field.Second)
                    ),
            ];
        }
    }

    /// <summary>Times since the begin of the trace, which is that of the earliest session.</summary>
    private static readonly HashSet<string> s_ofOtherBegin = ["startMs", "stopMs"];

    /// <summary>A table without its column startMs, and the column.</summary>
    private static (string Table, List<double> Begins) WithoutBegins(string csv)
    {
        var rows = csv.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(',').ToList()).ToList();
        var column = rows[0].IndexOf("startMs");
        Assert.True(column >= 0, csv);
        var begins = rows.Skip(1).Select(row => double.Parse(row[column], CultureInfo.InvariantCulture)).ToList();
        foreach (var row in rows)
            row.RemoveAt(column);
        return (string.Join('\n', rows.Select(row => string.Join(',', row))), begins);
    }

    [Fact]
    public void TraceEvent_finds_the_same_samples_switches_and_ready_events()
    {
        Assert.SkipUnless(recording.Problem is null, recording.Problem ?? "");
        var expected = ReadPerfData();
        var (samples, stacks, switches, ready, names) = (
            new List<(long, int, ulong)>(),
            new HashSet<(long, int)>(),
            new List<(long, int, bool)>(),
            new List<(long, int, int)>(),
            new Dictionary<int, string>()
        );
        using var source = EtlTraceEventSource.Open(recording.Etl);
        source.Kernel.PerfInfoSample += data => samples.Add((Time(data), data.ThreadID, data.InstructionPointer));
        source.Kernel.StackWalkStack += data => stacks.Add((data.EventTimeStampQPC, data.ThreadID));
        source.Kernel.ThreadCSwitch += data =>
        {
            // Each switch is from or to one thread; the other one is the processor's pseudo thread.
            Assert.True(data.NewThreadID >= NotRecorded ^ data.OldThreadID >= NotRecorded);
            if (data.OldThreadState != ThreadState.Terminated)
                switches.Add((Time(data), Math.Min(data.NewThreadID, data.OldThreadID), data.NewThreadID >= NotRecorded));
            if (data.NewThreadID >= NotRecorded)
                Assert.Contains(data.OldThreadState, (ThreadState[])[ThreadState.Ready, ThreadState.Wait, ThreadState.Terminated]);
        };
        source.Kernel.DispatcherReadyThread += data => ready.Add((Time(data), data.ThreadID, data.AwakenedThreadID));
        source.Kernel.ThreadSetName += data => names[data.ThreadID] = data.ThreadName;
        source.Process();

        output.WriteLine(
            $"{samples.Count} samples, {switches.Count} switches, {ready.Count} ready events, {names.Count} threads with names"
        );
        Assert.NotEmpty(samples);

        // Sorted, because events of two processors may have the same time.
        Assert.Equal(expected.Samples.Order(), samples.Order());
        Assert.Equal(expected.Switches.Order(), switches.Order());
        Assert.Equal(expected.ReadyEvents.Order(), ready.Order());
        Assert.All(samples, sample => Assert.Contains((sample.Item1, sample.Item2), stacks));
        Assert.All(expected.Names, pair => Assert.Equal(pair.Value, names[pair.Key]));
        Assert.Contains("lock-holder", names.Values);
    }

    [Fact]
    public void TraceEvent_finds_processes_threads_and_images_as_they_were_recorded()
    {
        Assert.SkipUnless(recording.Problem is null, recording.Problem ?? "");
        var expected = ReadPerfData();
        var (processes, threads, images) = (
            new Dictionary<int, ProcessTraceData>(),
            new Dictionary<int, int>(),
            new HashSet<(int, ulong, int, string)>()
        );
        var ended = new HashSet<int>();
        var interval = 0;
        using var source = EtlTraceEventSource.Open(recording.Etl);
        source.Kernel.ProcessStartGroup += data => processes[data.ProcessID] = (ProcessTraceData)data.Clone();
        source.Kernel.ThreadStartGroup += data => threads[data.ThreadID] = data.ProcessID;
        source.Kernel.ThreadEndGroup += data => ended.Add(data.ThreadID);
        source.Kernel.ImageGroup += data => images.Add((data.ProcessID, data.ImageBase, data.ImageSize, data.FileName));
        source.Kernel.PerfInfoCollectionStart += data => interval = data.NewInterval;
        source.Process();

        Assert.Equal(10_000, interval);
        Assert.Equal(8, source.PointerSize);
        Assert.True(source.NumberOfProcessors >= Environment.ProcessorCount);
        Assert.Equal("(not recorded)", processes[NotRecorded].ImageFileName);
        Assert.Equal("TestProgram", processes[expected.Process].ImageFileName);
        Assert.Contains("events", processes[expected.Process].CommandLine, StringComparison.Ordinal);
        Assert.All(expected.Threads, pair => Assert.Equal(pair.Value, threads[pair.Key]));
        Assert.Superset(expected.Ended, ended);
        Assert.True(expected.Images.Count > 3);
        Assert.Superset(expected.Images, images);
    }

    [Fact]
    public void TraceEvent_finds_each_event_of_the_runtime_with_its_payload_and_stack()
    {
        Assert.SkipUnless(recording.Problem is null, recording.Problem ?? "");
        var inSessions = new List<(Guid, int, long, int, string)>();
        foreach (var file in (string[])["clr.nettrace", "code.nettrace.zst"])
        {
            using var stream = PackedFile.OpenRead(Path.Combine(recording.Folder, file), 1 << 16);
            using var session = new EventPipeEventSource(stream);
            session.AllEvents += data => inSessions.Add(Identity(data));
            session.Process();
        }

        var inExport = new HashSet<(Guid, int, long, int, string)>();
        var marks = new List<string>();
        using var source = EtlTraceEventSource.Open(recording.Etl);
        source.AllEvents += data => inExport.Add(Identity(data));
        source.Dynamic.AddCallbackForProviderEvent(
            "EtwSerializerProfiler-Runs",
            "Run/Start",
            data => marks.Add((string)data.PayloadByName("serializer"))
        );
        source.Process();

        var missing = inSessions.Where(item => !inExport.Contains(item)).ToList();
        output.WriteLine($"{inSessions.Count} events of sessions, {missing.Count} of them in both and exported once");
        Assert.True(
            missing.Count < inSessions.Count / 100,
            $"{missing.Count} of {inSessions.Count} are missing: {string.Join(", ", missing.Take(5))}"
        );

        // A missing event is there from an earlier session: the same kind of event at the same time.
        Assert.All(missing, item => Assert.Contains(inExport, other => (other.Item1, other.Item2) == (item.Item1, item.Item2)));
        Assert.Equal(s_runs, marks);
    }

    [Fact]
    public void TraceLog_converts_it_and_its_stacks_name_methods_libraries_and_the_kernel()
    {
        Assert.SkipUnless(recording.Problem is null, recording.Problem ?? "");
        var expected = ReadPerfData();
        var etlx = Path.Combine(recording.Root, "r.etlx");
        using (var source = EtlTraceEventSource.Open(recording.Etl))
            TraceLog.CreateFromEventTraceLogFile(source, etlx);

        using var log = new TraceLog(etlx);
        Assert.Equal(0, log.EventsLost);
        var process = log.Processes.Single(item => item.ProcessID == expected.Process);
        var samples = log
            .Events.Where(data => data is SampledProfileTraceData && data.ProcessID == expected.Process)
            .Select(data => data.Clone())
            .ToList();
        Assert.Equal(expected.Samples.Count(sample => expected.Threads[sample.Item2] == expected.Process), samples.Count);
        var frames = samples.SelectMany(Frames).ToHashSet();
        Assert.All(samples, sample => Assert.NotNull(sample.CallStack()));
        output.WriteLine($"{samples.Count} samples, {frames.Count} different frames");
        Assert.Contains(
            frames,
            frame => frame.StartsWith("TestProgram!", StringComparison.Ordinal) && frame.Contains("KnownEvents.", StringComparison.Ordinal)
        );
        Assert.Contains(frames, frame => frame.StartsWith("System.Private.CoreLib!", StringComparison.Ordinal));
        Assert.Contains(
            frames,
            frame =>
                (frame.StartsWith("lib", StringComparison.Ordinal) || frame.StartsWith("[kernel]", StringComparison.Ordinal))
                && !frame.EndsWith("!?", StringComparison.Ordinal)
        );

        if (samples.SelectMany(Frames).Any(frame => frame.StartsWith("[kernel]!", StringComparison.Ordinal)) && !expected.HidesKernel)
            Assert.Contains(frames, frame => frame.StartsWith("[kernel]!.", StringComparison.Ordinal));

        // An event of the runtime has the stack that it had in its session.
        var thrown = log
            .Events.Where(data => data.EventName == "Exception/Start" && data.ProcessID == process.ProcessID)
            .SelectMany(Frames)
            .ToHashSet();
        Assert.Contains(thrown, frame => frame.Contains("KnownEvents.ThrowFormat", StringComparison.Ordinal));

        // A thread that resumes has the stack of its switch-out, where that was permitted. (It ends in the C library, which keeps no frame
        // pointers.)
        if (expected is { HasSwitchStacks: true, HidesKernel: false })
        {
            var waits = log
                .Events.Where(data => data is CSwitchTraceData && data.ProcessID == expected.Process)
                .SelectMany(Frames)
                .ToHashSet();
            Assert.Contains(
                waits,
                frame => frame.StartsWith("[kernel]!.", StringComparison.Ordinal) && frame.Contains("schedule", StringComparison.Ordinal)
            );
        }
    }

    [Fact]
    public async Task Of_a_damaged_recording_is_exported_what_is_there_and_that_is_said()
    {
        Assert.SkipUnless(recording.Problem is null, recording.Problem ?? "");
        var folder = Path.Combine(recording.Root, "damaged");
        Directory.CreateDirectory(folder);
        foreach (var file in Directory.GetFiles(recording.Folder))
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        foreach (var file in (string[])["perf.data", "code.nettrace.zst"])
        {
            using var stream = new FileStream(Path.Combine(folder, file), FileMode.Open);
            stream.SetLength(stream.Length * 6 / 10);
        }

        var etl = Path.Combine(recording.Root, "damaged.etl");
        var exported = await Tool.AnalyzeAsync("export", folder, "--to", "etl", "-o", etl);

        Assert.True(exported.ExitCode == 0, exported.Error);
        output.WriteLine(exported.Output);
        Assert.Contains("perf.data: damaged at offset", exported.Output, StringComparison.Ordinal);
        Assert.Contains("code.nettrace.zst: damaged at offset", exported.Output, StringComparison.Ordinal);
        var (ofRecording, ofExport) = (
            await Tool.AnalyzeAsync("runs", folder, "--format", "csv"),
            await Tool.AnalyzeAsync("runs", etl, "--format", "csv")
        );
        Assert.Equal(ofRecording.Output, ofExport.Output);
    }

    private static readonly string[] s_runs = ["Exceptions", "Locks", "Allocation", "Gcs", "Waits", "Jit"];

    private static IEnumerable<string> Frames(TraceEvent data)
    {
        for (var stack = data.CallStack(); stack is not null; stack = stack.Caller)
            yield return $"{stack.CodeAddress.ModuleName}!{(stack.CodeAddress.FullMethodName is { Length: > 0 } name ? name : "?")}";
    }

    private static (Guid, int, long, int, string) Identity(TraceEvent data) =>
        (
            data.ProviderGuid,
            (int)data.ID is var id && id >= FirstOwnId ? DynamicEvent : id,
            Time(data),
            data.ThreadID,
            Convert.ToHexString(data.EventData())
        );

    private static long Time(TraceEvent data)
    {
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        return data.TimeStampQPC;
#pragma warning restore CS0618
    }

    /// <summary>The content of perf.data, read without the export.</summary>
    private Facts ReadPerfData()
    {
        var facts = new Facts();
        using var reader = PerfDataReader.Open(Path.Combine(recording.Folder, "perf.data"));
        var waking = reader.Events.Select(SchedWakingLayout.Create).FirstOrDefault(layout => layout is not null);
        facts.HasSwitchStacks = reader.Events.Any(item => SchedSwitchLayout.Create(item) is not null);
        while (reader.TryRead(out var record))
        {
            var origin = record.Origin;
            if (record.Type is PerfRecordType.Switch or PerfRecordType.SwitchCpuWide && origin.ThreadId >= 0)
                facts.Switches.Add((record.Time, origin.ThreadId, record.IsSwitchOut));
            else if (
                record.TryReadMapping(out var mapping)
                && mapping.ProcessId > 0
                && (mapping.Protection & 4) != 0
                && mapping.Path.StartsWith("/usr/"u8)
            )
                facts.Images.Add(
                    (mapping.ProcessId, mapping.Address, (int)mapping.Length, System.Text.Encoding.UTF8.GetString(mapping.Path))
                );
            else if (record.TryReadComm(out _, out var named, out var name))
                facts.Names[named] = System.Text.Encoding.UTF8.GetString(name);
            else if (record.Type == PerfRecordType.Exit && record.TryReadTask(out var task))
                facts.Ended.Add(task.ThreadId);
            else if (
                record.TryReadSample(out var sample)
                && sample.Event.Settings is { Kind: PerfEventKind.Software, Config: 0 }
                && origin.ThreadId > 0
            )
                facts.Samples.Add((sample.Time, sample.ThreadId, sample.Ip));
            else if (
                record.TryReadSample(out var hit)
                && waking is not null
                && sample.Event.Name.EndsWith("sched_waking", StringComparison.Ordinal)
                && waking.TryRead(hit.Raw, out var thread, out _)
            )
                facts.ReadyEvents.Add((record.Time, Math.Max(0, origin.ThreadId), thread));
            if (origin is { ProcessId: > 0, ThreadId: > 0 })
                facts.Threads[origin.ThreadId] = origin.ProcessId;
        }

        facts.Process = TraceInputReader.Open([recording.Folder]).Processes[0].ProcessId;
        return facts;
    }

    private sealed class Facts
    {
        public int Process { get; set; }

        public bool HasSwitchStacks { get; set; }

        /// <summary>Whether kallsyms shows no addresses to this user.</summary>
        public bool HidesKernel { get; } = !File.ReadLines("/proc/kallsyms").First().StartsWith("ffff", StringComparison.Ordinal);

        public List<(long, int, ulong)> Samples { get; } = [];

        public List<(long, int, bool)> Switches { get; } = [];

        public List<(long, int, int)> ReadyEvents { get; } = [];

        public Dictionary<int, string> Names { get; } = [];

        public Dictionary<int, int> Threads { get; } = [];

        public HashSet<int> Ended { get; } = [];

        public HashSet<(int, ulong, int, string)> Images { get; } = [];
    }
}
