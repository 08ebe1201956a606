using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Analysis.Timelines;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Content of a page, independent of its layout.</summary>
/// <param name="Title">Title of the page.</param>
/// <param name="Tables">The table report: header, tables and findings as on the command line.</param>
public sealed record HtmlReport(string Title, Report Tables)
{
    /// <summary>The headlines.</summary>
    public IReadOnlyList<Headline> Headlines { get; init; } = [];

    /// <summary>The matrix serializer × cause.</summary>
    public IReadOnlyList<MatrixPanel> Matrix { get; init; } = [];

    /// <summary>The rows of the matrix, for its table.</summary>
    public IReadOnlyList<SummaryRow> Rows { get; init; } = [];

    /// <summary>Time and allocation by object count.</summary>
    public IReadOnlyList<GrowthChart> Growth { get; init; } = [];

    /// <summary>One timeline per recording.</summary>
    public IReadOnlyList<Timeline> Timelines { get; init; } = [];

    /// <summary>Flame graphs; null when there are no samples.</summary>
    public FlameSet? Flames { get; init; }

    /// <summary>Flame graphs of the waits of programs; null when context switches have no stacks, and for benchmarks.</summary>
    public FlameSet? Waits { get; init; }

    /// <summary>Idle waits that <see cref="Waits"/> leave out, in ms.</summary>
    public double IdleMs { get; init; }

    /// <summary>For a comparison, the flame graphs of base; null for one side.</summary>
    public FlameSet? BaseFlames { get; init; }

    /// <summary>For a comparison, the number of runs on both sides, by row of the flame graph.</summary>
    public IReadOnlyDictionary<SummaryKey, (int Base, int Other)> FlameRuns { get; init; } =
        new Dictionary<SummaryKey, (int Base, int Other)>();

    /// <summary>Methods of programs without marks, one table each; empty for other recordings.</summary>
    public IReadOnlyList<Section> Programs { get; init; } = [];

    /// <summary>Source of the programs' most expensive methods; empty without lines, and on a shared page.</summary>
    public IReadOnlyList<MethodSource> Sources { get; init; } = [];

    /// <summary>Whether the page is about programs without marks.</summary>
    public bool IsOfPrograms => Programs.Count > 0;

    /// <summary>Whether the page compares two sides.</summary>
    public bool IsComparison { get; init; }

    /// <summary>Whether the source can have a timeline and stacks; false for a store.</summary>
    public bool HasPictures { get; init; } = true;

    /// <summary>What was not recorded.</summary>
    public IReadOnlyList<string> NotRecorded { get; init; } = [];

    /// <summary>Warnings and hints.</summary>
    public IReadOnlyList<Finding> Findings => Tables.Result.Findings;
}
