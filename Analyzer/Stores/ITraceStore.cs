using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores;

/// <summary>A store of extracts of traces. Not thread-safe; several processes may use the same store at the same time.</summary>
public interface ITraceStore : IDisposable
{
    /// <summary>Its address.</summary>
    StoreAddress Address { get; }

    /// <summary>
    /// Prepares the store for writing: creates what is missing, and upgrades an older store to <see cref="StoreSchema.Version"/>.
    /// </summary>
    /// <exception cref="StoreException">It cannot be reached or written, or a newer version created it.</exception>
    void Prepare();

    /// <summary>All traces, including failed ones, by name.</summary>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    IReadOnlyList<StoredTrace> Traces();

    /// <summary>
    /// Inserts a trace atomically: its rows replace those with the same name and those with the same content. Readers see all rows of a
    /// trace or none, even when the writer is killed, and inserting the same rows twice has no further effect. Of two names with the same
    /// content, the one that sorts first is kept.
    /// </summary>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    void Replace(TraceRows rows);

    /// <summary>Executes an SQL query.</summary>
    /// <exception cref="StoreException">The store cannot be read completely, or the query is invalid or would write.</exception>
    IStoreReader Query(string sql);

    /// <summary>Reads rows of a table in the order of their insertion.</summary>
    /// <param name="table">The table.</param>
    /// <param name="traces">Traces to read; null for all.</param>
    /// <exception cref="StoreException">The store cannot be read completely.</exception>
    IStoreReader Read(StoreTable table, IReadOnlyCollection<string>? traces);
}

/// <summary>Forward-only reader of rows.</summary>
public interface IStoreReader : IDisposable
{
    /// <summary>Columns of the rows; a query's columns have no meaning and are all nullable.</summary>
    IReadOnlyList<StoreColumn> Columns { get; }

    /// <summary>
    /// Returns the next row, with null, string, long or double for each column; null after the last one. Each row is a new array.
    /// </summary>
    /// <exception cref="StoreException">The store failed during reading.</exception>
    object?[]? Next();
}
