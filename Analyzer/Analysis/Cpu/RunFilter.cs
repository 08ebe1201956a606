using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Selects runs; failed runs never match. Names match by <see cref="NamePattern"/>; several are separated by commas.</summary>
public sealed record RunFilter
{
    /// <summary>Operations whose full name matches only itself.</summary>
    private static readonly string[] s_operations = [RunOperation.Serialize, RunOperation.Deserialize, RunOperation.Combined];

    private IReadOnlyList<NamePattern> _serializers = [];
    private IReadOnlyList<NamePattern> _tests = [];
    private IReadOnlyList<NamePattern> _runtimes = [];

    /// <summary>Names of serializers or programs; null for all.</summary>
    public string? Serializer
    {
        get;
        init => (field, _serializers) = (value, NamePattern.List(value ?? ""));
    }

    /// <summary>
    /// Operations (<c>Serialize</c> does not match <c>Deserialize</c>), or tests with payload and threads as in tables; null for all.
    /// </summary>
    public string? Test
    {
        get;
        init =>
            (field, _tests) = (
                value,
                [.. NamePattern.List(value ?? "").Select(pattern => NameChoice.Pattern(pattern.ToString(), s_operations)!.Value)]
            );
    }

    /// <summary>Number of the run in its process; null for all.</summary>
    public int? RunId { get; init; }

    /// <summary>Runtimes: labels of recordings, or versions; null for all.</summary>
    public string? Runtime
    {
        get;
        init => (field, _runtimes) = (value, NamePattern.List(value ?? ""));
    }

    /// <summary>Whether warm-ups and first calls match, too.</summary>
    public bool AllKinds { get; init; }

    /// <summary>Whether a run matches.</summary>
    public bool Matches(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run.Error.Length == 0
            && (AllKinds || run.Identity.Kind == RunKind.Measured)
            && (RunId is null || run.RunId == RunId)
            && Are(_runtimes, run.Runtime)
            && Are(_serializers, run.Identity.Serializer)
            && (_tests.Count == 0 || _tests.Any(pattern => IsTest(pattern, run)));
    }

    /// <summary>The first name that matches nothing, with its kind and the available names; null when every name matches.</summary>
    /// <param name="runs">All runs.</param>
    internal (string Kind, NamePattern Pattern, IReadOnlyList<string> Names)? Unknown(IReadOnlyList<Run> runs) =>
        Unknown(
            "serializer",
            _serializers,
            runs,
            run => run.Identity.Serializer,
            (pattern, run) => pattern.Matches(run.Identity.Serializer)
        )
        ?? Unknown("test", _tests, runs, run => run.Identity.Operation, IsTest)
        ?? Unknown("runtime", _runtimes, runs, run => run.Runtime, (pattern, run) => pattern.Matches(run.Runtime));

    private static bool Are(IReadOnlyList<NamePattern> patterns, string name) =>
        patterns.Count == 0 || patterns.Any(pattern => pattern.Matches(name));

    private static bool IsTest(NamePattern pattern, Run run) =>
        pattern.Matches(run.Identity.Operation) || pattern.Matches(SummaryKey.Of(run.Identity).Test);

    private static (string Kind, NamePattern Pattern, IReadOnlyList<string> Names)? Unknown(
        string kind,
        IReadOnlyList<NamePattern> patterns,
        IReadOnlyList<Run> runs,
        Func<Run, string> name,
        Func<NamePattern, Run, bool> matches
    )
    {
        foreach (var pattern in patterns)
        {
            if (!runs.Any(run => matches(pattern, run)))
                return (kind, pattern, [.. runs.Select(name).Distinct().Order(StringComparer.Ordinal)]);
        }

        return null;
    }
}
