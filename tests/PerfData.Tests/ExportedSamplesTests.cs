using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>
/// Each CPU sample of a whole machine's perf.data is in its .etl, with the same process and thread, also at the start and end of a thread.
/// </summary>
public sealed class ExportedSamplesTests
{
    private const ulong User = unchecked((ulong)-512L);
    private const uint None = uint.MaxValue;

    /// <summary>The special case, the records, and the samples as process, thread and time.</summary>
    public static TheoryData<string, byte[][], string[]> Machines =>
        new()
        {
            {
                "threads that nothing announces",
                [Sample(10, 7, 8), Sample(11, 9, 9), Sample(12, 11, 12)],
                ["7 8 10", "9 9 11", "11 12 12"]
            },
            { "idle, and a process's last thread taken down", [Sample(10, 0, 0), Sample(11, None, None), Sample(12, 9, 9)], ["9 9 12"] },
            {
                "threads of a living process taken down",
                [HandMade.Exit(10, 7, 8), Sample(11, 7, None), HandMade.Exit(12, 9, 10), Sample(13, 9, None)],
                ["7 8 11", "9 10 13"]
            },
            { "a thread that ended before the recording", [Sample(10, 9, None), Sample(11, 9, 9)], ["9 9 11"] },
            {
                "a sample at the moment of a thread's begin and end",
                [Fork(10, 7, 9), Sample(10, 9, 9), Sample(11, 9, 9), HandMade.Exit(11, 9, 9), Sample(11, 9, None)],
                ["9 9 10", "9 9 11", "9 9 11"]
            },
            { "a sample before its thread's begin", [Sample(10, 9, 9), Fork(11, 7, 9), Sample(12, 9, 9)], ["9 9 10", "9 9 12"] },
            {
                "a thread's id used again by another process",
                [Sample(10, 9, 20), HandMade.Exit(11, 9, 20), Fork(12, 7, 20), Sample(13, 20, 20)],
                ["9 20 10", "20 20 13"]
            },
            {
                "another program and another name",
                [Name(10, 9, 1 << 13), Sample(11, 9, 9), Name(12, 9, 0), Sample(13, 9, 9)],
                ["9 9 11", "9 9 13"]
            },
            {
                "two processors at one time, and one that is not online",
                [Sample(10, 9, 9), Sample(10, 9, 10, 1), Sample(10, 11, 11, 70)],
                ["9 9 10", "9 10 10", "11 11 10"]
            },
            {
                "samples without a time in order",
                [Sample(12, 9, 9), Sample(10, 9, 10), Sample(11, 11, 11)],
                ["9 10 10", "11 11 11", "9 9 12"]
            },
            {
                "more than a buffer",
                [.. Enumerable.Range(0, 5000).Select(index => Sample((uint)(10 + index), 9, 9, (uint)(index % 3)))],
                [.. Enumerable.Range(10, 5000).Select(time => $"9 9 {time}")]
            },
        };

    [Theory]
    [MemberData(nameof(Machines))]
    public void Every_sample_is_in_the_export(string special, byte[][] records, string[] expected)
    {
        using var file = new TemporaryFile(HandMade.WithClock(HandMade.File(HandMade.Join(records))));
        var etl = file.Path + ".etl";
        try
        {
            var source = PerfDataSource.Open(file.Path, 7, reportsLosses: true, isSystemWide: true);
            var input = new TraceInput([file.Path], [new TracedProcess(7, "program", "", [source], [])], [], false, [], [file.Path]);
            EtlExporter.Run(
                input,
                new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero),
                new TraceExportOptions(etl),
                TestContext.Current.CancellationToken
            );

            Assert.True(expected.SequenceEqual(Read(source)), $"{special}, perf.data: {string.Join(", ", Read(source).Take(20))}");
            var exported = Read(Assert.Single(TraceInputReader.Open([etl]).Processes).Sources[0]);
            Assert.True(expected.Order().SequenceEqual(exported.Order()), $"{special}, .etl: {string.Join(", ", exported.Take(20))}");
        }
        finally
        {
            File.Delete(etl);
        }
    }

    /// <summary>An .etl has one interval for all samples; that of the first one would make all times wrong.</summary>
    [Fact]
    public void Samples_that_stand_for_different_times_have_their_mean_in_the_export()
    {
        using var file = new TemporaryFile(
            HandMade.WithClock(HandMade.File(HandMade.Join(WithPeriod(Sample(10, 9, 9), 250_000), WithPeriod(Sample(11, 9, 9), 1_750_000))))
        );
        var etl = file.Path + ".etl";
        try
        {
            var input = new TraceInput(
                [file.Path],
                [new TracedProcess(7, "program", "", [PerfDataSource.Open(file.Path, 7, reportsLosses: true, isSystemWide: true)], [])],
                [],
                false,
                [],
                [file.Path]
            );
            EtlExporter.Run(
                input,
                new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero),
                new TraceExportOptions(etl),
                TestContext.Current.CancellationToken
            );
            Assert.Equal(["9 9 10", "9 9 11"], Read(Assert.Single(TraceInputReader.Open([etl]).Processes).Sources[0])); // 1,000,000 ns each
        }
        finally
        {
            File.Delete(etl);
        }

        static byte[] WithPeriod(byte[] sample, ulong period)
        {
            System.Buffers.Binary.BinaryPrimitives.WriteUInt64LittleEndian(sample.AsSpan(48), period);
            return sample;
        }
    }

    private static byte[] Sample(uint time, uint process, uint thread, uint processor = 0)
    {
        // Processors above 1 have the ids of processor 1: ids are those of events.
        var bytes = HandMade.CpuSample(time, process, thread, Math.Min(processor, 1), User, 0x1000);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(40), processor);
        return bytes;
    }

    private static byte[] Fork(ulong time, uint parent, uint child) =>
        HandMade.Other(7, 0, time, parent, parent, 0, new Bytes().U32(child, parent, child, parent).U64(time));

    private static byte[] Name(ulong time, uint process, ushort misc) =>
        HandMade.Other(3, misc, time, process, process, 0, new Bytes().U32(process, process).Text("name", 8));

    private static List<string> Read(ITraceSource source)
    {
        var samples = new Samples();
        source.Read(samples, EventKinds.CpuSamples | EventKinds.OtherProcesses);
        return samples.Seen;
    }

    private sealed class Samples : IEventSubscriber
    {
        public List<string> Seen { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<CpuSample>(OnCpuSample);
            hub.Subscribe<OtherProcessSample>(OnOtherProcessSample);
        }

        private void OnCpuSample(in CpuSample sample) => Add(sample.At);

        private void OnOtherProcessSample(in OtherProcessSample sample)
        {
            Assert.Equal(1_000_000, sample.CpuTicks);
            Add(sample.At);
        }

        private void Add(in EventAt at) => Seen.Add($"{at.ProcessId} {at.ThreadId} {at.Time}");
    }
}
