using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Stacks that a trace holds once for all events that have them (stack caching, StackWalk types 34 to 36): events name them by a key. A definition is
/// logged when its key is given up or when the session ends, so it holds for the events before it, back to the definition before. One key may stand for a
/// stack of the kernel and for one of a program at the same time; the event says which it means.
/// </summary>
/// <param name="firstKernelAddress">Where the kernel's addresses begin.</param>
internal sealed class StackDefinitions(ulong firstKernelAddress)
{
    /// <summary>Addresses of all stacks one after the other, as they are in the trace.</summary>
    private readonly List<byte> _addresses = [];

    /// <summary>By key: up to when it stands for which stack, ascending.</summary>
    private readonly Dictionary<(ulong Key, bool IsKernel), List<(long Until, int At, int Bytes)>> _definitions = [];

    /// <summary>Notes what a key stood for up to a time.</summary>
    public void Add(ulong key, long until, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        if (addresses.Length < pointerSize)
            return;
        var isKernel = KernelPayload.Pointer(addresses[^pointerSize..], pointerSize) >= firstKernelAddress;
        if (_addresses.Count > Array.MaxLength - addresses.Length)
            return; // 2 GB of stacks: the events with the others have none
        ref var definitions = ref CollectionsMarshal.GetValueRefOrAddDefault(_definitions, (key, isKernel), out _);
        definitions ??= [];
        definitions.Add((until, _addresses.Count, addresses.Length));
        _addresses.AddRange(addresses);
    }

    /// <summary>The stack that a key stands for at a time; empty when the trace does not say.</summary>
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
