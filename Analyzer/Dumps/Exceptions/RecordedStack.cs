using System.Buffers.Binary;
using EtwSerializerProfiler.Dumps.Files;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>
/// The stack in a field of an exception object. ClrMD 4.1 returns none if it includes dynamic methods, as with serializers that emit code:
/// the field then contains an array of objects whose first element is the byte array that the field otherwise contains directly. Layout:
/// number of frames and thread, each of pointer size (since .NET 9 the upper half of the number has another meaning), then for each frame
/// instruction pointer, stack pointer, method and flags (StackTraceElement of clrex.h in dotnet/runtime).
/// </summary>
internal static class RecordedStack
{
    /// <summary>Maximum plausible number of frames.</summary>
    private const int MaxFrames = 100_000;

    /// <summary>Words of the header and of a frame.</summary>
    private const int HeadWords = 2,
        FrameWords = 4;

    /// <summary>The methods, throwing one first; null for a method without a name.</summary>
    public static IEnumerable<ClrMethod?> Methods(DumpSession session, ClrException exception)
    {
        if (!exception.AsObject().TryReadObjectField("_stackTrace", out var stack) || stack.IsNull)
            return [];
        if (stack.IsArray && stack.Type is { ComponentType.IsObjectReference: true } && stack.AsArray().Length > 0)
            stack = stack.AsArray().GetObjectValue(0);
        if (stack.IsNull || !stack.IsArray || stack.Type?.ComponentSize != 1)
            return [];
        return Read(session, stack);
    }

    private static IEnumerable<ClrMethod?> Read(DumpSession session, ClrObject stack)
    {
        var word = session.Target.DataReader.PointerSize;
        var length = stack.AsArray().Length;
        var bytes = new byte[Math.Min(length, (HeadWords + (FrameWords * MaxFrames)) * word)];
        if (length < HeadWords * word || session.Target.DataReader.Read(stack.Address + (2UL * (ulong)word), bytes) < bytes.Length)
            yield break;
        var frames = Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(bytes), (uint)((bytes.Length / word - HeadWords) / FrameWords));
        for (var frame = 0; frame < frames; frame++)
        {
            var at = (HeadWords + (FrameWords * frame) + 2) * word;
            var method =
                word == 8
                    ? BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at))
                    : BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at));
            yield return method == 0 ? null : session.Runtime.GetMethodByHandle(method);
        }
    }
}
