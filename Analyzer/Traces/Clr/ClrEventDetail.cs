namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Data of a runtime event besides its payload.</summary>
/// <param name="stack">Managed return addresses, leaf first; empty when there are none.</param>
/// <param name="pointerBytes">Size of a pointer in the payload: 4 or 8.</param>
internal readonly ref struct ClrEventDetail(ReadOnlySpan<ulong> stack, int pointerBytes)
{
    /// <summary>Managed return addresses, leaf first.</summary>
    public ReadOnlySpan<ulong> Stack { get; } = stack;

    /// <summary>Size of a pointer in the payload; 8 by default.</summary>
    public int PointerBytes => pointerBytes == 4 ? 4 : 8;
}
