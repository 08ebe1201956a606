using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Stacks that a trace stores once for all their events (stack caching, StackWalk types 34 to 36); events reference them by key. A
/// definition is logged when its key is released or when the session ends, so it holds for events before it, back to the previous
/// definition. One key may identify a kernel stack and a program stack at the same time; the event states which.
/// </summary>
/// <param name="firstKernelAddress">First kernel address.</param>
internal sealed class StackDefinitions(ulong firstKernelAddress)
{
    /// <summary>Addresses of all stacks consecutively, as in the trace.</summary>
    private readonly List<byte> _addresses = [];

    /// <summary>For each key, its stacks with their end times, ascending.</summary>
    private readonly Dictionary<(ulong Key, bool IsKernel), List<(long Until, int At, int Bytes)>> _definitions = [];

    /// <summary>Records the stack of a key up to a time.</summary>
    public void Add(ulong key, long until, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        if (addresses.Length < pointerSize)
            return;
        var isKernel = KernelPayload.Pointer(addresses[^pointerSize..], pointerSize) >= firstKernelAddress;
        if (_addresses.Count > Array.MaxLength - addresses.Length)
            return; // limit of 2 GB of stacks: events with further ones have none
        ref var definitions = ref CollectionsMarshal.GetValueRefOrAddDefault(_definitions, (key, isKernel), out _);
        definitions ??= [];
        definitions.Add((until, _addresses.Count, addresses.Length));
        _addresses.AddRange(addresses);
    }

    /// <summary>The stack of a key at a time; empty when the trace lacks it.</summary>
    public ReadOnlySpan<byte> Find(ulong key, bool isKernel, long time)
    {
        if (!_definitions.TryGetValue((key, isKernel), out var definitions))
            return default;
        var low = 0;
        var high = definitions.Count;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (definitions[middle].Until < time)
                low = middle + 1;
            else
                high = middle;
        }

        return low < definitions.Count ? CollectionsMarshal.AsSpan(_addresses).Slice(definitions[low].At, definitions[low].Bytes) : default;
    }
}
