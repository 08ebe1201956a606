using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>One time that a trace was put into a shard.</summary>
/// <param name="Trace">The trace.</param>
/// <param name="Number">Number of the load: later ones of a trace have larger ones.</param>
/// <param name="State">The furthest it came: <see cref="LoadLog.Begun"/>, <see cref="LoadLog.Done"/>, <see cref="LoadLog.Withdrawn"/>.</param>
/// <param name="Name">Name of the trace.</param>
/// <param name="Status">Status of the trace.</param>
internal sealed record TraceLoad(string Trace, ulong Number, int State, string Name, string Status)
{
    /// <summary>Which of several loads of one trace is kept comes first: one that was extracted, then the one whose name sorts first, then the latest.</summary>
    public static IComparer<TraceLoad> Preferred { get; } = Comparer<TraceLoad>.Create(static (left, right) =>
        (left.Status == StoredTrace.Extracted) != (right.Status == StoredTrace.Extracted) ? (left.Status == StoredTrace.Extracted ? -1 : 1)
        : string.CompareOrdinal(left.Name, right.Name) is not 0 and var byName ? byName
        : right.Number.CompareTo(left.Number));

    /// <summary>Whether its rows are the trace's.</summary>
    public bool IsDone => State == LoadLog.Done;
}
