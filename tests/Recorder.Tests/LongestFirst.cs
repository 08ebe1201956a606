using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(EtwSerializerProfiler.Recorder.Tests.LongestFirst))]

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// Starts the classes that take minutes before all others. Each class is a collection, and collections run side by side: one that compiles
/// the suite ahead of time and starts last runs alone for minutes.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    /// <summary>Those that publish first, because a later run reuses what they published; then those with the most recordings.</summary>
    private static readonly Type[] s_longest =
    [
        typeof(NativeAotSuiteTests),
        typeof(RecordingTests),
        typeof(MonoTests),
        typeof(RuntimeTests),
        typeof(NativeAotTests),
        typeof(DiagnoserPackageTests),
        typeof(PtraceTests),
        typeof(RecordingExampleTests),
        typeof(GettingStartedExampleTests),
        typeof(ProgramSummaryTests),
    ];

    /// <inheritdoc />
    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection => [.. testCollections.OrderBy(Rank)];

    private static int Rank<TTestCollection>(TTestCollection collection)
        where TTestCollection : ITestCollection
    {
        var rank = Array.FindIndex(
            s_longest,
            type => collection.TestCollectionDisplayName.Contains($".{type.Name} ", StringComparison.Ordinal)
        );
        return rank < 0 ? s_longest.Length : rank;
    }
}
