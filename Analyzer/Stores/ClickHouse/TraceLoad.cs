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
    /// <summary>Whether its rows are the trace's.</summary>
    public bool IsDone => State == LoadLog.Done;

    /// <summary>Whether it stays when its content is put in again: under a name that sorts behind its own, unless it failed and the other did not.</summary>
    public bool Outlasts(string name, string status) => string.CompareOrdinal(Name, name) < 0 && (Status == StoredTrace.Extracted || status == StoredTrace.Failed);

    /// <summary>Which load of one trace stays of several that were put in at the same time: the one that would if they had been put in one after the other.</summary>
    public static TraceLoad Kept(IEnumerable<TraceLoad> loads) => loads.OrderBy(load => load.Number).Aggregate((kept, next) => kept.Outlasts(next.Name, next.Status) ? kept : next);
}
