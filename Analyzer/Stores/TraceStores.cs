using EtwSerializerProfiler.Stores.ClickHouse;
using EtwSerializerProfiler.Stores.Sqlite;
using EtwSerializerProfiler.Traces.Problems;

namespace EtwSerializerProfiler.Stores;

/// <summary>Opens stores.</summary>
public static class TraceStores
{
    /// <summary>Opens the store of an address; nothing is read or made before it is asked for.</summary>
    /// <exception cref="StoreException">There is no such kind of store.</exception>
    public static ITraceStore Open(StoreAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return address.Kind switch
        {
            StoreKind.Sqlite => new SqliteStore(address),
            StoreKind.ClickHouse => new ClickHouseStore(address),
            _ => throw new StoreException(new Problem("this version cannot use a store of this kind", address.ToString(), "name a file: sqlite:FILE")) { IsUsage = true },
        };
    }
}
