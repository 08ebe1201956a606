namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A part of the inline tree of a piece of jitted code (Microsoft-Windows-DotNETRuntimePrivate, event 189); a view, valid during the call.</summary>
public readonly ref struct InlineTreeChunk
{
    /// <summary>Number of a chunk whose event could not be read.</summary>
    public const int Damaged = -1;

    /// <summary>Creates a chunk.</summary>
    /// <param name="at">When and where.</param>
    /// <param name="methodId">The runtime's id of the method.</param>
    /// <param name="nativeCodeId">The runtime's id of the code among those of the method.</param>
    /// <param name="number">Number of the chunk, from 0.</param>
    /// <param name="isLast">Whether the tree ends with it.</param>
    /// <param name="data">Its bytes.</param>
    public InlineTreeChunk(EventAt at, long methodId, long nativeCodeId, int number, bool isLast, ReadOnlySpan<byte> data)
    {
        At = at;
        MethodId = methodId;
        NativeCodeId = nativeCodeId;
        Number = number;
        IsLast = isLast;
        Data = data;
    }

    /// <summary>When and where: the thread that compiled, right behind the method's load event.</summary>
    public EventAt At { get; }

    /// <summary>The runtime's id of the method.</summary>
    public long MethodId { get; }

    /// <summary>The runtime's id of the code among those of the method.</summary>
    public long NativeCodeId { get; }

    /// <summary>Number of the chunk, from 0; <see cref="Damaged"/> for one that could not be read.</summary>
    public int Number { get; }

    /// <summary>Whether the tree ends with it.</summary>
    public bool IsLast { get; }

    /// <summary>Its bytes.</summary>
    public ReadOnlySpan<byte> Data { get; }
}
