using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What the frames of call trees stand for, by number.</summary>
internal sealed class CallTreeKeys
{
    private readonly List<CpuRowKey> _keys = [];
    private readonly Dictionary<CpuRowKey, int> _numbers = [];

    /// <summary>How many there are.</summary>
    public int Count => _keys.Count;

    /// <summary>What a number stands for.</summary>
    public CpuRowKey this[int number] => _keys[number];

    /// <summary>The number of a key.</summary>
    public int NumberOf(CpuRowKey key)
    {
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, key, out var known);
        if (!known)
        {
            number = _keys.Count;
            _keys.Add(key);
        }

        return number;
    }
}
