using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Anonymous memory into which the .NET runtime writes code when it maps code once (DOTNET_EnableWriteXorExecute=0). The kernel reports it
/// in pieces, each when it is first used and adjacent to the previous one. Only memory mapped after the runtime's library counts, in a
/// process that never maps code twice; other anonymous memory belongs to someone else.
/// </summary>
internal sealed class AnonymousCode
{
    private const string Runtime = "/libcoreclr.so";

    /// <summary>Ends of the pieces by their starts.</summary>
    private readonly SortedList<ulong, ulong> _pieces = [];
    private long? _runtimeMapped;
    private ulong? _first;
    private bool _isMappedTwice;

    /// <summary>Adds a mapping. Mappings must come in order of time.</summary>
    public void Add(in FileMapping mapping)
    {
        _isMappedTwice |= RuntimeStubs.IsDoubleMapped(mapping.Path);
        if (mapping.Path.EndsWith(Runtime, StringComparison.Ordinal))
            _runtimeMapped ??= mapping.At.Time;
        // Mappings of one time were there before the recording: their order is unknown.
        else if (mapping.At.Time > _runtimeMapped && IsAnonymous(mapping.Path))
            Add(mapping.Start, mapping.Start + mapping.Length);
    }

    /// <summary>Finds the contiguous memory around an address.</summary>
    /// <param name="start">Start of a piece of it.</param>
    /// <param name="region">Its bounds, whether it grew piece by piece, and whether it holds the process's first code.</param>
    /// <returns>False for memory that may not be the runtime's.</returns>
    public bool TryFind(ulong start, out (ulong Start, ulong Length, bool HasGrown, bool IsFirst) region)
    {
        region = default;
        if (_isMappedTwice || !_pieces.ContainsKey(start))
            return false;
        var (low, high) = (_pieces.IndexOfKey(start), _pieces.IndexOfKey(start));
        while (low > 0 && _pieces.Values[low - 1] == _pieces.Keys[low])
            low--;
        while (high + 1 < _pieces.Count && _pieces.Keys[high + 1] == _pieces.Values[high])
            high++;
        region = (_pieces.Keys[low], _pieces.Values[high] - _pieces.Keys[low], high > low, start == _first);
        return true;
    }

    private void Add(ulong start, ulong end)
    {
        _first ??= start;
        _pieces[start] = Math.Max(end, _pieces.GetValueOrDefault(start));
    }

    private static bool IsAnonymous(string path) => path.Length == 0 || path.StartsWith("//anon", StringComparison.Ordinal);
}
