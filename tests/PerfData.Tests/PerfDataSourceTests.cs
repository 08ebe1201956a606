using System.Buffers.Binary;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>Samples, mappings and names of a file in the event model.</summary>
public sealed class PerfDataSourceTests
{
    private const ulong User = unchecked((ulong)-512L);
    private const ulong Kernel = unchecked((ulong)-128L);

    private readonly Collector _seen = new();

    [Fact]
    public void Samples_come_with_their_frames_and_without_markers()
    {
        Read(
            HandMade.CpuSample(1, 7, 8, 0, User, 0x1000, 0x2000, 0x3000),
            KernelSample(2, Kernel, 0xffffffff81000010, 0xffffffff81000020, User, 0x1000, 0x2000),
            HandMade.CpuSample(3, 9, 9, 0, User, 0x1000),
            HandMade.CpuSample(4, 7, 8, 0)
        );

        Assert.Equal(
            ["8 1000000 user 0: 1000 1fff 2fff", "8 1000000 kernel 2: ffffffff81000010 ffffffff8100001f 1000 1fff", "8 1000000 user 0:"],
            _seen.Samples
        );
    }

    [Fact]
    public void Mappings_names_and_new_programs_come_for_the_process_asked_for()
    {
        Read(HandMade.Everything());

        Assert.Equal(
            [
                "exec 7",
                "name 7 dotnet",
                "map 7f0000000000 2000 1000 /usr/lib/libcoreclr.so ''",
                "map 7f1000000000 3000 0 /lib/libc.so.6 'deadbeef'",
                "thread 8 of 7",
            ],
            _seen.Layout
        );
    }

    [Fact]
    public void A_thread_that_ends_leaves_its_processor_with_the_switches()
    {
        Read(HandMade.Everything());

        Assert.Equal(["out 8", "out 8 preempted", "in 8", "end 8"], _seen.Switches);
    }

    [Fact]
    public void Processes_have_the_last_name_of_their_first_thread_or_of_who_forked_them()
    {
        using var file = new TemporaryFile(
            HandMade.WithClock(
                HandMade.File(
                    HandMade.Join(
                        HandMade.Other(3, 0, 1, 7, 7, 0, new Bytes().U32(7, 7).Text("sh", 8)),
                        HandMade.Other(7, 0, 2, 7, 7, 0, new Bytes().U32(9, 7, 9, 7).U64(2)), // fork of process 9
                        HandMade.Other(7, 0, 3, 7, 7, 0, new Bytes().U32(7, 7, 8, 7).U64(3)), // a thread of 7
                        HandMade.Other(3, 0, 4, 7, 8, 0, new Bytes().U32(7, 8).Text("worker", 8)),
                        HandMade.Other(3, 1 << 13, 5, 7, 7, 0, new Bytes().U32(7, 7).Text("dotnet", 8)), // exec
                        HandMade.CpuSample(6, 7, 8, 0, 0x1000),
                        HandMade.CpuSample(7, 9, 9, 0, 0x1000),
                        HandMade.CpuSample(8, 9, 9, 0, 0x1000),
                        HandMade.CpuSample(9, 0, 0, 0, 0x1000),
                        HandMade.CpuSample(10, 11, 11, 0, 0x1000),
                        HandMade.SwitchTracepoint(11, 1, 12, 1, 0)
                    )
                )
            )
        );

        Assert.Equal(
            [
                new PerfDataProcess(9, "sh", 2),
                new PerfDataProcess(0, "swapper", 1),
                new PerfDataProcess(7, "dotnet", 1),
                new PerfDataProcess(11, "", 1),
            ],
            PerfDataProcesses.Read(file.Path)
        );
    }

    [Fact]
    public void A_file_without_a_recording_is_a_trace_of_the_processes_with_most_samples()
    {
        var records = Enumerable.Range(0, 30).Select(index => HandMade.CpuSample((ulong)(10 + index), 9, 9, 0, 0x1000)).ToList();
        records.AddRange([
            HandMade.CpuSample(50, 0, 0, 0, 0x1000),
            HandMade.CpuSample(51, 11, 11, 0, 0x1000),
            .. Enumerable.Range(0, 5).Select(index => HandMade.CpuSample((ulong)(60 + index), 7, 7, 0, 0x1000)),
        ]);
        using var file = new TemporaryFile(
            HandMade.WithClock(
                HandMade.File(HandMade.Join([HandMade.Other(3, 0, 1, 9, 9, 0, new Bytes().U32(9, 9).Text("busy", 8)), .. records]))
            )
        );

        var input = TraceInputReader.Open([file.Path]);

        Assert.Equal(
            [(9, "busy"), (7, Path.GetFileNameWithoutExtension(file.Path))],
            input.Processes.Select(process => (process.ProcessId, process.Program))
        );
        Assert.Equal([file.Path], input.FilesRead);
        Assert.All(input.Processes, process => Assert.True(process.Kinds.HasFlag(EventKinds.CpuSamples)));
    }

