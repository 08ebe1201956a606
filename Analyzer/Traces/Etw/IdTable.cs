namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Values by thread or process id. Windows ids are small multiples of 4, so an array holds them; ids that only damaged events have go into
/// a dictionary.
/// </summary>
/// <typeparam name="T">Type of the values.</typeparam>
internal sealed class IdTable<T>
{
    /// <summary>First id that is not in the array.</summary>
    private const int Limit = 1 << 20;

    private T?[] _values = [];
    private Dictionary<int, T?>? _others;

    /// <summary>Value of an id; default if not set.</summary>
    public T? Get(int id)
    {
        var values = _values;
        return (uint)id < (uint)values.Length ? values[id] : Other(id);
    }

    /// <summary>Sets the value of an id.</summary>
    public void Set(int id, T? value)
    {
        if ((uint)id >= Limit)
        {
            (_others ??= [])[id] = value;
            return;
        }

        if (id >= _values.Length)
            Array.Resize(ref _values, Math.Min(Limit, Math.Max(id + 1, 2 * _values.Length)));
        _values[id] = value;
    }

    private T? Other(int id) => _others is { } others && others.TryGetValue(id, out var value) ? value : default;
}
