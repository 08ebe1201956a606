using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>A type on the heap while its objects are counted.</summary>
internal sealed class HeapType(ClrType type)
{
    /// <summary>Generations, as <see cref="HeapGeneration"/> numbers them.</summary>
    public const int Generations = 6;

    public ClrType Type { get; } = type;

    public string Name { get; } = type.Name ?? "[unnamed type]";

    /// <summary>Bytes without elements; for strings including the terminating zero, which ClrMD omits.</summary>
    public uint StaticSize { get; } = (uint)type.StaticSize + (type.IsString ? sizeof(char) : 0U);

    public uint ComponentSize { get; } = (uint)type.ComponentSize;

    public bool IsFree { get; } = type.IsFree;

    public bool IsException { get; } = type.IsException;

    /// <summary>Whether it is System.Threading.Lock of .NET 9.</summary>
    public bool IsLock { get; } = type.Name == "System.Threading.Lock";

    public long[] Counts { get; } = new long[Generations];

    public long[] Bytes { get; } = new long[Generations];
}
