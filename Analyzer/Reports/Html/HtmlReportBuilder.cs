using System.Globalization;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Builds the page of a recording.</summary>
public static class HtmlReportBuilder
{
    /// <summary>Maximum nodes of all flame graphs together; a default recording has about 13,000.</summary>
    public const int MaxNodes = 100_000;

    /// <summary>Maximum number of methods with source per program.</summary>
    private const int MaxSources = 5;

    /// <summary>Minimum share of the CPU time of such a method.</summary>
    private const double MinSourceShare = 0.01;

    /// <summary>Builds the page.</summary>
    /// <param name="read">The runs; a source without stacks and timeline has notes about it.</param>
    public static HtmlReport Build(RunReading read)
    {
        ArgumentNullException.ThrowIfNull(read);
        var table = ReportPrinter.With(ReportBuilder.Table(read.Input, read.Result, detail: true, read.FirstCalls), read);
        if (ProgramSummary.IsFor(read))
            return OfPrograms(read, table);
        return new HtmlReport(Title(read.Input), table)
        {
            Headlines = HeadlineBuilder.Build(table.Result),
            Matrix = MatrixPanel.Of(table.Result.Rows),
            Rows = table.Result.Rows,
            Growth = GrowthChart.Of(table.Result.Rows),
            HasPictures = read.Flames is not null,
            Timelines = read.Timeline?.Result(read.Result.Runs) ?? [],
            Flames = read.Flames?.Result(MaxNodes),
            NotRecorded = read.NotRecorded,
        };
    }

    private static HtmlReport OfPrograms(RunReading read, Report table)
    {
        var rows = read.Result.Rows;
        IReadOnlyList<Section> sections =
        [
            Section.Of("rows", "", rows, SummaryColumns.Programs, SummaryColumns.Main),
            .. table.Sections.Where(section => section.Key is not ("" or "rows" or "firstUseRows")),
        ];
        return new HtmlReport(Title(read.Input), table with { Sections = sections })
        {
            Headlines = ProgramSummary.Headlines(read),
            Programs = ProgramSummary.Methods(read),
            Sources = SourcesOf(read),
            Rows = rows,
            Timelines = read.Timeline?.Result(read.Result.Runs) ?? [],
            Flames = read.Flames?.Result(MaxNodes),
            Waits = read.Waits is { } waits ? WaitFlames.Of(waits, MaxNodes) : null,
            IdleMs = read.Waits?.Reasons.Where(row => row.Reason == WaitReason.Idle).Sum(row => row.Ms) ?? 0,
            NotRecorded = read.NotRecorded,
        };
    }

    private static List<MethodSource> SourcesOf(RunReading read) =>
        read.Files is { } files && read.Flames?.Result(int.MaxValue) is { } flames
            ?
            [
                .. flames.Trees.SelectMany(tree =>
                    MethodSource
                        .Of(LineCost.Of(flames, tree), [], MaxSources, files)
                        .Where(source => source.CpuMs >= MinSourceShare * flames.ToMilliseconds(tree.Ticks))
                ),
            ]
            : [];

    private static string Title(TraceInput input)
    {
        var started = input
            .Recordings.Select(recording => recording.Description.StartedUtc)
            .Order()
            .Select(time => time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC")
            .FirstOrDefault("");
        var name = input.Recordings.Any(recording => recording.Description.BuiltInSuite)
            ? "Serializers"
            : input.Processes.Select(process => process.Program).FirstOrDefault(program => program.Length > 0) ?? "Recording";
        return started.Length > 0 ? $"{name}, {started}" : $"{name}: {string.Join(' ', input.Paths.Select(Path.GetFileName))}";
    }
}
