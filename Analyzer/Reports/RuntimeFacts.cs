using System.Globalization;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Facts on one of several runtimes: its version, its runs, and what was not recorded.</summary>
/// <param name="Name">Its name in the Runtime column.</param>
/// <param name="Versions">Its distinct versions; empty when unknown.</param>
/// <param name="Expected">Number of expected runs; null when it marks none.</param>
/// <param name="Found">Number of runs found.</param>
/// <param name="NotRecorded">Names of what none of its runs recorded.</param>
public sealed record RuntimeFacts(string Name, IReadOnlyList<string> Versions, int? Expected, int Found, IReadOnlyList<string> NotRecorded)
{
    /// <summary>Size of its program in bytes; null when not recorded.</summary>
    public long? ProgramBytes { get; init; }

    private static readonly (string Name, Func<Run, bool> Has)[] s_kinds =
    [
        ("GC counts", run => run.Gcs is not null),
        ("GC pauses", run => run.PauseTotalMs is not null),
        ("allocation", run => run.AllocatedBytes is not null),
        ("JIT", run => run.JitMs is not null),
        ("exceptions", run => run.Exceptions is not null),
        ("locks", run => run.Contentions is not null),
        ("context switches", run => run.CpuMs is not null),
        ("CPU samples", run => run.Samples is not null),
    ];

    /// <summary>The runtimes of a report in order; empty if there is only one.</summary>
    public static IReadOnlyList<RuntimeFacts> Of(Report report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var result = report.Result;
        var processes = report.Input.Processes.ToDictionary(process => process.Key);
        return
        [
            .. result
                .Runs.Where(run => run.IsOneOfSeveralRuntimes)
                .GroupBy(run => run.Runtime)
                .Select(runs =>
                {
                    var keys = runs.Select(run => run.Process).ToHashSet();
                    IReadOnlyList<ProcessRuns> found = [.. result.Processes.Where(process => keys.Contains(process.Process))];
                    return new RuntimeFacts(
                        runs.Key.Length > 0 ? runs.Key : "unknown runtime",
                        [.. keys.Select(key => processes[key].RuntimeVersion).Where(version => version.Length > 0).Distinct()],
                        found.All(process => process.Expected is null) ? null : found.Sum(process => process.Expected ?? process.Found),
                        found.Sum(process => process.Found),
                        [.. s_kinds.Where(kind => !runs.Any(kind.Has)).Select(kind => kind.Name)]
                    )
                    {
                        ProgramBytes = ProgramOf(runs),
                    };
                }),
        ];
    }

    /// <summary>The largest program of some runs in bytes; null when none recorded it.</summary>
    internal static long? ProgramOf(IEnumerable<Run> runs) => runs.Max(FootprintMeasures.Program.ValueOf);

    /// <summary>Size of a program as text; empty when not recorded.</summary>
    internal static string Program(long? bytes) =>
        bytes is { } known ? string.Create(CultureInfo.InvariantCulture, $"; program {known / 1e6:0.0} MB") : "";

    /// <summary>The facts as one line.</summary>
    public string Line
    {
        get
        {
            var versions = Versions.Where(version => version != Name).ToList();
            return $"{Name}: {(versions.Count > 0 ? string.Join(", ", versions) + "; " : "")}"
                + $"runs {(Expected is { } expected ? $"expected {expected}, found {Found}" : "not marked")}{Program(ProgramBytes)}"
                + (NotRecorded.Count > 0 ? $"; not recorded: {string.Join(", ", NotRecorded)}" : "");
        }
    }
}
