using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Lines;

/// <summary>Maps from code to IL, which the runtime writes next to the events of code: each belongs to the adjacent code.</summary>
public sealed class StatementMapTests
{
    private const int Loaded = 190,
        ListedAtBegin = 149,
        ListedAtEnd = 150;

    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");

    private readonly ManagedCodeMap _map = new(lines: new CodePointsPool());

    [Fact]
    public void A_map_after_a_load_is_that_of_the_code()
    {
        Code(1, 0x1000);
        Map(Loaded, 1, (0, -2), (8, 0), (40, 12));
        Code(2, 0x2000);

        Assert.Equal([0, 0, 0, 12], ((ulong[])[0, 7, 8, 41]).Select(offset => StatementAt(0x1000 + offset)));
        Assert.Null(StatementAt(0x2008));
    }

    [Fact]
    public void A_map_before_a_method_in_the_list_at_the_end_is_that_of_the_code()
    {
        Map(ListedAtEnd, 1, (4, 3));
        Code(1, 0x1000, isRundown: true);
        Map(ListedAtEnd, 2, (4, 5));
        Code(1, 0x3000, isRundown: true); // not the method of the map before it
        Map(ListedAtBegin, 1, (4, 7));

        Assert.Equal(3, StatementAt(0x1004));
        Assert.Equal(7, StatementAt(0x3004));
    }

    [Fact]
    public void Each_thread_has_its_own_code()
    {
        Code(1, 0x1000, thread: 1);
        Code(2, 0x2000, thread: 2);
        Map(Loaded, 1, thread: 1, (4, 3));
        Map(Loaded, 1, thread: 2, (4, 5)); // its thread loaded another method

        Assert.Equal(3, StatementAt(0x1004));
        Assert.Null(StatementAt(0x2004));
    }

    [Fact]
    public void Offsets_come_in_any_order_and_a_short_map_is_none()
    {
        Code(1, 0x1000);
        Dispatch(ClrTraceEventParser.ProviderGuid, Loaded, Payload(1, (4, 3))[..^2], 1);
        Assert.Null(StatementAt(0x1004));

        Map(Loaded, 1, (40, 12), (8, 0));
        Assert.Equal([0, 12], ((ulong[])[9, 40]).Select(offset => StatementAt(0x1000 + offset)));
    }

    private int? StatementAt(ulong address) =>
        _map.TryFind(address, 10, out var code, out var tree, out _, out _) && tree?.Points is { } points
            ? points.StatementOf(points.At(address - code.Start), 0)
            : null;

    private void Code(long method, ulong start, bool isRundown = false, int thread = 1) =>
        EventHub
            .Of(_map)
            .Publish(new MethodCode(new EventAt(1, 1, thread), method, 1, start, 0x100, CodeTier.Tier1, isRundown, "T", "M", ""));

    private void Map(int id, long method, params (uint Offset, int Instruction)[] points) => Map(id, method, 1, points);

    private void Map(int id, long method, int thread, params (uint Offset, int Instruction)[] points) =>
        Dispatch(id == Loaded ? ClrTraceEventParser.ProviderGuid : s_rundown, id, Payload(method, points), thread);

    private void Dispatch(Guid provider, int id, byte[] payload, int thread) =>
        new ClrEventDispatcher(EventHub.Of(_map)).Dispatch(provider, id, new EventAt(1, 1, thread), payload);

    private static byte[] Payload(long method, params (uint Offset, int Instruction)[] points)
    {
        var bytes = new byte[19 + (8 * points.Length)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, method);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(17), (ushort)points.Length);
        for (var i = 0; i < points.Length; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(19 + (4 * i)), points[i].Instruction);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(19 + (4 * (points.Length + i))), points[i].Offset);
        }

        return bytes;
    }
}
