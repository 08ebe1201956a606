namespace EtwSerializerProfiler.Etl;

/// <summary>Buffers of a trace, so that another reader of the same files can read only these.</summary>
public sealed class EtlBuffers
{
    private readonly HashSet<(int File, long Offset)> _buffers = [];

    /// <summary>The last one added: events of one buffer often follow each other.</summary>
    private (int File, long Offset) _last = (-1, -1);

    /// <summary>Number of buffers.</summary>
    public int Count => _buffers.Count;

    internal void Add(int file, long offset)
    {
        if (_last == (file, offset))
            return;
        _last = (file, offset);
        _buffers.Add(_last);
    }

    internal bool Contains(int file, long offset) => _buffers.Contains((file, offset));
}
