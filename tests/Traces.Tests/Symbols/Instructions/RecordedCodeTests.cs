using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols.Instructions;
using EtwSerializerProfiler.Traces.Tests.JitDumps;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Instructions;

/// <summary>Which bytes of a jitdump are those of a piece of code that a trace names.</summary>
public sealed class RecordedCodeTests : IDisposable
{
    private const string First = "void [App] App.A::First()[OptimizedTier1]",
        Second = "void [App] App.A::Second()[OptimizedTier1]";

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Code_has_the_bytes_of_its_address_size_and_name()
    {
        var recorded = Open(new JitDumpBytes().Load(10, 0x1000, First, 1, [1, 2, 3]).Load(11, 0x2000, Second, 2, [4, 5, 6]));

        Assert.True(recorded.IsRecorded);
        Assert.Equal([1, 2, 3], Bytes(recorded, Code(10, 0x1000, 3, "First")));
        Assert.Equal([4, 5, 6], Bytes(recorded, Code(10, 0x2000, 3, "Second")));
        Assert.Null(Bytes(recorded, Code(10, 0x1000, 4, "First")));
        Assert.Null(Bytes(recorded, Code(10, 0x1000, 3, "Second")));
        Assert.Null(Bytes(recorded, Code(10, 0x1001, 3, "First")));
        Assert.Equal("", recorded.Problem);
    }

    [Fact]
    public void Of_code_that_was_made_twice_at_an_address_the_nearest_in_time_is_meant()
    {
        var twice = new JitDumpBytes().Load(10, 0x1000, First, 1, [1]).Load(50, 0x1000, First, 2, [2]);
        var recorded = Open(twice);

        Assert.Equal([1], Bytes(recorded, Code(11, 0x1000, 1, "First")));
        Assert.Equal([2], Bytes(recorded, Code(49, 0x1000, 1, "First")));
        Assert.Null(Bytes(recorded, Code(49, 0x1000, 1, "First") with { IsRundown = true }));
        Assert.Null(
            Bytes(
                Open(new JitDumpBytes(flags: 1).Load(10, 0x1000, First, 1, [1]).Load(50, 0x1000, First, 2, [2])),
                Code(11, 0x1000, 1, "First")
            )
        );
        Assert.Equal(
            [1],
            Bytes(
                Open(new JitDumpBytes(flags: 1).Load(10, 0x1000, First, 1, [1]).Load(50, 0x1000, First, 2, [1])),
                Code(11, 0x1000, 1, "First")
            )
        );
    }

    [Fact]
    public void Without_a_dump_nothing_is_recorded()
    {
        var recorded = RecordedCode.Of(Process());

        Assert.False(recorded.IsRecorded);
        Assert.Equal("", recorded.Problem);
        Assert.Null(Bytes(recorded, Code(10, 0x1000, 3, "First")));
    }

    [Fact]
    public void Code_of_another_processor_is_known_as_such() =>
        Assert.True(Open(new JitDumpBytes(machine: 183).Load(10, 0x1000, First, 1, [1])).IsOfOtherProcessor);

    [Fact]
    public void A_damaged_dump_says_so_and_has_what_lies_before()
    {
        var made = new JitDumpBytes();
        int[] ends = [made.Length, made.Load(10, 0x1000, First, 1, [1, 2, 3]).Length];
        var whole = made.Load(11, 0x2000, Second, 2, [4, 5, 6]).ToArray();
        for (var length = 0; length < whole.Length; length++)
        {
            File.WriteAllBytes(DumpPath, whole[..length]);
            var recorded = RecordedCode.Of(Process());
            Assert.Null(Bytes(recorded, Code(10, 0x2000, 3, "Second")));
            Assert.Equal(length >= ends[1], Bytes(recorded, Code(10, 0x1000, 3, "First")) is not null);
            Assert.Equal(ends.Contains(length), recorded.Problem.Length == 0);
        }

        File.WriteAllBytes(DumpPath, [.. whole[..100], .. new byte[200]]);
        Assert.Contains("no bytes", RecordedCode.Of(Process()).Problem, StringComparison.Ordinal);
    }

    private string DumpPath => Path.Combine(_folder.Path, "jit-100.dump");

    private RecordedCode Open(JitDumpBytes dump)
    {
        File.WriteAllBytes(DumpPath, dump.ToArray());
        return RecordedCode.Of(Process());
    }

    private TracedProcess Process()
    {
        var map = Path.Combine(_folder.Path, "perf-100.map");
        File.WriteAllText(map, "1000 3 x\n");
        return new TracedProcess(100, "App", "10.0", [PerfMapSource.Open(map, 100, new TraceClock(0, 1_000_000_000))], []);
    }

    private static byte[]? Bytes(RecordedCode recorded, MethodCode code) => recorded.TryFind(code, out var bytes) ? bytes : null;

    private static MethodCode Code(long time, ulong start, uint size, string name) =>
        new(new EventAt(time, 100, 0), 1, 1, start, size, CodeTier.Tier1, false, "App.A", name, "");
}
