using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Payload of ExceptionThrown. Source of the fields: ClrEtwAll.man of dotnet/runtime (Exception_V1).</summary>
internal static class ExceptionPayload
{
    private const int Rethrown = 4;

    /// <summary>Reads ExceptionThrown; fields that do not fit are omitted.</summary>
    public static ExceptionThrown Read(in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail)
    {
        var rest = payload;
        if (!PayloadReader.TryReadText(ref rest, out var type))
            return new ExceptionThrown { At = at, Stack = detail.Stack };
        PayloadReader.TryReadText(ref rest, out var message);

        // Address, HRESULT (4), flags (2), runtime instance (2).
        var isWhole = rest.Length >= detail.PointerBytes + 8;
        return new ExceptionThrown
        {
            At = at,
            Type = type,
            Message = message,
            HResult = isWhole ? BinaryPrimitives.ReadInt32LittleEndian(rest[detail.PointerBytes..]) : null,
            IsRethrown = isWhole && (BinaryPrimitives.ReadUInt16LittleEndian(rest[(detail.PointerBytes + 4)..]) & Rethrown) != 0,
            Stack = detail.Stack,
        };
    }
}
