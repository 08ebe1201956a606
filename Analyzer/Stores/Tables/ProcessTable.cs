using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>process</c>.</summary>
public static class ProcessTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredProcess> Table { get; } =
        new(
            "process",
            "A process with runs",
            [
                new("process", "Number of the process in the trace, from 0", row => row.Number),
                new(
                    "label",
                    "Label of its recording among several of an index; empty when there is only one",
                    row => row.Runs.Process.Recording
                ),
                new("process_id", "Process id, 0 when unknown", row => row.Runs.ProcessId),
                new("program", "Name of the program", row => row.Traced?.Program ?? ""),
                new("runtime", "Version of its runtime", row => row.Traced?.RuntimeVersion ?? ""),
                new("pairing", "Condition for a run to count as found", row => row.Runs.Pairing.ToString()),
                new("runs_expected", "Runs expected; null when the process marks none", row => row.Runs.Expected),
                new("runs_found", "Runs found", row => row.Runs.Found),
                new(
                    "missing_runs",
                    "Numbers of the runs that were not found, separated by commas",
                    row => string.Join(',', row.Runs.MissingRunIds.Select(run => run.ToString(CultureInfo.InvariantCulture)))
                ),
                new("runs_before", "Runs before the kept interval of a circular recording", row => row.Runs.Before),
                new("runs_after", "Runs that had not ended at the snapshot of a circular recording", row => row.Runs.After),
                new("runs_cut", "Runs cut by the start or end of the recording", row => row.Runs.Cut),
                new(
                    "by_serializer",
                    "Expected and found runs of each serializer: a JSON array of [name, expected, found]",
                    row =>
                        JsonSerializer.Serialize(
                            row.Runs.BySerializer.Select(count => new object[] { count.Serializer, count.Expected, count.Found })
                        )
                ),
                new("held_ms", "Time that the recorder kept it waiting at its start", row => row.Traced?.HeldMs),
                new("ticks_per_second", "Ticks of the trace's clock in one second", row => row.TicksPerSecond),
            ]
        );
}

/// <summary>A process with runs.</summary>
/// <param name="Number">Its number in the trace, from 0, which identifies it in other tables.</param>
/// <param name="Runs">Its runs.</param>
/// <param name="Traced">Its input; null when unknown.</param>
/// <param name="TicksPerSecond">Ticks per second of its trace's clock.</param>
public sealed record StoredProcess(int Number, ProcessRuns Runs, TracedProcess? Traced, long TicksPerSecond);
