using System.Buffers.Binary;
using EtwSerializerProfiler.Dumps.Files;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>
/// The stack that an exception object keeps, read from its field. ClrMD 4.1 gives none where methods that were made while the program ran are among it, as with serializers that emit code: then the field holds an array of
/// objects whose first element is the array of bytes that it else holds itself. Layout: number of frames and the thread, each as wide as a pointer (the number's upper half counts other things since .NET 9), then for each
/// frame instruction pointer, stack pointer, method and flags (StackTraceElement of clrex.h in dotnet/runtime).
/// </summary>
internal static class RecordedStack
{
    /// <summary>Most frames that are believed.</summary>
    private const int MostFrames = 100_000;

    /// <summary>Words of the head, and of a frame.</summary>
    private const int HeadWords = 2, FrameWords = 4;

    /// <summary>The methods, the throwing one first; null for one that has no name.</summary>
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
        var bytes = new byte[Math.Min(length, (HeadWords + (FrameWords * MostFrames)) * word)];
        if (length < HeadWords * word || session.Target.DataReader.Read(stack.Address + (2UL * (ulong)word), bytes) < bytes.Length)
            yield break;
        var frames = Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(bytes), (uint)((bytes.Length / word - HeadWords) / FrameWords));
        for (var frame = 0; frame < frames; frame++)
        {
            var at = (HeadWords + (FrameWords * frame) + 2) * word;
            var method = word == 8 ? BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at)) : BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at));
            yield return method == 0 ? null : session.Runtime.GetMethodByHandle(method);
        }
    }
}
