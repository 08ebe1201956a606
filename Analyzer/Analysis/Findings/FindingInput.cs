using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Analysis.XmlCode;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>
/// Input of the rules. <c>esp-analyze findings</c> reads all of it, other tables only the result and the recordings. Null means not
/// recorded or not read; rules that need such a value do not apply.
/// </summary>
/// <param name="Result">Runs, rows, costs and losses.</param>
public sealed record FindingInput(AnalysisResult Result)
{
    /// <summary>Waits for managed locks in measured runs, longest first.</summary>
    public LockResult? Locks { get; init; }

    /// <summary>Exceptions thrown in measured runs, most frequent first.</summary>
    public IReadOnlyList<ExceptionRow>? Exceptions { get; init; }

    /// <summary>GCs of the processes, including those outside of runs.</summary>
    public GcResult? Gcs { get; init; }

    /// <summary>
    /// CPU samples in the long pauses of <see cref="Gcs"/> (<see cref="LongPause.MinMs"/>); empty when there are no such pauses.
    /// </summary>
    public IReadOnlyList<LongPause>? LongPauses { get; init; }

    /// <summary>Waits of all threads of programs without marks; null for benchmarks.</summary>
    public WaitResult? Waits { get; init; }

    /// <summary>HTTP requests of programs without marks; null for benchmarks. No rule uses them.</summary>
    public RequestResult? Requests { get; init; }

    /// <summary>Allocations of the measured runs by type and heap.</summary>
    public AllocationResult? Allocations { get; init; }

    /// <summary>Allocations by the program's own method that leads to them.</summary>
    public AllocationResult? AllocationsByOwn { get; init; }

    /// <summary>First calls, and the assemblies that they loaded, generated or did not find.</summary>
    public FirstCallResult? FirstCalls { get; init; }

    /// <summary>Code that XmlSerializer generated at run time.</summary>
    public IReadOnlyList<XmlCodeRow>? XmlCode { get; init; }

    /// <summary>Compilations in the measured runs by method and tier; no rule uses them.</summary>
    public IReadOnlyList<JitRow>? Compilations { get; init; }

    /// <summary>The recordings, with recording.json and environment.json; empty for bare files.</summary>
    public IReadOnlyList<InputRecording> Recordings { get; init; } = [];

    /// <summary>Skipped serializers, from run CSVs without a recording.</summary>
    public IReadOnlyList<LeftOutSerializer> LeftOut { get; init; } = [];

    /// <summary>CPU samples of the measured runs by row and method.</summary>
    public IReadOnlyList<MethodCost>? Methods { get; init; }

    /// <summary>Stacks of the measured runs, with source lines of the program's own code; null when not requested.</summary>
    public FlameReading? Flames { get; init; }

    /// <summary>Names of missing data; rules that need it did not apply.</summary>
    public IReadOnlyList<string> NotRecorded =>
        Result.MeasuredRuns.All(run => run.Error.Length > 0)
            ? ["measured runs", .. Missing(FirstCalls, FirstCallName)]
            :
            [
                .. Missing(Locks, "waits for locks"),
                .. Missing(Exceptions, "exceptions"),
                .. Missing(Gcs, "GCs"),
                .. Missing(Allocations, "allocations by type (esp-record --alloc)"),
                .. Missing(FirstCalls, FirstCallName),
                .. Missing(Methods, "CPU samples"),
            ];

    private const string FirstCallName = "first calls (esp-record -test firstcall)";

    private static IEnumerable<string> Missing(object? value, string name) => value is null ? [name] : [];
}

/// <summary>Exception rates of a table row, for rules on exceptions.</summary>
/// <param name="input">Input of the rules.</param>
/// <param name="row">The row.</param>
internal sealed class ThrownInRow(FindingInput input, SummaryRow row)
{
    /// <summary>With fewer samples, a twentieth is not significant.</summary>
    private const int MinSamples = 100;

    private const string Cause = "exceptions";

    /// <summary>Maximum length of a pattern in a sentence.</summary>
    private const int MaxPatternLength = 60;

    private static readonly int s_cause = CauseCatalog.IndexOf(Cause);

    public SummaryRow Row => row;

    /// <summary>Exceptions per run; null when not recorded.</summary>
    public double? PerRun => row.Runs > 0 ? (double?)row.Exceptions / row.Runs : null;

    /// <summary>Exceptions per object; null when not recorded, or when the row has no objects.</summary>
    public double? PerObject =>
        row.Key.ObjectCount > 0 && row.Runs > 0
            ? row.Exceptions / ((double)row.Operations * row.Key.ObjectCount * row.Key.ThreadCount)
            : null;

    /// <summary>Exceptions per second of the runs' wall time; null when not recorded.</summary>
    public double? PerSecond => row.WallTotalMs > 0 ? row.Exceptions * 1e3 / row.WallTotalMs : null;

    /// <summary>
    /// Share of throwing and catching in the CPU time below the serializer's entry; null when not recorded, or when the samples are too
    /// few.
    /// </summary>
    public double? CpuShare =>
        row.Causes is { Samples: >= MinSamples, Serializer: > 0 } causes ? (double)causes.Causes[s_cause] / causes.Serializer : null;

    /// <summary>Describes the row for a finding.</summary>
    /// <param name="perSecond">Whether to add the rate per second.</param>
    /// <param name="pattern">Whether to add the most frequent message pattern.</param>
    public ListedItem Item(bool perSecond = false, bool pattern = false)
    {
        var (parts, evidence) = (new List<string>(), new List<FindingEvidence>());
        if (PerRun is { } perRun)
        {
            parts.Add(FormattableString.Invariant($"{perRun:0.#} per run"));
            evidence.Add(new FindingEvidence($"exceptions per run, {row.Key}", perRun, ""));
            if (PerObject is { } perObject)
                evidence.Add(new FindingEvidence($"exceptions per object, {row.Key}", perObject, ""));
        }

        if (perSecond && PerSecond is { } rate)
        {
            parts.Add(FormattableString.Invariant($"{rate:N0} per second"));
            evidence.Add(new FindingEvidence($"exceptions per second, {row.Key}", rate, "1/s"));
        }

        if (CpuShare is { } share)
        {
            parts.Add(FormattableString.Invariant($"{share * 100:0} % of its CPU time"));
            evidence.Add(
                new FindingEvidence($"share of the serializer's CPU time spent throwing and catching, {row.Key}", share * 100, "%")
            );
        }

        var most = input
            .Exceptions?.Where(thrown => thrown.Runs == row.Key)
            .GroupBy(thrown => (thrown.Type, thrown.Method))
            .MaxBy(group => group.Sum(thrown => thrown.Count))
            ?.MaxBy(thrown => thrown.Count);
        if (most is not null)
            parts.Add(
                $"mostly {most.Type ?? "of unknown type"}{(pattern && most.Pattern.Length > 0 ? $" \"{Short(most.Pattern)}\"" : "")}{ListedFinding.In(most.Method)}{(ListedFinding.Name(most.Caller) is { } caller ? $" below {caller}" : "")}"
            );
        return new ListedItem(
            $"{row.Key} ({string.Join(", ", parts)})",
            evidence,
            ExceptionFlowRule.FirstOf(most)
                ?? FindingLocation.Of(row.AllRuns.Where(run => run.Error.Length == 0).MaxBy(run => run.Exceptions ?? 0)!)
        );
    }

    private static string Short(string text) => text.Length <= MaxPatternLength ? text : text[..MaxPatternLength] + "…";
}
