using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// The loads of one shard. ClickHouse has no transactions, so a trace is put in as a load with a number of its own, and a load counts from the moment in which one row says so.
/// </summary>
/// <remarks>
/// <para>
/// Table esp_loads is only added to: a row with state 0 when a load begins, one with 1 when all its rows are in, one with 2 when another load took its place. Views show rows of the latest load whose highest state is 1, so nobody
/// sees a load before it is whole, and two workers with the same trace do not mix: each has its own load. A killed worker's load stays at 0; a later one of the trace does not care. An insert whose answer is lost is
/// not sent again (it may have been carried out): the whole trace is, as another load.
/// </para>
/// <para>
/// <see cref="LoadSweep"/> deletes rows of loads that did not count for an hour. A worker may have slept for as long, and must not finish a load then: the row with state 1 is made by the server out of that with state 0, and
/// only within half an hour of its begin, by the same server's clock.
/// </para>
/// </remarks>
internal sealed class LoadLog(ClickHouseServer server)
{
    /// <summary>State of a load that has begun.</summary>
    public const int Begun = 0;

    /// <summary>State of a load whose rows are all there.</summary>
    public const int Done = 1;

    /// <summary>State of a load that does not count any more.</summary>
    public const int Withdrawn = 2;

    // How long a load may take.
    private const long LongestSeconds = 1800;

    // A load's number: the server's clock in s, and behind it chance, so that two workers do not have the same.
    private const int ChanceBits = 30;

    /// <summary>Loads of a trace and of a name.</summary>
    public List<TraceLoad> Find(string trace, string name) => Loads($"trace = {ClickHouseTypes.Literal(trace)} OR name = {ClickHouseTypes.Literal(name)}");

    /// <summary>Loads of a trace.</summary>
    public List<TraceLoad> Of(string trace) => Loads($"trace = {ClickHouseTypes.Literal(trace)}");

    /// <summary>Loads of a name.</summary>
    public List<TraceLoad> Named(string name) => Loads($"name = {ClickHouseTypes.Literal(name)}");

    /// <summary>Begins a load.</summary>
    /// <param name="trace">Its trace.</param>
    /// <param name="after">Largest number that a load of the trace has; 0 for none.</param>
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

    /// <summary>Makes a load count.</summary>
    /// <param name="trace">Its trace.</param>
    /// <param name="number">Its number.</param>
    /// <exception cref="ServerFailure">It took too long, or nobody knows.</exception>
    public void Finish(string trace, ulong number)
    {
        server.Execute(Insert($"SELECT trace, {ClickHouseSchema.LoadColumn}, toUInt8({Done}), name, status FROM {ClickHouseSchema.Loads} WHERE {Is(trace, number)} AND state = {Begun} " +
            $"AND at + {LongestSeconds} > toUnixTimestamp(now()) LIMIT 1"));
        if (!Of(trace).Any(load => load.Number == number && load.State >= Done))
            throw new ServerFailure(new Problem($"trace {trace} was not put in within half an hour of its begin", server.Name, "extract again; look whether the server is overloaded"), isTransient: true, code: 0);
    }

    /// <summary>Makes a load not count any more.</summary>
    public void Withdraw(TraceLoad load) => server.Execute(Insert($"VALUES ({Values(load with { State = Withdrawn })})"));

    private List<TraceLoad> Loads(string which) =>
    [
        .. server.Rows($"SELECT trace, toInt64({ClickHouseSchema.LoadColumn}) AS number, max(state) AS highest, any(name) AS path, any(status) AS outcome FROM {ClickHouseSchema.Loads} WHERE {which} GROUP BY trace, {ClickHouseSchema.LoadColumn} ORDER BY number")
            .Select(row => new TraceLoad((string)row[0]!, (ulong)(long)row[1]!, (int)(long)row[2]!, (string)row[3]!, (string)row[4]!)),
    ];

    private static string Insert(string rows) => $"INSERT INTO {ClickHouseSchema.Loads} (trace, {ClickHouseSchema.LoadColumn}, state, name, status) {rows}";

    private static string Is(string trace, ulong number) => string.Create(CultureInfo.InvariantCulture, $"trace = {ClickHouseTypes.Literal(trace)} AND {ClickHouseSchema.LoadColumn} = {number}");

    private static string Values(TraceLoad load) =>
        string.Create(CultureInfo.InvariantCulture, $"{ClickHouseTypes.Literal(load.Trace)}, {load.Number}, {load.State}, {ClickHouseTypes.Literal(load.Name)}, {ClickHouseTypes.Literal(load.Status)}");
}

/// <summary>One time that a trace was put into a shard.</summary>
/// <param name="Trace">The trace.</param>
/// <param name="Number">Number of the load: later ones of a trace have larger ones.</param>
/// <param name="State">The furthest it came: <see cref="LoadLog.Begun"/>, <see cref="LoadLog.Done"/>, <see cref="LoadLog.Withdrawn"/>.</param>
/// <param name="Name">Name of the trace.</param>
/// <param name="Status">Status of the trace.</param>
internal sealed record TraceLoad(string Trace, ulong Number, int State, string Name, string Status)
{
    /// <summary>Whether its rows are the trace's.</summary>
    public bool IsDone => State == LoadLog.Done;

    /// <summary>Whether it stays when its content is put in again: under a name that sorts behind its own, unless it failed and the other did not.</summary>
    public bool Outlasts(string name, string status) => string.CompareOrdinal(Name, name) < 0 && (Status == StoredTrace.Extracted || status == StoredTrace.Failed);

    /// <summary>Which load of one trace stays of several that were put in at the same time: the one that would if they had been put in one after the other.</summary>
    public static TraceLoad Kept(IEnumerable<TraceLoad> loads) => loads.OrderBy(load => load.Number).Aggregate((kept, next) => kept.Outlasts(next.Name, next.Status) ? kept : next);
}
