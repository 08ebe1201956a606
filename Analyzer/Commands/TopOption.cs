using System.CommandLine;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>--top N</c>: the default limits text output; CSV and JSON have all rows.</summary>
internal static class TopOption
{
    public static Option<int?> Create(int rowsForPeople) => Create($"Maximum rows (default: {rowsForPeople}; CSV and JSON have all).");

    public static Option<int?> Create(string description)
    {
        var top = new Option<int?>("--top") { Description = description, HelpName = "N" };
        top.Validators.Add(result =>
        {
            if (result.Has<int?>(value => value is < 1))
                result.AddError($"{result.Tokens[0].Value} rows cannot be shown", "choose 1 or more");
        });
        return top;
    }

    /// <summary>Maximum rows; null for all.</summary>
    public static int? Rows(int? given, ReportFormat format, int rowsForPeople) =>
        given ?? (format is ReportFormat.Csv or ReportFormat.Json ? null : rowsForPeople);
}
