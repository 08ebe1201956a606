using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>A row of the run CSV: what a process wrote of one run.</summary>
/// <param name="ProcessId">Process that ran it.</param>
/// <param name="RunId">Number of the run in that process, from 1.</param>
/// <param name="PlannedRuns">Runs the whole benchmark planned, 0 when it did not know.</param>
/// <param name="Identity">Names the run.</param>
/// <param name="SelfMeasurement">What the process knows of it.</param>
/// <param name="Runtime">Runtime of the process.</param>
public sealed record RunCsvRow(
    int ProcessId,
    int RunId,
    int PlannedRuns,
    RunIdentity Identity,
    RunMeasurement SelfMeasurement,
    string Runtime
);

/// <summary>The rows of a run CSV and what could not be read of it.</summary>
/// <param name="Rows">Rows in the file's order.</param>
/// <param name="LeftOut">Serializers that took no part.</param>
/// <param name="Problems">What was left out, a sentence each.</param>
public sealed record RunCsvContent(IReadOnlyList<RunCsvRow> Rows, IReadOnlyList<LeftOutSerializer> LeftOut, IReadOnlyList<string> Problems);
