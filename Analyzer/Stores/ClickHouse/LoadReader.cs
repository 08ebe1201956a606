using System.Globalization;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// Reads rows of a table, shard by shard, in the order of the traces' insertion. It first queries the valid loads, then their rows, some
/// loads at a time. The table's key finds these quickly, and a load that is replaced meanwhile still has its rows
/// (<see cref="LoadSweep"/>).
/// </summary>
internal sealed class LoadReader : IStoreReader
{
    // Number of loads per query.
    private const int Chunk = 200;

    private readonly StoreTable _table;
    private readonly Queue<(ClickHouseServer Shard, string Loads)> _chunks;
    private TabSeparatedReader? _current;

    /// <summary>Queries each shard for its loads.</summary>
    /// <param name="table">The table.</param>
    /// <param name="shards">The shards.</param>
    /// <param name="traces">Traces to read; null for all.</param>
    /// <exception cref="StoreException">A shard does not answer.</exception>
    public LoadReader(StoreTable table, IEnumerable<ClickHouseServer> shards, IReadOnlyCollection<string>? traces)
    {
        _table = table;
        var wanted = traces?.ToHashSet(StringComparer.Ordinal);
        _chunks = new(shards.SelectMany(shard => Loads(shard, wanted).Chunk(Chunk).Select(chunk => (shard, string.Join(", ", chunk)))));
    }

    /// <inheritdoc />
    public IReadOnlyList<StoreColumn> Columns => _table.Columns;

    /// <inheritdoc />
    public object?[]? Next()
    {
        while (true)
        {
            if (_current?.Next() is { } row)
                return row;
            _current?.Dispose();
            _current = null;
            if (!_chunks.TryDequeue(out var chunk))
                return null;
            _current = Retries.Reading.Run(() =>
                chunk.Shard.Query(
                    $"SELECT {ClickHouseSchema.Names(_table)} FROM {ClickHouseSchema.RowsOf(_table)} WHERE (trace, {ClickHouseSchema.LoadColumn}) IN ({chunk.Loads}) ORDER BY {ClickHouseSchema.LoadColumn}, trace, {ClickHouseSchema.NumberColumn}"
                )
            );
        }
    }

    /// <inheritdoc />
    public void Dispose() => _current?.Dispose();

    private static IEnumerable<string> Loads(ClickHouseServer shard, HashSet<string>? wanted) =>
        Retries
            .Reading.Run(() =>
                shard.Rows($"SELECT trace, toInt64({ClickHouseSchema.LiveColumn}) AS number FROM {ClickHouseSchema.Live} ORDER BY number")
            )
            .Where(load => wanted?.Contains((string)load[0]!) != false)
            .Select(load => string.Create(CultureInfo.InvariantCulture, $"({ClickHouseTypes.Literal((string)load[0]!)}, {load[1]})"));
}
