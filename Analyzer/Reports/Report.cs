using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Everything an output shows, whatever its format.</summary>
/// <param name="Kind">Which report: the name of its command.</param>
/// <param name="Input">What was read.</param>
/// <param name="Result">What came out.</param>
/// <param name="Sections">Tables, in order.</param>
/// <param name="Closing">Lines behind the tables.</param>
public sealed record Report(string Kind, TraceInput Input, AnalysisResult Result, IReadOnlyList<Section> Sections, IReadOnlyList<string> Closing)
{
    /// <summary>Lines above the tables of a report that is not about runs; null for the lines about runs.</summary>
    public IReadOnlyList<string>? Header { get; init; }

    /// <summary>Whether people read the findings as a line each behind the tables; not where the tables are the findings.</summary>
    public bool ListsFindings { get; init; } = true;

    /// <summary>Whether the text saves lines: fewer blank lines, no list of files.</summary>
    public bool IsFirstScreen { get; init; }

    /// <summary>Values that belong to no row, for programs: name and value.</summary>
    public IReadOnlyList<(string Key, object? Value)> Summary { get; init; } = [];

    /// <summary>Name of the object in JSON that holds <see cref="Summary"/>.</summary>
    public string SummaryKey { get; init; } = "summary";
}