    [Fact]
    public void A_file_without_samples_says_so()
    {
        using var file = new TemporaryFile(HandMade.WithClock(HandMade.File([])));

        Assert.Contains(
            "CPU samples of a process",
            Assert.Throws<TraceFormatException>(() => TraceInputReader.Open([file.Path])).Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1 << 5, false)] // exclude_kernel
    public void A_file_says_whether_the_kernel_was_sampled(byte bits, bool kernel)
    {
        var bytes = HandMade.WithClock(HandMade.File([]));
        bytes[104 + 24 + 40] |= bits;
        using var file = new TemporaryFile(bytes);

        Assert.Equal(kernel, PerfDataSource.Open(file.Path, 7, reportsLosses: true).Details.HasFlag(EventDetails.KernelSamples));
    }

    [Fact]
    public void Between_throttle_and_unthrottle_of_the_switch_event_stacks_of_switches_are_omitted()
    {
        using var file = new TemporaryFile(Throttled(0, first: 100, last: 101, other: 200));

        var seen = new List<(long, bool)>();
        var hub = new EventHub();
        hub.Subscribe((in SwitchedOut switched) => seen.Add((switched.At.Time, switched.IsStackOmitted)));
        PerfDataSource.Open(file.Path, 7, reportsLosses: true).Read(hub);

        Assert.Equal([(21, false), (23, true), (25, true), (27, false)], seen);
    }

    [Fact]
    public void An_export_says_of_how_many_waits_stacks_were_omitted()
    {
        using var file = new TemporaryFile(Throttled(1, first: 200, last: 200, other: 100));
        using var folder = new TempFolder();
        var input = TraceInputReader.Open([file.Path]);
        var symbols = new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero);

        const string Expected = "2 waits have no stack: threads switched so often that the recorder took stacks only part of the time";
        var cancelled = TestContext.Current.CancellationToken;
        Assert.Contains(Expected, EtlExporter.Run(input, symbols, Options("x.etl"), cancelled).Missing);
        Assert.Contains(Expected, NetTraceExporter.Run(input, symbols, Options("x.nettrace"), cancelled).Missing);

