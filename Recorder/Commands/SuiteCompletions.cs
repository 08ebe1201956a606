using System.CommandLine;
using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Completions for the suite's options. They come from catalogs, so the suite does not start.</summary>
internal static class SuiteCompletions
{
    /// <summary>Names of the serializers.</summary>
    public static IEnumerable<string> Serializers() =>
        SuiteCatalog.All.Concat(AdapterCatalog.All).Select(entry => entry.Name).Distinct().Order(StringComparer.OrdinalIgnoreCase);

    /// <summary>Sets the completions of the options.</summary>
    public static void Set(SuiteOptionSet suite)
    {
        suite.Serializer.CompleteList(Serializers);
        suite.Test.CompleteList(() => Enum.GetNames<SuiteTest>().Select(name => name.ToLowerInvariant()));
        suite.Scenario.CompletionSources.Add(_ => ScenarioCatalog.All.Select(entry => entry.Name).Append(ScenarioCatalog.List));
    }
}
