using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.ClickHouse;
using EtwSerializerProfiler.Stores.Sqlite;

namespace EtwSerializerProfiler.Stores;

/// <summary>Opens stores by their addresses.</summary>
public static class TraceStores
{
    /// <summary>The store of an address; nothing is read or written yet.</summary>
    /// <exception cref="StoreException">There is no store of its kind.</exception>
    public static ITraceStore Open(StoreAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return address.Kind switch
        {
            StoreKind.Sqlite => new SqliteStore(address),
            StoreKind.ClickHouse => new ClickHouseStore(address),
            _ => throw new StoreException(new Problem("there is no store of this kind", address.ToString(), "write sqlite:FILE or clickhouse:URL")) { IsUsage = true },
        };
    }
}
