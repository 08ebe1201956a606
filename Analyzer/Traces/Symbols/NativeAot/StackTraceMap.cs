using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Symbols.NativeAot;

/// <summary>
/// Reads the table of method names for stack traces. It lacks methods that reflection names and those that the compiler generated.
/// </summary>
/// <remarks>
/// Format: StackTraceMethodMappingNode.cs of dotnet/runtime. u32 count, then for each method u8 flags of what differs from the previous one
/// (1 type, 2 name, 4 signature, 8 signature of a generic method), u32 type, and as integers of one to five bytes name, signature, and
/// signature with names of type parameters; then i32 relative address of the code.
/// </remarks>
internal static class StackTraceMap
{
    private const int NewType = 1,
        NewName = 2,
        NewSignature = 4,
        NewGenericSignature = 8;

    /// <summary>Type and name of each method, as numbers of the metadata, by start address; 0 when it has none.</summary>
    /// <exception cref="BadImageFormatException">The table is damaged.</exception>
    public static Dictionary<ulong, (uint Type, uint Name)> Read(byte[] bytes, ulong address)
    {
        var methods = new Dictionary<ulong, (uint, uint)>();
        var at = sizeof(int);
        var (type, name) = (0u, 0u);
        while (at < bytes.Length)
        {
            var change = bytes[at++];
            if ((change & NewType) != 0)
                type = (uint)Int32(bytes, ref at);
            if ((change & NewName) != 0)
                name = Integer(bytes, ref at);
            if ((change & NewSignature) != 0)
                Integer(bytes, ref at);
            if ((change & NewGenericSignature) != 0)
            {
                Integer(bytes, ref at);
                Integer(bytes, ref at);
            }

            var from = address + (ulong)at;
            methods[from + (ulong)(long)Int32(bytes, ref at)] = (type, name);
        }

        return methods;
    }

    private static uint Integer(byte[] bytes, ref int at)
    {
        var reader = new NativeFormat(bytes, at);
        var value = reader.Unsigned();
        at = reader.Position;
        return value;
    }

    private static int Int32(byte[] bytes, ref int at)
    {
        if (at > bytes.Length - sizeof(int))
            throw new BadImageFormatException("the table of stack traces ends too early");
        at += sizeof(int);
        return BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at - sizeof(int)));
    }
}
