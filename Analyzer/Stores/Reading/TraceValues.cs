using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>Converts rows of table <c>trace</c> back to traces.</summary>
internal static class TraceValues
{
    /// <summary>All traces of a store, by name.</summary>
    public static IReadOnlyList<StoredTrace> All(ITraceStore store)
    {
        var traces = new List<StoredTrace>();
        using var reader = store.Read(TraceTable.Table, null);
        while (reader.Next() is { } row)
            traces.Add(Of(row));
        return [.. traces.OrderBy(trace => trace.Name, StringComparer.Ordinal)];
    }

    /// <summary>Converts a row.</summary>
    /// <param name="values">Values in the order of the table's columns.</param>
    public static StoredTrace Of(object?[] values)
    {
        var row = new StoredRow(TraceTable.Table, values);
        return new StoredTrace
        {
            Trace = row.Trace,
            ContentHash = row.Text("content_hash"),
            Name = row.Text("name"),
            Status = row.Text("status"),
            Error = row.Text("error"),
            Format = row.Text("format"),
            Bytes = row.Integer("bytes"),
            Tables = row.Text("tables"),
            RecordedUtc = row.OptionalText("recorded_utc"),
            DurationMs = row.OptionalReal("duration_ms"),
            Branch = row.OptionalText("branch"),
            Commit = row.OptionalText("commit_id"),
            Program = row.Text("program"),
            Runtime = row.Text("runtime"),
            Machine = row.Text("machine"),
            MachineClass = row.Text("machine_class"),
            RunsExpected = row.OptionalInteger("runs_expected"),
            RunsFound = row.Integer("runs_found"),
            LostEvents = row.Integer("lost_events"),
        };
    }
}
