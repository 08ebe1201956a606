using System.CommandLine;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>--top N</c>: people get some rows, programs all, unless it is given.</summary>
internal static class TopOption
{
    public static Option<int?> Create(int rowsForPeople) => Create($"Most rows (default: {rowsForPeople}; CSV and JSON have all).");

    public static Option<int?> Create(string description)
    {
        var top = new Option<int?>("--top") { Description = description, HelpName = "N" };
        top.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int?>() is < 1)
                result.AddError("--top: choose 1 or more rows.");
        });
        return top;
    }

    /// <summary>Most rows, null for all.</summary>
    public static int? Rows(int? given, ReportFormat format, int rowsForPeople) => given ?? (format is ReportFormat.Csv or ReportFormat.Json ? null : rowsForPeople);
}
