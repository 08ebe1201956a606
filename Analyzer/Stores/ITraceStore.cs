using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores;

/// <summary>Where extracts of traces are kept. Not thread-safe; several processes may use the same store at once.</summary>
public interface ITraceStore : IDisposable
{
    /// <summary>Where it is.</summary>
    StoreAddress Address { get; }

    /// <summary>Makes it ready to be written: creates what is missing, brings an older one up to <see cref="StoreSchema.Version"/>.</summary>
    /// <exception cref="StoreException">It cannot be reached or written, or a newer version made it.</exception>
    void Prepare();

    /// <summary>All traces, also those that failed, by name.</summary>
    /// <exception cref="StoreException">It cannot be read.</exception>
    IReadOnlyList<StoredTrace> Traces();

    /// <summary>
    /// Puts a trace in: its rows take the place of those with the same name and of those with the same content, all at once. Whoever reads sees all rows of a trace or none, also when the writer is
    /// killed; the same rows put in twice are there once. Of two names with the same content the one that sorts first is kept.
    /// </summary>
    /// <exception cref="StoreException">It cannot be written.</exception>
    void Replace(TraceRows rows);

    /// <summary>Asks something in SQL.</summary>
    /// <exception cref="StoreException">The store cannot be read as a whole, or the query is wrong or would write.</exception>
    IStoreReader Query(string sql);

    /// <summary>Rows of a table, in the order in which they were put in.</summary>
    /// <param name="table">The table.</param>
    /// <param name="traces">Traces whose rows are wanted; null for all that the store holds.</param>
    /// <exception cref="StoreException">The store cannot be read as a whole.</exception>
    IStoreReader Read(StoreTable table, IReadOnlyCollection<string>? traces);
}

/// <summary>Rows as they come from a store, forward only.</summary>
public interface IStoreReader : IDisposable
{
    /// <summary>Columns of the rows; of a query's columns meaning is empty, and any may be null.</summary>
    IReadOnlyList<StoreColumn> Columns { get; }

    /// <summary>The next row: null, string, long or double for each column; null behind the last one. Each row has an array of its own.</summary>
    /// <exception cref="StoreException">The store failed while it was read.</exception>
    object?[]? Next();
}
