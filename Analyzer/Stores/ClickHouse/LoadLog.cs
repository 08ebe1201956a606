using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// The loads of one shard. ClickHouse has no transactions, so a trace is inserted as a load with its own number, and one row makes the load
/// valid.
/// </summary>
/// <remarks>
/// <para>
/// Rows are only added to table esp_loads: state 0 when a load begins, state 1 when all its rows are inserted, state 2 when another load
/// replaced it. Views show the rows of the latest load whose highest state is 1. So incomplete loads are invisible, and two workers with
/// the same trace do not interfere, because each has its own load. The load of a killed worker stays at 0, which does not affect later
/// loads. If the answer of an insert is lost, the insert is not repeated, because it may have been executed; the whole trace is inserted
/// again as another load.
/// </para>
/// <para>
/// <see cref="LoadSweep"/> deletes rows of loads that were invalid for an hour. A worker may have been suspended that long, and must not
/// complete its load then. So the server itself creates the row with state 1 from that with state 0, and only within half an hour of the
/// load's beginning, by the same server's clock.
/// </para>
/// </remarks>
internal sealed class LoadLog(ClickHouseServer server)
{
    /// <summary>State of a load that has begun.</summary>
    public const int Begun = 0;

    /// <summary>State of a load with all its rows.</summary>
    public const int Done = 1;

    /// <summary>State of a load that is no longer valid.</summary>
    public const int Withdrawn = 2;

    // Time limit of a load in s.
    private const long MaxSeconds = 1800;

    // Number of a load: the server's clock in s, followed by random digits, so that two workers have different numbers.
    private const int ChanceBits = 30;

    /// <summary>Returns the loads of a trace and of a name.</summary>
    public List<TraceLoad> Find(string trace, string name) =>
        Loads($"trace = {ClickHouseTypes.Literal(trace)} OR name = {ClickHouseTypes.Literal(name)}");

    /// <summary>Returns the loads of a trace.</summary>
    public List<TraceLoad> Of(string trace) => Loads($"trace = {ClickHouseTypes.Literal(trace)}");

    /// <summary>Returns the loads of a name.</summary>
    public List<TraceLoad> Named(string name) => Loads($"name = {ClickHouseTypes.Literal(name)}");

    /// <summary>Begins a load.</summary>
    /// <param name="trace">Its trace.</param>
    /// <param name="after">Highest number of the trace's loads; 0 for none.</param>
    /// <returns>Its number.</returns>
    public ulong Begin(StoredTrace trace, ulong after)
    {
        var now = (ulong)(long)server.Rows("SELECT toInt64(toUnixTimestamp(now())) AS now")[0][0]!;
        var chance = (ulong)Random.Shared.NextInt64(1L << ChanceBits);
        var number = now << ChanceBits;
        number = number > after ? number + chance : after + 1 + (chance >> 10);
        server.Execute(Insert($"VALUES ({Values(new TraceLoad(trace.Trace, number, Begun, trace.Name, trace.Status))})"));
        return number;
    }

    /// <summary>Makes a load valid.</summary>
    /// <param name="trace">Its trace.</param>
    /// <param name="number">Its number.</param>
    /// <exception cref="ServerFailure">The load took too long, or its result is unknown.</exception>
    public void Finish(string trace, ulong number)
    {
        server.Execute(
            Insert(
                $"SELECT trace, {ClickHouseSchema.LoadColumn}, toUInt8({Done}), name, status FROM {ClickHouseSchema.Loads} WHERE {Is(trace, number)} AND state = {Begun} "
                    + $"AND at + {MaxSeconds} > toUnixTimestamp(now()) LIMIT 1"
            )
        );
        if (!Of(trace).Any(load => load.Number == number && load.State >= Done))
            throw new ServerFailure(
                new Problem(
                    $"trace {trace} was not inserted within half an hour",
                    server.Name,
                    "extract again; check whether the server is overloaded"
                ),
                isTransient: true,
                code: 0
            );
    }

    /// <summary>Makes a load invalid.</summary>
    public void Withdraw(TraceLoad load) => server.Execute(Insert($"VALUES ({Values(load with { State = Withdrawn })})"));

    private List<TraceLoad> Loads(string which) =>
        [
            .. server
                .Rows(
                    $"SELECT trace, toInt64({ClickHouseSchema.LoadColumn}) AS number, max(state) AS highest, any(name) AS path, any(status) AS outcome FROM {ClickHouseSchema.Loads} WHERE {which} GROUP BY trace, {ClickHouseSchema.LoadColumn} ORDER BY number"
                )
                .Select(row => new TraceLoad((string)row[0]!, (ulong)(long)row[1]!, (int)(long)row[2]!, (string)row[3]!, (string)row[4]!)),
        ];

    private static string Insert(string rows) =>
        $"INSERT INTO {ClickHouseSchema.Loads} (trace, {ClickHouseSchema.LoadColumn}, state, name, status) {rows}";

    private static string Is(string trace, ulong number) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"trace = {ClickHouseTypes.Literal(trace)} AND {ClickHouseSchema.LoadColumn} = {number}"
        );

    private static string Values(TraceLoad load) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{ClickHouseTypes.Literal(load.Trace)}, {load.Number}, {load.State}, {ClickHouseTypes.Literal(load.Name)}, {ClickHouseTypes.Literal(load.Status)}"
        );
}

/// <summary>One insertion of a trace into a shard.</summary>
/// <param name="Trace">The trace.</param>
/// <param name="Number">Number of the load; later loads of a trace have higher numbers.</param>
/// <param name="State">Its highest state: <see cref="LoadLog.Begun"/>, <see cref="LoadLog.Done"/>, <see cref="LoadLog.Withdrawn"/>.</param>
/// <param name="Name">Name of the trace.</param>
/// <param name="Status">Status of the trace.</param>
internal sealed record TraceLoad(string Trace, ulong Number, int State, string Name, string Status)
{
    /// <summary>Whether its rows are complete and valid.</summary>
    public bool IsDone => State == LoadLog.Done;

    /// <summary>
    /// Whether it stays when its content is inserted under another name: if that name sorts after its own, unless this load failed and the
    /// other did not.
    /// </summary>
    public bool Outlasts(string name, string status) =>
        string.CompareOrdinal(Name, name) < 0 && (Status == StoredTrace.Extracted || status == StoredTrace.Failed);

    /// <summary>
    /// The load to keep of several that were inserted at the same time: the one that would remain if they had been inserted one after the
    /// other.
    /// </summary>
    public static TraceLoad Kept(IEnumerable<TraceLoad> loads) =>
        loads.OrderBy(load => load.Number).Aggregate((kept, next) => kept.Outlasts(next.Name, next.Status) ? kept : next);
}
