using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Reading;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// A store in ClickHouse (a server or a cluster), accessed through its HTTP interface. Tested with 18.16; differences of current versions
/// are known only from their documentation (docs/fleet.md).
/// </summary>
/// <remarks>
/// All rows of a trace are on one shard, determined by its name in the store, and are inserted as one load (<see cref="LoadLog"/>). So a
/// partial load is never visible, may be inserted twice, and a worker may be killed at any time. A trace whose content changed may move to
/// another shard. Then both versions are visible for some milliseconds, each complete; if the worker is killed at that moment, until the
/// next extraction begins (<see cref="ClickHouseSetup"/>).
/// </remarks>
public sealed class ClickHouseStore : ITraceStore
{
    // Rows per request: far fewer than a server accepts in one block.
    private const int Batch = 100_000;

    private const int ReadOnly = 164;

    // How long invalid rows stay.
    private const long SweepSeconds = 3600;

    private readonly ClickHouseCluster _cluster;
    private readonly Retries _writing;
    private readonly LoadSweep _sweep;

    /// <summary>Creates the object without connecting.</summary>
    /// <param name="address">Its address.</param>
    /// <exception cref="StoreException">The address is not that of a ClickHouse store (<see cref="ClickHouseAddress"/>).</exception>
    public ClickHouseStore(StoreAddress address)
        : this(address, Retries.Writing, SweepSeconds) { }

    /// <summary>A store with other retries and deletion times, for tests.</summary>
    internal ClickHouseStore(StoreAddress address, Retries writing, long sweepSeconds = SweepSeconds)
    {
        ArgumentNullException.ThrowIfNull(address);
        Address = address;
        _cluster = new ClickHouseCluster(ClickHouseAddress.Parse(address.Place, Environment.GetEnvironmentVariable));
        _writing = writing;
        _sweep = new LoadSweep(sweepSeconds);
    }

    /// <inheritdoc />
    public StoreAddress Address { get; }

    /// <inheritdoc />
    public void Prepare() => Retries.Reading.Run(() => new ClickHouseSetup(_cluster, _sweep).Run());

    /// <inheritdoc />
    public IReadOnlyList<StoredTrace> Traces() => TraceValues.All(this);

    /// <inheritdoc />
    public void Replace(TraceRows rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        _writing.Run(() => Put(rows));
    }

    /// <inheritdoc />
    public IStoreReader Query(string sql)
    {
        ArgumentNullException.ThrowIfNull(sql);
        var statement = sql.TrimEnd(' ', '\t', '\r', '\n', ';');
        if (statement.Length == 0)
            throw QueryProblem.Of("it contains no statement", sql, null);
        try
        {
            return Retries.Reading.Run(() => _cluster.Front.Query(statement));
        }
        catch (StoreException exception) when (exception.InnerException is ServerFailure failure)
        {
            throw Explained(failure, sql) ?? exception;
        }
    }

    /// <inheritdoc />
    public IStoreReader Read(StoreTable table, IReadOnlyCollection<string>? traces)
    {
        ArgumentNullException.ThrowIfNull(table);
        return new LoadReader(table, Retries.Reading.Run(() => _cluster.Shards), traces);
    }

    /// <inheritdoc />
    public void Dispose() => _cluster.Dispose();

    // Repeated as a whole if any part fails: an incomplete first attempt never becomes valid.
    private void Put(TraceRows rows)
    {
        var trace = rows.Trace;
        var home = _cluster.ShardOf(trace.Trace);
        var log = new LoadLog(home);
        var found = _cluster
            .Shards.SelectMany(shard => new LoadLog(shard).Find(trace.Trace, trace.Name).Select(load => (Shard: shard, Load: load)))
            .ToList();
        var live = found.Where(load => load.Load.IsDone).ToList();
        var kept = live.Exists(load => load.Load.Trace == trace.Trace && load.Load.Outlasts(trace.Name, trace.Status));
        if (!kept)
        {
            var number = log.Begin(
                trace,
                found.Where(load => load.Load.Trace == trace.Trace).Select(load => load.Load.Number).DefaultIfEmpty().Max()
            );
            foreach (var table in StoreSchema.Tables)
                Insert(home, table, rows.Of(table), number);
            log.Finish(trace.Trace, number);
        }

        foreach (var (shard, load) in live.Where(load => !(kept && load.Load.Trace == trace.Trace)))
            new LoadLog(shard).Withdraw(load);

        // Another worker may have inserted the same trace meanwhile. It checks as well, and the last one to check sees both.
        var same = log.Of(trace.Trace).Where(load => load.IsDone).ToList();
        if (same.Count < 2)
            return;
        var stays = TraceLoad.Kept(same);
        foreach (var load in same.Where(load => load != stays))
            log.Withdraw(load);
    }

    private static void Insert(ClickHouseServer server, StoreTable table, IReadOnlyList<object?[]> rows, ulong load)
    {
        for (var first = 0; first < rows.Count; first += Batch)
        {
            using var writer = new RowBinaryWriter();
            for (var i = first; i < Math.Min(first + Batch, rows.Count); i++)
                writer.Add(table, rows[i], load, (uint)i);
            server.Insert(ClickHouseSchema.Insert(table), writer.Finish());
        }
    }

    private StoreException? Explained(ServerFailure failure, string sql) =>
        failure.Code switch
        {
            ReadOnly when !failure.Text.Contains("setting", StringComparison.OrdinalIgnoreCase) => QueryProblem.Writes(sql),
            _ when failure.Text.Contains("Multi-statements", StringComparison.OrdinalIgnoreCase) => QueryProblem.Several(sql),
            _ when ServerErrors.IsUsage(failure.Code) => QueryProblem.Of(failure.Text, sql, failure),
            _ when ServerErrors.IsShard(failure.Code)
                    && _cluster.Address.Cluster is { } cluster
                    && ServerErrors.ShardIn(failure.Text) is { } place => new StoreException(
                new Problem(
                    $"{_cluster.Named(place)} of cluster {cluster} does not answer, and partial results would be misleading",
                    _cluster.Front.Name,
                    "start that server or check its log, then ask again"
                ),
                failure
            ),
            _ => null,
        };
}
