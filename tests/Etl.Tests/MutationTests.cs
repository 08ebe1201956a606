using System.Buffers.Binary;

namespace EtwSerializerProfiler.Etl.Tests;

/// <summary>Random damage may only cause an error that names the file. The longer run is <c>etl-fuzz</c> of the benchmarks.</summary>
public sealed class MutationTests
{
    private const int Rounds = 100_000;

    [Fact]
    public void A_hundred_thousand_mutations_give_events_or_an_error_and_bounded_memory()
    {
        var traces = Traces();
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var random = new Random(20_260_101);
        long events = 0,
            damages = 0;
        var errors = 0;
        long largest = 0;
        for (var round = 0; round < Rounds; round++)
        {
            // The largest trace takes as long as all others together, so it is used less often.
            var trace = traces[round % 20 == 0 ? traces.Count - 1 : round % Math.Max(1, traces.Count - 1)];
            var mutated = Mutate(trace, random);
            try
            {
                using var reader = EtlReader.Open(mutated, "mutated", new EtlReadOptions { DecodeThreads = round % 500 == 0 ? 1 : 0 });
                while (reader.TryRead(out var read))
                    events += Touch(read);
                damages += reader.Statistics.DamageCount;
                Assert.True(reader.Statistics.Events <= mutated.Length * 400L);
            }
            catch (EtlFormatException error)
            {
                Assert.Equal("mutated", error.TraceFile);
                errors++;
            }

            if (round % 1000 == 0)
                largest = Math.Max(largest, GC.GetTotalMemory(forceFullCollection: false) - before);
        }

        Assert.True(events > 0 && damages > 0 && errors > 0, $"{events} events, {damages} damages, {errors} errors");
        Assert.InRange(largest, 0, 512L << 20);
    }

    [Fact]
    public void Lengths_that_lie_take_no_more_memory_than_allowed()
    {
        // All compressed buffers claim 16 MB and expand to it, at one time.
        using var folder = new TempFolder();
        var path = folder.PathOf("lies.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = 4096, Compress = true }))
        {
            for (var number = 0; number < 40_000; number++)
                writer.Write(
                    new EtlEventFields
                    {
                        HeaderType = EtlHeaderType.PerfInfo64,
                        Timestamp = 5,
                        Processor = number % 64,
                    },
                    new byte[8]
                );
        }

        var content = File.ReadAllBytes(path);
        for (var offset = BitConverter.ToInt32(content); offset < content.Length; offset += BitConverter.ToInt32(content, offset))
            BinaryPrimitives.WriteInt32LittleEndian(content.AsSpan(offset + 0x30), 16 << 20);
        using var reader = EtlReader.Open(content, "lies");
        var largest = 0L;
        while (reader.TryRead(out _))
        {
            if (reader.Statistics.Events % 1000 == 0)
                largest = Math.Max(largest, GC.GetTotalMemory(forceFullCollection: false));
        }

        Assert.Equal(40_001, reader.Statistics.Events);
        Assert.Equal(reader.Statistics.Buffers - 1, reader.Statistics.DamageCount);
        Assert.InRange(largest, 0, 512L << 20);
    }

    /// <summary>Small real traces where they are there, and written ones with all header types.</summary>
    private static List<byte[]> Traces()
    {
        var traces = new List<byte[]> { Written(false), Written(true), Lznt1Tests.Compress(Written(false)) };
        traces.AddRange(RealTraces.Small());
        return traces;
    }

    private static byte[] Written(bool compress)
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("written.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = 4096, Compress = compress }))
        {
            Span<byte> room = stackalloc byte[200];
            for (var number = 0; number < 200; number++)
            {
                var written = WrittenEvent.Create(
                    WrittenEvent.Types[number % WrittenEvent.Types.Length],
                    number % 3,
                    100 + number,
                    number,
                    number % 90
                );
                var items = new EtlExtendedItemWriter(room);
                if (written.IsEvent)
                    items.AddStack(1, [1, 2, 3]);
                writer.Write(written.Fields, written.Payload, items.Written);
            }
        }

        return File.ReadAllBytes(path);
    }

    private static byte[] Mutate(byte[] trace, Random random)
    {
        var mutated = trace.AsSpan(0, random.Next(4) == 0 ? random.Next(trace.Length + 1) : trace.Length).ToArray();
        if (mutated.Length < 80)
            return mutated;
        for (var change = random.Next(1, 6); change > 0; change--)
        {
            switch (random.Next(4))
            {
                case 0: // a bit
                    mutated[random.Next(mutated.Length)] ^= (byte)(1 << random.Next(8));
                    break;
                case 1: // a byte of the first buffer
                    mutated[random.Next(Math.Min(mutated.Length, 700))] = (byte)random.Next(256);
                    break;
                case 2: // a number that may be a length
                    var value = random.Next(3) switch
                    {
                        0 => random.Next(),
                        1 => random.Next(1 << 25),
                        _ => -1,
                    };
                    BinaryPrimitives.WriteInt32LittleEndian(mutated.AsSpan(random.Next(mutated.Length - 4) & ~3), value);
                    break;
                default: // a field of a buffer's header
                    var size = Math.Max(BinaryPrimitives.ReadInt32LittleEndian(trace), 72);
                    var buffer = random.Next(0, mutated.Length / size + 1) * (long)size;
                    var at = buffer + random.Next(18) * 4;
                    if (at + 4 <= mutated.Length)
                        BinaryPrimitives.WriteInt32LittleEndian(
                            mutated.AsSpan((int)at),
                            random.Next(2) == 0 ? random.Next(1 << 18) : random.Next()
                        );
                    break;
            }
        }

        return mutated;
    }

    /// <summary>Reads every property of an event; returns 1.</summary>
    private static int Touch(EtlEvent read)
    {
        var sum =
            read.Timestamp
            + read.ThreadId
            + read.ProcessId
            + read.Id
            + read.Version
            + read.Channel
            + read.Level
            + read.Opcode
            + read.Task
            + (long)read.Keywords
            + read.Flags
            + read.EventProperty
            + read.KernelTime
            + read.UserTime
            + (long)read.ProcessorTime
            + read.PointerSize
            + read.InstanceId
            + read.ParentInstanceId
            + read.Group
            + read.Processor
            + read.ProviderId.GetHashCode()
            + read.ActivityId.GetHashCode();
        foreach (var item in read.ExtendedItems)
            sum += item.Data.Length > 0 ? item.Data[^1] : 0;
        foreach (var value in read.Payload)
            sum += value;
        return (sum + read.Counters.Length + read.RawHeader.Length) == long.MinValue ? 0 : 1;
    }
}
