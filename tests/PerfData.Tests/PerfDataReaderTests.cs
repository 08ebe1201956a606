using System.Text;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>The reader, on hand-made bytes.</summary>
public sealed class PerfDataReaderTests
{
    private static readonly PerfReadOptions s_fileOrder = new() { Order = PerfRecordOrder.File };

    [Fact]
    public void Every_kind_of_record_is_taken_apart()
    {
        using var file = new TemporaryFile(HandMade.File(HandMade.Join(HandMade.Everything())));
        using var reader = PerfDataReader.Open(file.Path);

        var comm = Next(reader);
        Assert.True(comm.TryReadComm(out var process, out var thread, out var name));
        Assert.Equal((7, 7, "dotnet", true), (process, thread, Encoding.UTF8.GetString(name), comm.IsExec));
        Assert.Equal(1, comm.Time);
        Assert.Equal(HandMade.DataAt, comm.FileOffset);

        Assert.True(Next(reader).TryReadMapping(out var mapping));
        Assert.Equal(
            (7, 0x7f0000000000UL, 0x2000UL, 0x1000UL, 5),
            (mapping.ProcessId, mapping.Address, mapping.Length, mapping.PageOffset, mapping.Protection)
        );
        Assert.Equal("/usr/lib/libcoreclr.so", Encoding.UTF8.GetString(mapping.Path));
        Assert.Equal(0, mapping.BuildId.Length);
        Assert.True(Next(reader).TryReadMapping(out mapping));
        Assert.Equal("DEADBEEF", Convert.ToHexString(mapping.BuildId));

        Assert.True(Next(reader).TryReadTask(out var task));
        Assert.Equal(new PerfTask(7, 7, 8, 7), task);

        var record = Next(reader);
        Assert.True(record.TryReadSample(out var sample));
        Assert.Equal(
            (7, 8, 1, 5L, 1_000_000UL, 0x7f0000000020UL),
            (sample.ProcessId, sample.ThreadId, sample.Cpu, sample.Time, sample.Period, sample.Ip)
        );
        Assert.Equal([PerfContext.User, 0x7f0000000010, 0x7f0000000020], sample.CallChain.ToArray());
        Assert.Equal([true, false, false], sample.CallChain.ToArray().Select(PerfContext.IsMarker));
        Assert.Same(reader.Events[0], sample.Event);
        Assert.False(sample.IsKernelMode);

        var wait = Next(reader);
        Assert.Equal(
            (PerfRecordType.Switch, true, false, new PerfRecordOrigin(7, 8, 1)),
            (wait.Type, wait.IsSwitchOut, wait.IsPreempted, wait.Origin)
        );
        Assert.True(Next(reader).IsPreempted);

        Assert.True(Next(reader).TryReadSample(out var tracepoint));
        Assert.Same(reader.Events[1], tracepoint.Event);
        Assert.True(tracepoint.IsKernelMode);
        Assert.Equal(0, tracepoint.CallChain.Length);
        Assert.Equal(68, tracepoint.Raw.Length);

        Assert.True(Next(reader).TryReadOtherThread(out process, out thread));
        Assert.Equal((70, 71), (process, thread));
        Assert.Equal(17, Next(reader).LostCount);
        Assert.Equal(PerfRecordType.Exit, Next(reader).Type);
        Assert.False(reader.TryRead(out _));
        Assert.Null(reader.Damage);
        Assert.Equal(0, reader.UnknownSamples);
    }

    [Fact]
    public void What_precedes_and_follows_call_chain_and_payload_is_skipped_or_given()
    {
        // IDENTIFIER IP TID TIME ADDR ID STREAM_ID CPU PERIOD READ(group, id, lost, both times) CALLCHAIN RAW BRANCH_STACK(hw index)
        // REGS_USER(3) STACK_USER
        const ulong Fields =
            1UL << 16 | 0b111 | 1 << 3 | 1 << 6 | 1 << 9 | 1 << 7 | 1 << 8 | 1 << 4 | 1 << 5 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13;
        byte[] attribute = new Bytes()
            .U32(4, 128)
            .U64(0, 1, Fields, 0b11111, HandMade.SampleIdAll)
            .U32(0, 0)
            .U64(0, 0, 1 << 17, 0b1011)
            .U32(16, 1)
            .U64(0)
            .U32(0)
            .U16(0, 0)
            .U32(0, 0)
            .U64(0);
        byte[] payload = new Bytes()
            .U64(9, 0x1234)
            .U32(1, 2)
            .U64(3, 0xadd, 9, 9)
            .U32(4, 0)
            .U64(5)
            .U64(2, 10, 11)
            .U64(20, 21, 22)
            .U64(30, 31, 32) // two counters
            .U64(2, 0xa, 0xb)
            .U32(4)
            .U8(1, 2, 3, 4)
            .U64(1, 0, 1, 2, 3) // count, hardware index, one branch
            .U64(2, 100, 101, 102) // ABI, three registers
            .U64(16, 0x1111, 0x2222, 8); // 16 bytes of which 8 are valid
        byte[] content = new Bytes()
            .U8("PERFILE2"u8.ToArray())
            .U64(104, 144)
            .U64(112, 144)
            .U64(256, (ulong)payload.Length + 8)
            .U64(0, 0)
            .U64(0, 0, 0, 0)
            .U64(9)
            .Add(attribute)
            .U64(104, 8)
            .Add(Bytes.Record(9, 2, payload));
        using var file = new TemporaryFile(content);
        using var reader = PerfDataReader.Open(file.Path);

        Assert.True(Next(reader).TryReadSample(out var sample));

        Assert.Equal(
            (0x1234UL, 1, 2, 3L, 0xaddUL, 4, 5UL),
            (sample.Ip, sample.ProcessId, sample.ThreadId, sample.Time, sample.Address, sample.Cpu, sample.Period)
        );
        Assert.Equal([0xaUL, 0xb], sample.CallChain.ToArray());
        Assert.Equal([1, 2, 3, 4], sample.Raw.ToArray());
        Assert.Equal([100UL, 101, 102], sample.UserRegisters.ToArray());
        Assert.Equal(BitConverter.GetBytes(0x1111UL), sample.UserStack.ToArray());
    }

