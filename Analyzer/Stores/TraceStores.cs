using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.ClickHouse;
using EtwSerializerProfiler.Stores.Sqlite;

namespace EtwSerializerProfiler.Stores;

/// <summary>Opens stores by their addresses.</summary>
public static class TraceStores
{
    /// <summary>Creates the store of an address without accessing it.</summary>
    /// <exception cref="StoreException">There is no such kind of store.</exception>
    public static ITraceStore Open(StoreAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return address.Kind switch
        {
            StoreKind.Sqlite => new SqliteStore(address),
            StoreKind.ClickHouse => new ClickHouseStore(address),
            _ => throw new StoreException(new Problem("unknown kind of store", address.ToString(), "write sqlite:FILE or clickhouse:URL"))
            {
                IsUsage = true,
            },
        };
    }
}
