using System.Reflection;
using System.Reflection.Emit;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// Reads the stack of an event of EventPipe. TraceEvent 4.0 puts it into the event's EVENT_RECORD as an extended item, and a generated method loads the internal field that points to the record.
/// Each event's record is checked against what is public of the event; a version of TraceEvent that does it otherwise gives no stacks.
/// </summary>
/// <remarks>
/// Why a generated method: the public API shows stacks only through TraceLog, which converts the whole file first. The field is internal, so no subclass of an event reaches it. UnsafeAccessor
/// returns no reference to a field of an inaccessible pointer type (NotSupportedException, .NET 10). Our own parser knows the stacks of a block, but TraceEvent sorts the events of several blocks and
/// copies their payloads, so nothing public says which of them an event is. Without TraceEvent's dispatch the reason goes, and this file with it.
/// <para/>
/// EVENT_RECORD (evntcons.h): u16 id at 40 (header of 80 bytes), u16 count of extended items at 84, u16 payload bytes at 86, pointer to the items at 88, pointer to the payload at 96. An item
/// (EVENT_HEADER_EXTENDED_DATA_ITEM): u16 type at 2, u16 size at 6, pointer to its data at 8: u64 match id, then addresses.
/// </remarks>
internal static unsafe class EventRecordStack
{
    private const int IdAt = 40;
    private const int ItemCountAt = 84;
    private const int PayloadBytesAt = 86;
    private const int ItemsAt = 88;
    private const int PayloadAt = 96;
    private const int ItemBytes = 16;

    /// <summary>EVENT_HEADER_EXT_TYPE_STACK_TRACE32 and 64.</summary>
    private const int StackTrace32 = 5;
    private const int StackTrace64 = 6;
    private const int MatchIdBytes = 8;

    private static readonly Func<TraceEvent, nint>? s_record = CreateReader("eventRecord");

    /// <summary>Whether this version of TraceEvent has the record.</summary>
    public static bool IsAvailable => s_record is not null;

    /// <summary>The event's id as it is in the file: a parser gives ids of its own to events that have one in common (GCDynamicEvent).</summary>
    public static ushort IdOf(TraceEvent data)
    {
        var record = s_record is null || sizeof(nint) != 8 ? null : (byte*)s_record(data);
        return record is null || *(nint*)(record + PayloadAt) != data.DataStart ? (ushort)data.ID : *(ushort*)(record + IdAt);
    }

    /// <summary>Addresses, leaf first, valid while the event is; empty when the event has none.</summary>
    /// <param name="data">The event.</param>
    /// <param name="widened">Buffer for addresses of 32 bits.</param>
    public static ReadOnlySpan<ulong> Read(TraceEvent data, ref ulong[] widened)
    {
        if (s_record is null || sizeof(nint) != 8)
            return default;
        var record = (byte*)s_record(data);
        if (record is null || *(ushort*)(record + PayloadBytesAt) != data.EventDataLength || *(nint*)(record + PayloadAt) != data.DataStart)
            return default;
        int items = *(ushort*)(record + ItemCountAt);
        var item = *(byte**)(record + ItemsAt);
        for (var i = 0; i < items && item is not null; i++, item += ItemBytes)
        {
            var bytes = *(ushort*)(item + 6) - MatchIdBytes;
            var addresses = *(byte**)(item + 8) + MatchIdBytes;
            switch (*(ushort*)(item + 2))
            {
                case StackTrace64 when bytes > 0:
                    return new ReadOnlySpan<ulong>(addresses, bytes / sizeof(ulong));
                case StackTrace32 when bytes > 0:
                    return Widen(new ReadOnlySpan<uint>(addresses, bytes / sizeof(uint)), ref widened);
            }
        }

        return default;
    }

    /// <summary>A method that loads a field of an event; null when there is no such field, or it is no pointer.</summary>
    internal static Func<TraceEvent, nint>? CreateReader(string field)
    {
        if (typeof(TraceEvent).GetField(field, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public) is not { FieldType.IsPointer: true } found)
            return null;
        var method = new DynamicMethod("Load_" + field, typeof(nint), [typeof(TraceEvent)], typeof(TraceEvent).Module, skipVisibility: true);
        var code = method.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldfld, found);
        code.Emit(OpCodes.Conv_I);
        code.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<TraceEvent, nint>>();
    }

    private static ReadOnlySpan<ulong> Widen(ReadOnlySpan<uint> addresses, ref ulong[] widened)
    {
        if (widened.Length < addresses.Length)
            widened = new ulong[Math.Max(addresses.Length, 2 * widened.Length)];
        for (var i = 0; i < addresses.Length; i++)
            widened[i] = addresses[i];
        return widened.AsSpan(0, addresses.Length);
    }
}