    /// <summary>IDENTIFIER IP TID TIME CALLCHAIN, followed by registers and stack, which are in the mask but not in the fields.</summary>
    [Fact]
    public void Registers_and_stack_after_the_fields_are_read()
    {
        const ulong Fields = 1UL << 16 | 0b111 | 1 << 5;
        byte[] attribute = new Bytes()
            .U32(1, 128)
            .U64(0, 1, Fields, 0, HandMade.SampleIdAll)
            .U32(0, 0)
            .U64(0, 0, 0, UserRegisterSet.X64)
            .U32(16, 1)
            .U64(0)
            .U32(0)
            .U16(0, 0)
            .U32(0, 0)
            .U64(0);
        Bytes Head() => new Bytes().U64(9, 0x1234).U32(1, 2).U64(3).U64(2, PerfContext.User, 0x1234);
        byte[] whole = Head().U64(2, 0xb, 0x7000, 0x1234).U64(16, 0x1111, 0x2222, 16);
        byte[] kernelThread = Head().U64(0).U64(0);
        byte[] without = Head();
        var all = HandMade.Join(
            Bytes.Record(9, 2, whole),
            Bytes.Record(9, 2, kernelThread),
            Bytes.Record(9, 2, without),
            Bytes.Record(9, 2, whole[..^16])
        );
        byte[] content = new Bytes()
            .U8("PERFILE2"u8.ToArray())
            .U64(104, 144)
            .U64(112, 144)
            .U64(256, (ulong)all.Length)
            .U64(0, 0)
            .U64(0, 0, 0, 0)
            .U64(9)
            .Add(attribute)
            .U64(104, 8)
            .Add(all);
        using var file = new TemporaryFile(content);
        using var reader = PerfDataReader.Open(file.Path, s_fileOrder);

        Assert.True(Next(reader).TryReadSample(out var sample));
        Assert.Equal([0xbUL, 0x7000, 0x1234], sample.UserRegisters.ToArray());
        Assert.Equal([.. BitConverter.GetBytes(0x1111UL), .. BitConverter.GetBytes(0x2222UL)], sample.UserStack.ToArray());
        for (var rest = 0; rest < 3; rest++)
        {
            Assert.True(Next(reader).TryReadSample(out sample));
            Assert.Equal(2, sample.CallChain.Length);
            Assert.Equal(0, sample.UserStack.Length);
        }
    }

    [Fact]
    public void A_sample_shorter_than_its_fields_say_is_refused_and_reading_goes_on()
    {
        var good = HandMade.CpuSample(1, 7, 8, 0, 1, 2, 3);
        var bad = HandMade.CpuSample(2, 7, 8, 0, 1, 2, 3);
        bad[8 + 6 * 8] = 200; // number of frames
        using var file = new TemporaryFile(HandMade.File(HandMade.Join(bad, good)));
        using var reader = PerfDataReader.Open(file.Path, s_fileOrder);

        Assert.False(Next(reader).TryReadSample(out _));
        Assert.True(Next(reader).TryReadSample(out var sample));
        Assert.Equal(3, sample.CallChain.Length);
    }

    [Fact]
    public void Tracing_data_describes_the_payload_of_a_switch()
    {
        var tracing = TracingData.Write("page", "event", [("sched", HandMade.SwitchFormat)]);
        var format = Assert.Single(TracingData.Read(tracing));
        Assert.Equal(("sched", "sched_switch", 372), (format.System, format.Name, format.Id));
        Assert.Equal(new TracepointField("prev_comm", 8, 16, false), format.Find("prev_comm"));
        Assert.Equal(7, format.Fields.Count);

        using var file = new TemporaryFile(HandMade.File(HandMade.SwitchTracepoint(8, 1, previous: 42, state: 1, next: 43)));
        using var reader = PerfDataReader.Open(file.Path);
        Assert.True(Next(reader).TryReadSample(out var sample));
        var layout = SchedSwitchLayout.Create(new PerfEvent("sched:sched_switch", sample.Event.Settings, [], format));
        Assert.NotNull(layout);
        Assert.True(layout.TryRead(sample.Raw, out var previous, out var state, out var next));
        Assert.Equal((42, 1L, 43), (previous, state, next));
        Assert.False(layout.TryRead(sample.Raw[..58], out _, out _, out _));
        Assert.Null(SchedWakingLayout.Create(new PerfEvent("", sample.Event.Settings, [], format)));
    }

