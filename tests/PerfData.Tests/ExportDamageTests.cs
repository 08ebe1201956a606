using System.Buffers.Binary;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>Records that Linux does not write and an .etl cannot hold are left out of an export and counted.</summary>
public sealed class ExportDamageTests
{
    /// <summary>Where a sample of <see cref="HandMade"/> has its processor, and where other records have theirs, from their end.</summary>
    private const int CpuOfSample = 40,
        CpuFromEnd = 16;

    [Theory]
    [InlineData(EtlWriter.MaxProcessor + 1)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    [InlineData(-2)]
    public void A_damaged_processor_number_costs_its_record(int processor)
    {
        var sample = HandMade.CpuSample(30, 7, 7, 0, unchecked((ulong)-512L), 0x7f0000000010);
        BinaryPrimitives.WriteInt32LittleEndian(sample.AsSpan(CpuOfSample), processor);
        var switched = HandMade.Other(14, 0, 31, 7, 7, 0, []);
        BinaryPrimitives.WriteInt32LittleEndian(switched.AsSpan(switched.Length - CpuFromEnd), processor);

        var whole = Export(HandMade.Everything());
        var damaged = Export([.. HandMade.Everything(), sample, switched]);

        Assert.Equal(whole.Events, damaged.Events);
        Assert.Contains("2 damaged records of the kernel session are omitted", damaged.Missing);
        Assert.DoesNotContain(whole.Missing, text => text.Contains("damaged", StringComparison.Ordinal));
    }

    [Fact]
    public void Names_and_paths_longer_than_a_record_cost_theirs()
    {
        var text = new string('x', 60_000);
        var name = HandMade.Other(3, 0, 30, 7, 7, 0, new Bytes().U32(7, 7).Text(text, 8));
        var path = HandMade.Other(
            10,
            2,
            31,
            7,
            7,
            0,
            new Bytes().U32(7, 7).U64(0x7f2000000000, 0x2000, 0x1000).U32(8, 1).U64(4711, 0).U32(5, 2).Text("/" + text, 8)
        );

        var whole = Export(HandMade.Everything());
        var damaged = Export([.. HandMade.Everything(), name, path]);

        Assert.Equal(whole.Events, damaged.Events);
        Assert.Contains("2 damaged records of the kernel session are omitted", damaged.Missing);
    }

    [Fact]
    public void Three_hundred_damaged_copies_are_exported_or_refused()
    {
        var whole = HandMade.WithClock(HandMade.File(HandMade.Join(HandMade.Everything())));
        byte[] extremes = [0, 1, 0x7f, 0x80, 0xff];
        var exported = 0;
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var bytes = (byte[])whole.Clone();
            for (var change = random.Next(1, 8); change > 0; change--)
                bytes[random.Next(HandMade.DataAt, bytes.Length)] =
                    random.Next(2) == 0 ? extremes[random.Next(extremes.Length)] : (byte)random.Next(256);
            try
            {
                Export(bytes);
                exported++;
            }
            catch (TraceFormatException exception)
            {
                Assert.Contains("perf.data", exception.Message, StringComparison.Ordinal);
            }
        }

        Assert.True(exported > 100, $"{exported} were exported");
    }

    private static TraceExportResult Export(byte[][] records) => Export(HandMade.WithClock(HandMade.File(HandMade.Join(records))));

    private static TraceExportResult Export(byte[] file)
    {
        var folder = Directory.CreateTempSubdirectory("esp-test-").FullName;
        try
        {
            var path = Path.Combine(folder, "perf.data");
            File.WriteAllBytes(path, file);
            return EtlExporter.Run(
                TraceInputReader.Open([path]),
                new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero),
                new TraceExportOptions(Path.Combine(folder, "x.etl")),
                TestContext.Current.CancellationToken
            );
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
