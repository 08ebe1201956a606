using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Stacks that a trace holds once for all events that have them (stack caching, StackWalk types 34 to 36): events name them by a key. A definition is
/// logged when its key is given up or when the session ends, so it holds for the events before it, back to the definition before.
/// </summary>
internal sealed class StackDefinitions
{
    /// <summary>Addresses of all stacks one after the other, as they are in the trace.</summary>
    private readonly List<byte> _addresses = [];

    /// <summary>By key: up to when it stands for which stack, ascending.</summary>
    private readonly Dictionary<ulong, List<(long Until, int At, int Bytes)>> _definitions = [];

    /// <summary>Notes what a key stood for up to a time.</summary>
    public void Add(ulong key, long until, ReadOnlySpan<byte> addresses)
    {
        if (_addresses.Count > Array.MaxLength - addresses.Length)
            return; // 2 GB of stacks: the events with the others have none
        ref var definitions = ref CollectionsMarshal.GetValueRefOrAddDefault(_definitions, key, out _);
        definitions ??= [];
        definitions.Add((until, _addresses.Count, addresses.Length));
        _addresses.AddRange(addresses);
    }

    /// <summary>The stack that a key stands for at a time; empty when the trace does not say.</summary>
    public ReadOnlySpan<byte> Find(ulong key, long time)
    {
        if (!_definitions.TryGetValue(key, out var definitions))
            return default;
        foreach (var (until, at, bytes) in definitions)
        {
            if (time <= until)
                return CollectionsMarshal.AsSpan(_addresses).Slice(at, bytes);
        }

        return default;
    }
}