    [Fact]
    public void An_AUX_area_is_skipped_even_when_larger_than_the_window()
    {
        var aux = Bytes.Record(71, 0, new Bytes().U64(5_000_000).U64(0, 0, 0, 0));
        using var file = new TemporaryFile(
            HandMade.File(HandMade.Join(HandMade.CpuSample(1, 7, 8, 0), aux, new byte[5_000_000], HandMade.CpuSample(2, 7, 8, 0)))
        );
        using var reader = PerfDataReader.Open(file.Path);

        Assert.Equal([1, 2], Times(reader));
        Assert.Null(reader.Damage);
    }

    [Fact]
    public void A_sample_of_an_unknown_event_is_left_out_and_counted()
    {
        var foreign = HandMade.CpuSample(1, 7, 8, 0);
        foreign[8] = 77;
        using var file = new TemporaryFile(HandMade.File(HandMade.Join(foreign, HandMade.CpuSample(2, 7, 8, 0))));
        using var reader = PerfDataReader.Open(file.Path);

        Assert.Equal([2], Times(reader));
        Assert.Equal(1, reader.UnknownSamples);
    }

    [Fact]
    public void Without_a_data_size_records_are_read_to_the_end_of_the_file()
    {
        using var file = new TemporaryFile(HandMade.File(HandMade.Join(HandMade.Everything()), size: 0));
        using var reader = PerfDataReader.Open(file.Path);

        Assert.Contains("killed", Assert.Single(reader.Warnings), StringComparison.Ordinal);
        Assert.Equal(HandMade.Everything().Length, Times(reader).Count);
    }

    [Fact]
    public void Reading_allocates_for_the_window_and_not_for_records()
    {
        var few = Allocated(10_000);
        var many = Allocated(100_000);

        Assert.True(many - few < 64 * 1024, $"10,000 records: {few:N0} bytes, 100,000 records: {many:N0} bytes");

        static long Allocated(int count)
        {
            var round = HandMade.Join([
                .. Enumerable.Range(0, 100).Select(index => HandMade.CpuSample((ulong)index + 1, 7, 8, (uint)index / 50, 1, 2, 3)),
                HandMade.Round(),
            ]);
            using var file = new TemporaryFile(HandMade.File(HandMade.Join(Enumerable.Repeat(round, count / 100))));
            var before = GC.GetAllocatedBytesForCurrentThread();
            using var reader = PerfDataReader.Open(file.Path);
            var frames = 0L;
            while (reader.TryRead(out var record))
                frames += record.TryReadSample(out var sample) ? sample.CallChain.Length : 0;
            Assert.Equal(3L * count, frames);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Theory]
    [InlineData("", "empty")]
    [InlineData("abc", "3 bytes")]
    [InlineData("Nettrace and more bytes of another kind of file", "another kind of file")]
    [InlineData("2ELIFREP", "big-endian")]
    [InlineData("PERFFILE", "version 1")]
    [InlineData("PERFILE2", "ends inside the header")]
    public void A_foreign_file_is_refused_with_a_reason(string content, string reason)
    {
        using var file = new TemporaryFile(Encoding.ASCII.GetBytes(content));

        var error = Assert.Throws<TraceFormatException>(() => PerfDataReader.Open(file.Path));

        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        Assert.Equal(file.Path, error.TraceFile);
    }

    [Fact]
    public void A_file_of_a_pipe_is_refused()
    {
        using var file = new TemporaryFile(new Bytes().U8("PERFILE2"u8.ToArray()).U64(16));

        Assert.Contains(
            "pipe",
            Assert.Throws<TraceFormatException>(() => PerfDataReader.Open(file.Path)).Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(81)]
    [InlineData(83)]
    public void A_compressed_record_in_a_file_without_compression_is_damage(uint type)
    {
        using var file = new TemporaryFile(
            HandMade.File(HandMade.Join(HandMade.CpuSample(1, 7, 8, 0), Bytes.Record(type, 0, new byte[32])))
        );
        using var reader = PerfDataReader.Open(file.Path, s_fileOrder);

        Assert.Equal([1], Times(reader));
        Assert.Equal(HandMade.DataAt + HandMade.CpuSample(1, 7, 8, 0).Length, reader.Damage!.Offset);
    }

    private static PerfRecord Next(PerfDataReader reader)
    {
        Assert.True(reader.TryRead(out var record));
        return record;
    }

    private static List<long> Times(PerfDataReader reader)
    {
        var times = new List<long>();
        while (reader.TryRead(out var record))
            times.Add(record.Time);
        return times;
    }
}
