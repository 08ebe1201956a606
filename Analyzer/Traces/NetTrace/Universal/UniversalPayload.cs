using System.Text;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Etw;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>Fields of the universal events: numbers are LEB128, texts UTF-8 after a u16 length.</summary>
internal static class UniversalPayload
{
    /// <summary>A plain number: the value of a sample or a switch; 0 when the payload is damaged.</summary>
    public static long ReadValue(ReadOnlySpan<byte> payload) => (long)new PayloadReader(payload).Variable();

    /// <summary>
    /// The second field of a sample, which only exports of esp-analyze have: the end of its stack (<see cref="KernelPayload.StackIsCut"/>),
    /// or 0 when unknown.
    /// </summary>
    public static ushort ReadStackEnd(ReadOnlySpan<byte> payload)
    {
        var reader = new PayloadReader(payload);
        reader.Variable(); // value
        var end = reader.Variable();
        return reader.Fits ? (ushort)Math.Min(end, ushort.MaxValue) : (ushort)0;
    }

    /// <summary>The name of a process.</summary>
    public static bool TryReadProcessName(ReadOnlySpan<byte> payload, out string name)
    {
        var reader = new PayloadReader(payload);
        reader.Variable(); // id in its own namespace
        name = Encoding.UTF8.GetString(reader.SizedUtf8Text());
        return reader.Fits;
    }

    /// <summary>A mapping.</summary>
    public static bool TryReadMapping(ReadOnlySpan<byte> payload, TextPool texts, out UniversalMapping mapping)
    {
        var reader = new PayloadReader(payload);
        mapping = new UniversalMapping(
            (long)reader.Variable(),
            reader.Variable(),
            reader.Variable(),
            reader.Variable(),
            texts.Of(reader.SizedUtf8Text()),
            (long)reader.Variable()
        );
        return reader.Fits && mapping.End > mapping.Start;
    }

    /// <summary>Id of a mapping's metadata, and its symbol data as JSON, if any.</summary>
    public static bool TryReadMetadata(ReadOnlySpan<byte> payload, out long id, out string symbols)
    {
        var reader = new PayloadReader(payload);
        id = (long)reader.Variable();
        symbols = Encoding.UTF8.GetString(reader.SizedUtf8Text());
        return reader.Fits;
    }

    /// <summary>A symbol.</summary>
    public static bool TryReadSymbol(ReadOnlySpan<byte> payload, out UniversalSymbol symbol)
    {
        var reader = new PayloadReader(payload);
        reader.Variable(); // its own id
        symbol = new UniversalSymbol
        {
            MappingId = (long)reader.Variable(),
            Start = reader.Variable(),
            Last = reader.Variable(),
            Name = reader.SizedUtf8Text(),
        };
        return reader.Fits && symbol.Last >= symbol.Start;
    }
}

/// <summary>A file or memory that a process maps.</summary>
/// <param name="Id">Its id, unique in the trace.</param>
/// <param name="Start">First address.</param>
/// <param name="End">Address after the last one.</param>
/// <param name="FileOffset">Offset of the first byte in the file.</param>
/// <param name="Path">Path of the file; empty for memory.</param>
/// <param name="MetadataId">Id of its metadata; 0 for none.</param>
internal readonly record struct UniversalMapping(long Id, ulong Start, ulong End, ulong FileOffset, string Path, long MetadataId)
{
    /// <summary>Whether it is the kernel's own code, which each process maps under this name.</summary>
    public bool IsKernel => Path == "vmlinux";
}

/// <summary>Name of code; a view, valid as long as the payload.</summary>
internal readonly ref struct UniversalSymbol
{
    /// <summary>Id of its mapping.</summary>
    public required long MappingId { get; init; }

    /// <summary>First address.</summary>
    public required ulong Start { get; init; }

    /// <summary>Last address.</summary>
    public required ulong Last { get; init; }

    /// <summary>The name, UTF-8: a function's, or a line of a perf map.</summary>
    public required ReadOnlySpan<byte> Name { get; init; }

    /// <summary>Size of the code.</summary>
    public uint Size => (uint)Math.Min(Last - Start + 1, uint.MaxValue);
}
