using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>Root of the graph: objects before it is written, a view of the bytes after it was read.</summary>
public abstract class FlatShelf
{
    /// <summary>Title of the shelf, null when it was lost.</summary>
    public abstract string? Title { get; }

    /// <summary>Books on the shelf.</summary>
    public abstract int BookCount { get; }

    /// <summary>The book at this index.</summary>
    public abstract BookView Book(int index);

    /// <summary>Visits every member, so that what the view makes of the bytes is made.</summary>
    /// <returns>A sum over them.</returns>
    /// <remarks>Never inlined: its frame tells reading from the harness's work.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public long Touch()
    {
        long sum = Title?.Length ?? 0;
        var count = BookCount;
        for (var i = 0; i < count; i++)
        {
            var book = Book(i);
            sum += book.Id + (book.Title?.Length ?? 0) + book.Payload.Count;
        }

        return sum;
    }
}
