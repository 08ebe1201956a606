using System.CommandLine;
using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Values that options of the suite are completed with: from catalogs, the suite is not started.</summary>
internal static class SuiteCompletions
{
    /// <summary>Names of the serializers.</summary>
    public static IEnumerable<string> Serializers() => SuiteCatalog.All.Concat(AdapterCatalog.All).Select(entry => entry.Name).Distinct().Order(StringComparer.OrdinalIgnoreCase);

    /// <summary>Gives the options their values.</summary>
    public static void Set(SuiteOptionSet suite)
    {
        suite.Serializer.CompleteList(Serializers);
        suite.Test.CompleteList(() => Enum.GetNames<SuiteTest>().Select(name => name.ToLowerInvariant()));
        suite.Scenario.CompletionSources.Add(_ => ScenarioCatalog.All.Select(entry => entry.Name).Append(ScenarioCatalog.List));
    }
}
