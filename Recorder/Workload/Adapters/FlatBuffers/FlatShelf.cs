using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Adapters.FlatBuffers;

/// <summary>Root of the graph: objects before writing, a view of the bytes after reading.</summary>
public abstract class FlatShelf
{
    /// <summary>Title of the shelf; null when it was lost.</summary>
    public abstract string? Title { get; }

    /// <summary>Number of books.</summary>
    public abstract int BookCount { get; }

    /// <summary>The book at this index.</summary>
    public abstract BookView Book(int index);

    /// <summary>Visits every member, so that the view converts all bytes.</summary>
    /// <returns>A sum over them.</returns>
    /// <remarks>Never inlined, so that its frame separates reading from the work of the benchmark.</remarks>
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
