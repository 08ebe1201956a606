using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Analysis.Timelines;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Everything that a page shows, apart from how it looks.</summary>
/// <param name="Title">Title of the page.</param>
/// <param name="Tables">The report of the table: header, tables and findings as the command line has them.</param>
public sealed record HtmlReport(string Title, Report Tables)
{
    /// <summary>The sentences on top.</summary>
    public IReadOnlyList<Headline> Headlines { get; init; } = [];

    /// <summary>Serializer × cause.</summary>
    public IReadOnlyList<MatrixPanel> Matrix { get; init; } = [];

    /// <summary>The rows of the matrix, for its table.</summary>
    public IReadOnlyList<SummaryRow> Rows { get; init; } = [];

    /// <summary>Time and allocation by object count.</summary>
    public IReadOnlyList<GrowthChart> Growth { get; init; } = [];

    /// <summary>One a recording.</summary>
    public IReadOnlyList<Timeline> Timelines { get; init; } = [];

    /// <summary>Flame graphs; null when there are no samples.</summary>
    public FlameSet? Flames { get; init; }

    /// <summary>Of a comparison the graphs of the side that is compared with; null when there is one side.</summary>
    public FlameSet? BaseFlames { get; init; }

    /// <summary>Of a comparison the runs of each graph's row on both sides, by the graph's name.</summary>
    public IReadOnlyDictionary<SummaryKey, (int Base, int Other)> FlameRuns { get; init; } = new Dictionary<SummaryKey, (int Base, int Other)>();

    /// <summary>Methods of programs that mark no runs, a table each; empty for other recordings.</summary>
    public IReadOnlyList<Section> Programs { get; init; } = [];

    /// <summary>Source of the programs' methods of most CPU time; empty without lines, and in a page for others.</summary>
    public IReadOnlyList<MethodSource> Sources { get; init; } = [];

    /// <summary>Whether it is about programs that mark no runs.</summary>
    public bool IsOfPrograms => Programs.Count > 0;

    /// <summary>Whether it is a comparison of two sides.</summary>
    public bool IsComparison { get; init; }

    /// <summary>Whether its source can have a timeline and stacks; a store has none.</summary>
    public bool HasPictures { get; init; } = true;

    /// <summary>What was not recorded.</summary>
    public IReadOnlyList<string> NotRecorded { get; init; } = [];

    /// <summary>Warnings and hints.</summary>
    public IReadOnlyList<Finding> Findings => Tables.Result.Findings;
}
