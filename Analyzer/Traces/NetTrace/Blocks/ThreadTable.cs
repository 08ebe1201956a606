using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Processes and threads of format 6's indexes.</summary>
internal sealed class ThreadTable
{
    private const byte Name = 1;
    private const byte ProcessId = 2;
    private const byte ThreadId = 3;
    private const byte KeyValue = 4;

    private readonly Dictionary<long, (int ProcessId, int ThreadId)> _threads = [];
    private readonly Dictionary<(int ProcessId, int ThreadId), string> _names = [];

    /// <summary>Names of threads, including removed ones.</summary>
    public IReadOnlyDictionary<(int ProcessId, int ThreadId), string> Names => _names;

    /// <summary>Process and thread of an index; 0 and -1 when the file lacks it.</summary>
    public (int ProcessId, int ThreadId) Find(long index) => _threads.TryGetValue(index, out var thread) ? thread : (0, -1);

    /// <summary>Clears everything.</summary>
    public void Clear() => _threads.Clear();

    /// <summary>Removes an index.</summary>
    public void Remove(long index) => _threads.Remove(index);

    /// <summary>Adds the indexes of a block: rows of u16 size, index, and known facts.</summary>
    /// <returns>False when the block is damaged.</returns>
    public bool TryAdd(ReadOnlySpan<byte> block)
    {
        var reader = new PayloadReader(block);
        while (reader.Left > 0)
        {
            var row = new PayloadReader(reader.Bytes(reader.UInt16()));
            var index = (long)row.Variable();
            var (process, thread, name) = (0, -1, "");
            while (row.Left > 0)
            {
                switch (row.Byte())
                {
                    case Name:
                        name = row.Utf8Text();
                        break;
                    case ProcessId:
                        process = (int)row.Variable();
                        break;
                    case ThreadId:
                        thread = (int)row.Variable();
                        break;
                    case KeyValue:
                        row.SkipUtf8Text();
                        row.SkipUtf8Text();
                        break;
                    default:
                        row = new PayloadReader(default); // of a later version; the rest is unreadable
                        break;
                }
            }

            if (!reader.Fits || !row.Fits)
                return false;
            _threads[index] = (process, thread);
            if (name.Length > 0)
                _names[(process, thread)] = name;
        }

        return true;
    }
}