        TraceExportOptions Options(string name) => new(Path.Combine(folder.Path, name));
    }

    /// <summary>Four switch-outs, two of them while the recorder takes no stacks.</summary>
    /// <param name="attribute">Which of the file's two events is the one that has stacks of switches.</param>
    /// <param name="first">Its id.</param>
    /// <param name="last">Its id on another processor, or the same.</param>
    /// <param name="other">Id of the other event.</param>
    private static byte[] Throttled(int attribute, ulong first, ulong last, ulong other)
    {
        const uint Throttle = 5,
            Switch = 14;
        byte[] Out(ulong time) => HandMade.Other(Switch, 1 << 13, time, 7, 8, 0, []);
        byte[] Mark(uint type, ulong time, ulong id) =>
            Bytes.Record(type, 0, new Bytes().U64(time, id, id).U32(7, 7).U64(time).U32(0, 0).U64(id));
        var bytes = HandMade.WithClock(
            HandMade.File(
                HandMade.Join([
                    HandMade.CpuSample(20, 7, 8, 0, 0x1000, 0x2000),
                    Out(21),
                    Mark(Throttle, 22, first),
                    Out(23),
                    Mark(Throttle + 1, 24, other),
                    Out(25),
                    Mark(Throttle + 1, 26, last),
                    Out(27),
                ])
            )
        );
        var settings = bytes.AsSpan(104 + 24 + (attribute * (128 + 16)));
        settings[0] = 1; // PERF_TYPE_SOFTWARE
        BinaryPrimitives.WriteUInt64LittleEndian(settings[8..], 3); // PERF_COUNT_SW_CONTEXT_SWITCHES
        BinaryPrimitives.WriteUInt64LittleEndian(settings[24..], HandMade.Common | (ulong)PerfSampleFields.CallChain);
        return bytes;
    }

    [Fact]
    public void Counts_of_the_clock_event_are_readings_of_threads_clocks()
    {
        Assert.Equal(
            ["8 ran 10 ready 2", "8 ran 25 ready 2"],
            Clocks(PerfEventSettings.ReadTimes | PerfEventSettings.ReadId, PerfDataSource.ClockEvent)
        );
    }

    [Theory]
    [InlineData(PerfEventSettings.ReadTimes, "cpu-clock:u")] // perf record --stat has such records, too
    [InlineData(PerfEventSettings.ReadId, PerfDataSource.ClockEvent)]
    public void Other_counts_are_none(ulong readFormat, string name) => Assert.Empty(Clocks(readFormat, name));

    private static List<string> Clocks(ulong readFormat, string name)
    {
        using var file = new TemporaryFile([]);
        File.Delete(file.Path);
        var settings = new PerfEventSettings
        {
            Kind = PerfEventKind.Software,
            Config = 9,
            SampleFields = (PerfSampleFields)HandMade.Common,
            ReadFormat = readFormat,
            Bits = PerfEventBits.UseClockId | PerfEventBits.SampleIdAll,
            ClockId = PerfEventSettings.ClockMonotonic,
        };
        using (var writer = new PerfDataWriter(file.Path, [new PerfEvent(name, settings, [100])], new PerfDataFeatures(), [], 0))
        {
            writer.Write(Count(20, 7, 8, cpu: 10, ready: 2));
            writer.Write(Count(21, 9, 9, cpu: 10, ready: 2)); // of another process
            writer.Write(Count(50, 7, 8, cpu: 25, ready: 2));
        }

        var source = PerfDataSource.Open(file.Path, 7, reportsLosses: true);
        Assert.Equal(name == PerfDataSource.ClockEvent, source.Kinds.HasFlag(EventKinds.ThreadClocks));
        var seen = new List<string>();
        var hub = new EventHub();
        hub.Subscribe((in ThreadClock clock) => seen.Add($"{clock.At.ThreadId} ran {clock.CpuTicks} ready {clock.ReadyTicks}"));
        source.Read(hub);
        return seen;

        static byte[] Count(ulong time, uint process, uint thread, ulong cpu, ulong ready) =>
            HandMade.Other(8, 0, time, process, thread, 0, new Bytes().U32(process, thread).U64(cpu, cpu + ready, cpu, 100));
    }

    [Theory]
    [InlineData(true, "9 9 1000000", "11 12 1000000")]
    [InlineData(false)]
    public void Samples_of_other_processes_come_where_the_machine_was_recorded(bool isSystemWide, params string[] expected)
    {
        using var file = new TemporaryFile(
            HandMade.WithClock(
                HandMade.File(
                    HandMade.Join(
                        HandMade.CpuSample(1, 7, 8, 0, User, 0x1000),
                        HandMade.CpuSample(2, 9, 9, 0, User, 0x1000),
                        HandMade.CpuSample(3, 0, 0, 0, Kernel, 0x1000),
                        HandMade.CpuSample(4, uint.MaxValue, uint.MaxValue, 0),
                        HandMade.SwitchTracepoint(5, 1, 12, 1, 0),
                        HandMade.CpuSample(6, 11, 12, 1)
                    )
                )
            )
        );
        var source = PerfDataSource.Open(file.Path, 7, reportsLosses: true, isSystemWide);
        source.Read(_seen, source.Kinds);

        Assert.Equal(isSystemWide, source.Kinds.HasFlag(EventKinds.OtherProcesses));
        Assert.Equal(expected, _seen.Others);
        Assert.Single(_seen.Samples);
    }

    /// <summary>A thread that has ended loses its id some µs before it leaves its processor for good; its process keeps its id.</summary>
    [Fact]
    public void A_sample_of_a_thread_that_is_taken_down_is_that_of_the_thread_of_its_process_that_ended_last()
    {
        using var file = new TemporaryFile(
            HandMade.WithClock(
                HandMade.File(
                    HandMade.Join(
                        HandMade.CpuSample(1, 7, uint.MaxValue, 0, User, 0x1000), // ended before the recording began
                        HandMade.CpuSample(2, 11, uint.MaxValue, 0, User, 0x1000),
                        HandMade.Exit(3, 7, 8),
                        HandMade.Exit(4, 11, 12),
                        HandMade.CpuSample(5, 7, uint.MaxValue, 0, User, 0x1000),
                        HandMade.CpuSample(6, 11, uint.MaxValue, 1, User, 0x1000),
                        HandMade.CpuSample(7, uint.MaxValue, uint.MaxValue, 0, User, 0x1000)
                    )
                )
            )
        );
        var source = PerfDataSource.Open(file.Path, 7, reportsLosses: true, isSystemWide: true);
        source.Read(_seen, source.Kinds);

        Assert.Equal(["8 1000000 user 0: 1000"], _seen.Samples);
        Assert.Equal(["11 12 1000000"], _seen.Others);
    }

    [Fact]
    public void One_pass_over_a_file_gives_each_process_what_a_pass_of_its_own_does()
    {
        using var file = new TemporaryFile(
            HandMade.WithClock(
                HandMade.File(
                    HandMade.Join([
                        .. HandMade.Everything(),
                        HandMade.CpuSample(101, 9, 9, 0, User, 0x1000),
                        HandMade.SwitchTracepoint(102, 1, 12, 1, 0),
                        HandMade.CpuSample(103, 7, 8, 1, User, 0x2000),
                        HandMade.Exit(104, 9, 9),
                        HandMade.CpuSample(105, 9, uint.MaxValue, 0, User, 0x3000),
                        HandMade.CpuSample(106, 11, 11, 0, User, 0x1000),
                    ])
                )
            )
        );
        var sources = ((int[])[7, 9, 9, 11])
            .Select((process, index) => PerfDataSource.Open(file.Path, process, reportsLosses: index == 0, isSystemWide: true))
            .ToList();
        var together = sources.ConvertAll(_ => new Collector());
        var results = sources[0].ReadTogether([.. sources.Zip(together, (source, seen) => ((ITraceSource)source, EventHub.Of(seen)))]);

        Assert.All(sources, source => Assert.Equal(sources[0].SharedFiles, source.SharedFiles));
        foreach (var (index, source) in sources.Index())
        {
            var alone = new Collector();
            var expected = source.Read(alone);
            Assert.Equal(expected.Gaps, results[index].Gaps);
            Assert.Equal(expected with { Gaps = results[index].Gaps }, results[index]);
            Assert.Equal(
                [.. alone.Samples, .. alone.Others, .. alone.Switches, .. alone.Layout],
                [.. together[index].Samples, .. together[index].Others, .. together[index].Switches, .. together[index].Layout]
            );
            Assert.NotEmpty(alone.Samples);
        }
    }

    private static byte[] KernelSample(ulong time, params ulong[] chain)
    {
        var bytes = HandMade.CpuSample(time, 7, 8, 0, chain);
        bytes[4] = 1; // PERF_RECORD_MISC_KERNEL
        return bytes;
    }

    private void Read(params byte[][] records)
    {
        using var file = new TemporaryFile(HandMade.WithClock(HandMade.File(HandMade.Join(records))));
        PerfDataSource.Open(file.Path, 7, reportsLosses: true).Read(_seen, EventKinds.All);
    }

    private sealed class Collector : IEventSubscriber
    {
        public List<string> Samples { get; } = [];

        public List<string> Layout { get; } = [];

        public List<string> Switches { get; } = [];

        public List<string> Others { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<CpuSample>(OnCpuSample);
            hub.Subscribe<OtherProcessSample>(OnOtherProcessSample);
            hub.Subscribe<SwitchedIn>(OnSwitchedIn);
            hub.Subscribe<SwitchedOut>(OnSwitchedOut);
            hub.Subscribe<ThreadEnded>(OnThreadEnded);
            hub.Subscribe<ProgramReplaced>(OnProgramReplaced);
            hub.Subscribe<ThreadNamed>(OnThreadNamed);
            hub.Subscribe<ThreadCreated>(OnThreadCreated);
            hub.Subscribe<FileMapping>(OnFileMapped);
        }

        private void OnCpuSample(in CpuSample sample)
        {
            var line = $"{sample.At.ThreadId} {sample.CpuTicks} {(sample.IsKernel ? "kernel" : "user")} {sample.KernelFrames}:";
            for (var i = 0; i < sample.Frames.Length; i++)
                line += $" {sample.CodeAddress(i):x}";
            Samples.Add(line);
        }

        private void OnOtherProcessSample(in OtherProcessSample sample) =>
            Others.Add($"{sample.At.ProcessId} {sample.At.ThreadId} {sample.CpuTicks}");

        private void OnSwitchedIn(in SwitchedIn switched) => Switches.Add($"in {switched.At.ThreadId}");

        private void OnSwitchedOut(in SwitchedOut switched) =>
            Switches.Add($"out {switched.At.ThreadId}{(switched.IsPreempted ? " preempted" : "")}");

        private void OnThreadEnded(in ThreadEnded ended) => Switches.Add($"end {ended.At.ThreadId}");

        private void OnProgramReplaced(in ProgramReplaced replaced) => Layout.Add($"exec {replaced.At.ProcessId}");

        private void OnThreadNamed(in ThreadNamed named) => Layout.Add($"name {named.At.ThreadId} {named.Name}");

        private void OnThreadCreated(in ThreadCreated created) => Layout.Add($"thread {created.At.ThreadId} of {created.ParentThreadId}");

        private void OnFileMapped(in FileMapping mapping) =>
            Layout.Add($"map {mapping.Start:x} {mapping.Length:x} {mapping.FileOffset:x} {mapping.Path} '{mapping.BuildId}'");
    }
}
