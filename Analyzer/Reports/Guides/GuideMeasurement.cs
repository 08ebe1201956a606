using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Sources;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>
/// Wall times of the runs of one row, by process, as <c>esp-analyze diff</c> compares them: what another guide needs to judge a difference.
/// </summary>
/// <param name="Step">Key of the step.</param>
/// <param name="Serializer">The serializer.</param>
/// <param name="LibraryVersion">Version of its library.</param>
/// <param name="Runtime">Label of the runtime if the step has several, else empty.</param>
/// <param name="Operation">The operation.</param>
/// <param name="Kind">Measured or first call.</param>
/// <param name="Objects">Objects in the graph.</param>
/// <param name="PayloadBytes">Extra bytes in each object.</param>
/// <param name="Threads">Number of threads.</param>
/// <param name="DataBytes">Size of the serialized data; null when not recorded.</param>
/// <param name="WallMs">Wall times in ms, one list per process; disturbed runs only when there are no others.</param>
internal sealed record GuideMeasurement(
    string Step,
    string Serializer,
    string LibraryVersion,
    string Runtime,
    string Operation,
    string Kind,
    int Objects,
    int PayloadBytes,
    int Threads,
    long? DataBytes,
    IReadOnlyList<double[]> WallMs
)
{
    /// <summary>Options of the comparison: those of <c>diff</c>.</summary>
    public static ComparisonOptions Options { get; } = new() { FallBackToDisturbedRuns = true };

    /// <summary>What identifies the row in every guide.</summary>
    public GuideRowKey Key => new(Step, Serializer, Runtime, Operation, Kind, Objects, PayloadBytes, Threads);

    /// <summary>The measurements of a step.</summary>
    public static IEnumerable<GuideMeasurement> Of(string step, RunReading? read)
    {
        if (read is null)
            return [];
        var recording = new ComparedRecording(step, read.Input, read.Result);
        var side = new ComparedSide(step, [recording]);
        var sizes = read.Result.Rows.ToDictionary(row => row.Key, row => row.DataBytes);
        return side.Rows(new RunFilter(), Options, new Disturbance([recording]), byRuntime: side.HasSeveralRuntimes, byRecording: false)
            .Where(row => row.Value.Count > 0)
            .Select(row => new GuideMeasurement(
                step,
                row.Key.Serializer,
                row.Value.All.First().Identity.LibraryVersion,
                row.Key.Runtime,
                row.Key.Operation,
                row.Key.Kind.ToString(),
                row.Key.ObjectCount,
                row.Key.PayloadBytes,
                row.Key.ThreadCount,
                sizes.GetValueOrDefault(row.Key),
                row.Value.Values(Metric.Wall) ?? []
            ))
            .OrderBy(row => row.Key.ToString(), StringComparer.Ordinal);
    }
}

/// <summary>Identifies a row in every guide.</summary>
internal readonly record struct GuideRowKey(
    string Step,
    string Serializer,
    string Runtime,
    string Operation,
    string Kind,
    int Objects,
    int PayloadBytes,
    int Threads
)
{
    /// <summary>The key of a row of a step.</summary>
    public static GuideRowKey Of(string step, SummaryKey key) =>
        new(step, key.Serializer, key.Runtime, key.Operation, key.Kind.ToString(), key.ObjectCount, key.PayloadBytes, key.ThreadCount);
}

/// <summary>Machine, settings and runtimes of a guide.</summary>
/// <param name="MeasuredUtc">Start of its first recording.</param>
/// <param name="Facts">What affects times, by name (<see cref="EnvironmentFacts"/>).</param>
/// <param name="Runtimes">Runtimes of each step.</param>
internal sealed record GuideEnvironment(
    DateTime MeasuredUtc,
    IReadOnlyDictionary<string, string> Facts,
    IReadOnlyDictionary<string, IReadOnlyList<string>> Runtimes
)
{
    /// <summary>The environment of a guide; null when it recorded nothing.</summary>
    public static GuideEnvironment? Of(GuideInput input)
    {
        IReadOnlyList<(string Step, RunReading Read)> steps =
        [
            .. input.Readings.Where(step => step.Read is { Input.Recordings.Count: > 0 }).Select(step => (step.Step, step.Read!)),
        ];
        if (steps.Count == 0)
            return null;
        var facts = EnvironmentFacts
            .OfMachine.Concat(EnvironmentFacts.OfRuns)
            .Select(fact => (fact.Name, Value: fact.Value(steps[0].Read.Input.Environments[0])))
            .Where(fact => fact.Value.Length > 0);
        return new GuideEnvironment(
            steps.Min(step => step.Read.Input.Recordings[0].Description.StartedUtc),
            facts.ToDictionary(fact => fact.Name, fact => fact.Value),
            steps.ToDictionary(step => step.Step, step => RuntimesOf(step.Read))
        );
    }

    private static IReadOnlyList<string> RuntimesOf(RunReading read) =>
        [
            .. read
                .Input.Recordings.Select(recording => recording.Description.Environment?.Fields)
                .Select(fields => fields is { } known && known.TryGetProperty("runtime", out var name) ? name.ToString() : "")
                .Concat(read.Result.Runs.Where(run => !run.IsOneOfSeveralRuntimes).Select(run => run.Runtime))
                .Where(name => name.Length > 0)
                .Distinct()
                .Order(StringComparer.Ordinal),
        ];
}
