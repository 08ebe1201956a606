using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>Truncated and damaged files: read up to the damage, never a crash, a hang or unbounded memory.</summary>
public sealed class DamageTests
{
    private static readonly PerfReadOptions s_fileOrder = new() { Order = PerfRecordOrder.File };

    [Fact]
    public void A_file_cut_anywhere_is_read_up_to_the_cut()
    {
        var records = HandMade.Everything();
        var whole = HandMade.File(HandMade.Join(records));
        var ends = new List<int> { HandMade.DataAt };
        foreach (var record in records)
            ends.Add(ends[^1] + record.Length);
        using var file = new TemporaryFile();

        for (var length = 0; length < whole.Length; length++)
        {
            file.Replace(whole.AsSpan(0, length));
            if (length < HandMade.DataAt)
            {
                var error = Assert.Throws<TraceFormatException>(() => PerfDataReader.Open(file.Path));
                Assert.InRange(error.Offset, 0, HandMade.DataAt);
                continue;
            }

            foreach (var options in (PerfReadOptions[])[s_fileOrder, new()])
            {
                using var reader = PerfDataReader.Open(file.Path, options);
                var count = 0;
                while (reader.TryRead(out var record))
                    Assert.Equal(records[count++], record.Bytes.ToArray());
                var complete = ends.FindLastIndex(end => end <= length);
                Assert.Equal(complete, count);
                Assert.Equal(ends[complete], reader.Damage!.Offset);
            }
        }
    }

    [Fact]
    public void A_record_with_an_impossible_size_ends_reading_at_its_offset()
    {
        var records = HandMade.Everything();
        var data = HandMade.Join(records);
        var third = records[0].Length + records[1].Length;
        data[third + 6] = 3;
        data[third + 7] = 0;
        using var file = new TemporaryFile(HandMade.File(data));
        using var reader = PerfDataReader.Open(file.Path);

        Assert.True(reader.TryRead(out _));
        Assert.True(reader.TryRead(out _));
        Assert.False(reader.TryRead(out _));
        Assert.Equal(new PerfDataDamage(HandMade.DataAt + third, "a record of type 10 has size 3, less than its header"), reader.Damage);
    }

    [Fact]
    public void Zeros_in_the_data_end_reading()
    {
        using var file = new TemporaryFile(HandMade.File(HandMade.Join(HandMade.CpuSample(1, 7, 8, 0), new byte[64])));
        using var reader = PerfDataReader.Open(file.Path);

        Assert.True(reader.TryRead(out _));
        Assert.False(reader.TryRead(out _));
        Assert.Equal(HandMade.DataAt + HandMade.CpuSample(1, 7, 8, 0).Length, reader.Damage!.Offset);
    }

    /// <summary>
    /// 12,000 files with 1 to 8 changed bytes, half of them in header and features; everything a consumer calls is called.
    /// </summary>
    [Fact]
    public void Random_mutations_are_survived()
    {
        var whole = WrittenFile();
        var random = new Random(20_231_121);
        var mutated = new byte[whole.Length];
        using var file = new TemporaryFile();
        var largest = 0L;
        int refused = 0,
            damaged = 0,
            read = 0;
        for (var round = 0; round < 12_000; round++)
        {
            whole.CopyTo(mutated, 0);
            for (var changes = random.Next(1, 9); changes > 0; changes--)
            {
                var at = round % 2 == 0 ? random.Next(mutated.Length) : random.Next(Math.Min(HandMade.DataAt, mutated.Length));
                mutated[at] = random.Next(3) switch
                {
                    0 => 0xff,
                    1 => (byte)random.Next(256),
                    _ => (byte)(mutated[at] ^ 1 << random.Next(8)),
                };
            }

            file.Replace(mutated);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                using var reader = PerfDataReader.Open(file.Path, round % 3 == 0 ? s_fileOrder : null);
                var sum = Consume(reader);
                Assert.True(sum >= 0);
                _ = reader.Damage is null ? read++ : damaged++;
            }
            catch (TraceFormatException)
            {
                refused++;
            }

            largest = Math.Max(largest, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.True(largest < 64 << 20, $"a file of {whole.Length} bytes took {largest:N0} bytes");

        // The mutations reach all three outcomes, so the run tests what it should.
        Assert.All((int[])[refused, damaged, read], outcome => Assert.InRange(outcome, 100, 12_000));
    }

    private static byte[] WrittenFile()
    {
        using var file = new TemporaryFile();
        var format = TracingData.Write("page", "event", [("sched", HandMade.SwitchFormat)]);
        var features = new PerfDataFeatures
        {
            HostName = "machine",
            CommandLine = ["esp-record", "x"],
            Clock = new PerfClockData(1, 2, 3),
            ProcessorsPresent = 2,
        };
        PerfEvent[] events =
        [
            new(
                "cpu-clock:u",
                PerfEventSettings.Read(HandMade.Attribute(1, 0, 1_000_000, HandMade.Common | HandMade.CallChain)),
                [100, 101]
            ),
            new("sched:sched_switch", PerfEventSettings.Read(HandMade.Attribute(2, 372, 1, HandMade.Common | HandMade.Raw)), [200]),
            new(
                "cpu-clock",
                PerfEventSettings.Read(HandMade.Attribute(1, 0, 1_000_000, HandMade.Common | HandMade.CallChain)) with
                {
                    RegistersUser = UserRegisterSet.X64,
                    StackUserBytes = 16,
                },
                [300]
            ),
        ];
        byte[] dumped = Bytes.Record(
            9,
            2,
            new Bytes().U64(300, 5).U32(7, 8).U64(90).U32(1, 0).U64(1_000_000, 1, 5).U64(2, 1, 2, 5).U64(16, 3, 4, 16)
        );
        using (var writer = new PerfDataWriter(file.Path, events, features, format, 64 << 10))
        {
            foreach (var record in HandMade.Everything().Append(dumped))
            {
                writer.Write(record);
                writer.WriteFinishedRound();
            }
        }

        return File.ReadAllBytes(file.Path);
    }

    private static long Consume(PerfDataReader reader)
    {
        var sum = 0L;
        var switches = reader.Events.Select(SchedSwitchLayout.Create).FirstOrDefault(layout => layout is not null);
        var records = 0;
        while (reader.TryRead(out var record))
        {
            Assert.True(++records < 10_000, "a file of some KB has not so many records");
            if (record.TryReadSample(out var sample))
            {
                sum += sample.CallChain.Length + sample.Raw.Length + sample.UserStack.Length + sample.UserRegisters.Length;
                switches?.TryRead(sample.Raw, out _, out _, out _);
                foreach (var field in sample.Event.Format?.Fields ?? [])
                {
                    field.TryRead(sample.Raw, out _);
                    sum += field.ReadText(sample.Raw).Length;
                }
            }

            if (record.TryReadMapping(out var mapping))
                sum += mapping.Path.Length + mapping.BuildId.Length;
            if (record.TryReadComm(out _, out _, out var name))
                sum += name.Length;
            record.TryReadTask(out _);
            record.TryReadOtherThread(out _, out _);
            _ = record.Origin;
            _ = record.LostCount;
        }

        return sum;
    }
}
