using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Requests;

/// <summary>Pairs starts and stops of one process's requests.</summary>
/// <param name="scope">The process.</param>
/// <param name="rows">Receives the requests.</param>
/// <param name="names">Receives the names of routes.</param>
internal sealed class RequestPass(EventScope scope, EventRows<RequestKey, RequestTally> rows, NameIndex names) : IEventSubscriber
{
    private const int MaxNames = 1000;
    private const string OtherNames = "(other routes)";
    private const int FirstFailure = 500;

    /// <summary>Requests in progress, by side and id.</summary>
    private readonly Dictionary<(RequestSide Side, string Id), RequestStarted> _open = [];

    /// <summary>The process.</summary>
    public EventScope Scope => scope;

    /// <summary>Number of stops without a known start.</summary>
    public int Unpaired { get; private set; }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<RequestStarted>(OnStarted);
        hub.Subscribe<RequestStopped>(OnStopped);
    }

    /// <summary>Counts the unfinished requests.</summary>
    public void End()
    {
        foreach (var start in _open.Values)
        {
            if (TallyOf(start, "") is { } tally)
                tally.Open++;
        }

        _open.Clear();
    }

    private void OnStarted(in RequestStarted start) => _open[(start.Side, start.Id)] = start;

    private void OnStopped(in RequestStopped stop)
    {
        if (!_open.Remove((stop.Side, stop.Id), out var start) && !TryTakeOnConnection(stop, out start))
        {
            if (scope.GroupAt(stop.At.Time) >= 0)
                Unpaired++;
            return;
        }

        if (TallyOf(start, stop.RouteValues) is not { } tally)
            return;
        var ticks = stop.At.Time - start.At.Time;
        if (tally.Ticks.Count == 0 || ticks > tally.MaxTicks)
            (tally.MaxTicks, tally.Longest) = (ticks, scope.IntervalOf(scope.Windows.At(start.At.Time)!, start.At.Time, ticks));
        tally.Ticks.Add(ticks);
        var status = stop.Status ?? 0;
        tally.Statuses[status] = tally.Statuses.GetValueOrDefault(status) + 1;
        if (stop.IsFaulted || status is 0 or >= FirstFailure)
            tally.Failed++;
    }

    /// <summary>
    /// Middleware may replace the id, which until then begins with the connection's id. The request is known if it is the only one on its
    /// connection.
    /// </summary>
    private bool TryTakeOnConnection(in RequestStopped stop, out RequestStarted start)
    {
        start = default;
        if (stop.Connection.Length == 0)
            return false;
        var (side, prefix) = (stop.Side, stop.Connection + ":");
        var candidates = _open.Keys.Where(key => key.Side == side && key.Id.StartsWith(prefix, StringComparison.Ordinal)).Take(2).ToList();
        return candidates.Count == 1 && _open.Remove(candidates[0], out start);
    }

    /// <summary>The sums of a request's row; null when it began outside the matching runs.</summary>
    private RequestTally? TallyOf(in RequestStarted start, string routeValues) =>
        scope.GroupAt(start.At.Time) is >= 0 and var group
            ? rows.At(
                group,
                new RequestKey(
                    start.Side,
                    names.GetOrAdd($"{start.Method} {start.Host}{RouteName.Of(start.Path, routeValues)}", MaxNames, OtherNames)
                )
            )
            : null;
}

/// <summary>Key of a row.</summary>
/// <param name="Side">Served or sent.</param>
/// <param name="Name">Index of method and route.</param>
internal readonly record struct RequestKey(RequestSide Side, int Name);

/// <summary>Sums of a row.</summary>
internal sealed class RequestTally
{
    public List<long> Ticks { get; } = [];

    public long MaxTicks { get; set; }

    public EventInterval? Longest { get; set; }

    public int Failed { get; set; }

    public int Open { get; set; }

    public Dictionary<int, int> Statuses { get; } = [];
}
