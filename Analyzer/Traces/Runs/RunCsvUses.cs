namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>Divides the rows of a process id between the processes that had it one after the other.</summary>
internal static class RunCsvUses
{
    /// <summary>The rows of one process, in order. Each process numbers its runs from 1, so the next one begins where they fall.</summary>
    /// <param name="rows">All rows, in the file's order.</param>
    /// <param name="processId">The process id.</param>
    /// <param name="use">Which of the processes with this id, from 1.</param>
    public static IReadOnlyList<RunCsvRow> Of(IReadOnlyList<RunCsvRow> rows, int processId, int use)
    {
        var own = new List<RunCsvRow>();
        var (current, last) = (1, 0);
        foreach (var row in rows)
        {
            if (row.ProcessId != processId)
                continue;
            if (row.RunId <= last)
                current++;
            last = row.RunId;
            if (current == use)
                own.Add(row);
        }

        return own;
    }
}
