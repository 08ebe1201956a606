using System.Buffers.Binary;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Symbols;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>Context switches and losses of perf.data in an export as .nettrace.</summary>
public sealed class NetTraceExportTests
{
    private const int Lost = 2;
    private const int Switch = 14;
    private const ushort Out = 1 << 13;
    private const ushort Preempted = 1 << 14;

    private static readonly byte[][] s_records =
    [
        At(10, 8),
        HandMade.CpuSample(11, 7, 8, 0, 0x1000),
        At(20, 8, Out),
        At(21, 9),
        At(30, 9, Out | Preempted),
        At(35, 8),
        At(40, 8, Out),
        At(41, 9),
        At(50, 9, Out),
        At(60, 8),
        HandMade.Other(Lost, 0, 70, 7, 8, 0, new Bytes().U64(100, 5)),
    ];

    [Fact]
    public void A_switch_event_stands_at_the_switch_in_with_the_time_since_the_switch_out() =>
        Export(
            s_records,
            (path, _) =>
            {
                var switches = new List<string>();
                using var source = new EventPipeEventSource(path);
                var events = new UniversalEventsTraceEventParser(source);
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
                events.cswitch += data => switches.Add($"{data.ThreadID} {data.TimeStampQPC} {data.Value}");
#pragma warning restore CS0618
                source.Process();

                // The first switch in of a thread has no time before it.
                Assert.Equal(["8 10 0", "9 21 0", "8 35 15", "9 41 11", "8 60 20"], switches);
            }
        );

    [Fact]
    public void Our_reader_finds_the_switches_and_their_reasons_again() =>
        Export(
            s_records,
            (path, source) =>
            {
                var exported = TraceInputReader.Open([path]).Processes[0].Sources[0];
                var seen = Read(source);
                Assert.Equal(
                    ["8 in 10", "8 out 20", "9 in 21", "9 preempted 30", "8 in 35", "8 out 40", "9 in 41", "9 out 50", "8 in 60"],
                    seen
                );
                Assert.Equal(seen, Read(exported));
            }
        );

    /// <summary>An ordinary user's recording has no samples in the kernel: their number is not 0.</summary>
    [Theory]
    [InlineData(PerfEventBits.None, EventDetails.KernelSamples)]
    [InlineData(PerfEventBits.ExcludeKernel, EventDetails.None)]
    public void Whether_the_kernel_was_sampled_is_known(PerfEventBits bits, EventDetails details) =>
        Export(
            s_records,
            (path, source) =>
            {
                var exported = TraceInputReader.Open([path]).Processes[0].Sources[0];
                Assert.Equal(
                    (details, details),
                    (source.Details & EventDetails.KernelSamples, exported.Details & EventDetails.KernelSamples)
                );
            },
            bits
        );

    [Fact]
    public void What_the_recording_lost_is_lost_in_the_export_too() =>
        Export(
            s_records,
            (path, _) =>
            {
                using var source = new EventPipeEventSource(path);
                source.Process();
                Assert.Equal(5, source.EventsLost);
            }
        );

    /// <summary>A thread that ended waits for nothing.</summary>
    [Fact]
    public void The_end_of_a_thread_is_its_end_in_the_export_too() =>
        Export(
            [At(10, 8), HandMade.CpuSample(11, 7, 8, 0, 0x1000), At(21, 9), HandMade.Exit(30, 7, 9), At(40, 8, Out), At(50, 8)],
            (path, source) =>
            {
                Assert.Equal(["8 in 10", "9 in 21", "9 ended 30", "8 out 40", "8 in 50"], Read(source));
                Assert.Equal(Read(source), Read(TraceInputReader.Open([path]).Processes[0].Sources[0]));
            },
            PerfEventBits.ContextSwitch
        );

    [Fact]
    public void Without_recorded_switches_the_end_of_a_thread_is_not_a_switch()
    {
        byte[][] records = [HandMade.CpuSample(11, 7, 8, 0, 0x1000), HandMade.Exit(30, 7, 8), HandMade.CpuSample(31, 7, 7, 0, 0x1000)];
        Export(records, (path, _) => Assert.Equal((2, 0), Count(path)));
        Export(records, (path, _) => Assert.Equal((2, 1), Count(path)), PerfEventBits.ContextSwitch);

        static (int, int) Count(string path)
        {
            var events = new List<string>();
            EventDecoder.Read([path], new EventQuery(), item => events.Add(item.Event));
            return (events.Count(name => name == "cpu"), events.Count(name => name == "SwitchedOut"));
        }
    }

    /// <summary>perf's header has the time of the first sample: an export would move earlier records to that time.</summary>
    [Fact]
    public void A_file_of_perf_begins_with_its_first_record()
    {
        var path = TestFiles.Data("others/perf-record.data");
        using var reader = PerfDataReader.Open(path);
        var first = 0L;
        while (first == 0 && reader.TryRead(out var record))
            first = record.Time;

        Assert.True(first < reader.Features.FirstTime);
        Assert.Equal(first, PerfDataSource.Open(path, 4097, reportsLosses: true, isAlone: true).Clock.OriginTicks);
    }

    private static byte[] At(uint time, uint thread, ushort misc = 0) => HandMade.Other(Switch, misc, time, 7, thread, 0, new Bytes());

    private static void Export(byte[][] records, Action<string, ITraceSource> check, PerfEventBits more = PerfEventBits.None)
    {
        const int BitsAt = 104 + 24 + 40;
        var bytes = HandMade.WithClock(HandMade.File(HandMade.Join(records)));
        var bits = bytes.AsSpan(BitsAt);
        BinaryPrimitives.WriteUInt64LittleEndian(bits, BinaryPrimitives.ReadUInt64LittleEndian(bits) | (ulong)more);
        using var file = new TemporaryFile(bytes);
        var path = file.Path + ".nettrace";
        try
        {
            var source = PerfDataSource.Open(file.Path, 7, reportsLosses: true, isSystemWide: true);
            var input = new TraceInput([file.Path], [new TracedProcess(7, "program", "", [source], [])], [], false, [], [file.Path]);
            NetTraceExporter.Run(
                input,
                new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero),
                new TraceExportOptions(path),
                TestContext.Current.CancellationToken
            );
            check(path, source);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static List<string> Read(ITraceSource source)
    {
        var switches = new Switches();
        source.Read(switches, EventKinds.ContextSwitches);
        return switches.Seen;
    }

    private sealed class Switches : IEventSubscriber
    {
        public List<string> Seen { get; } = [];

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe((in SwitchedIn item) => Seen.Add($"{item.At.ThreadId} in {item.At.Time}"));
            hub.Subscribe((in ThreadEnded item) => Seen.Add($"{item.At.ThreadId} ended {item.At.Time}"));
            hub.Subscribe(
                (in SwitchedOut item) => Seen.Add($"{item.At.ThreadId} {(item.IsPreempted ? "preempted" : "out")} {item.At.Time}")
            );
        }
    }
}
