using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Content of a report, independent of the output format.</summary>
/// <param name="Kind">Kind of report: the name of its command.</param>
/// <param name="Input">The trace input.</param>
/// <param name="Result">The analysis result.</param>
/// <param name="Sections">Tables, in order.</param>
/// <param name="Closing">Lines after the tables.</param>
public sealed record Report(
    string Kind,
    TraceInput Input,
    AnalysisResult Result,
    IReadOnlyList<Section> Sections,
    IReadOnlyList<string> Closing
)
{
    /// <summary>Lines above the tables of a report that is not about runs; null for the lines about runs.</summary>
    public IReadOnlyList<string>? Header { get; init; }

    /// <summary>Whether text output lists the findings after the tables; false if the tables are the findings.</summary>
    public bool ListsFindings { get; init; } = true;

    /// <summary>Whether the text saves lines: fewer blank lines, no list of files.</summary>
    public bool IsFirstScreen { get; init; }

    /// <summary>Meaning of the letters in bars; written after the tables if one of them shows bars. Empty for none.</summary>
    public string BarLegend { get; init; } = "";

    /// <summary>Values outside of rows, for CSV and JSON: name and value.</summary>
    public IReadOnlyList<(string Key, object? Value)> Summary { get; init; } = [];

    /// <summary>Name of the JSON object that contains <see cref="Summary"/>.</summary>
    public string SummaryKey { get; init; } = "summary";
}
