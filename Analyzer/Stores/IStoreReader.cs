using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores;

/// <summary>Rows as they come from a store, forward only.</summary>
public interface IStoreReader : IDisposable
{
    /// <summary>Columns of the rows; of a query's columns meaning is empty, and any may be null.</summary>
    IReadOnlyList<StoreColumn> Columns { get; }

    /// <summary>The next row: null, string, long or double for each column; null behind the last one. Each row has an array of its own.</summary>
    /// <exception cref="StoreException">The store failed while it was read.</exception>
    object?[]? Next();
}
