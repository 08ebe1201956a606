using System.CommandLine;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze cpu</c>: where the CPU time of the runs went, by samples.</summary>
internal static class CpuCommand
{
    /// <summary>Rows for people unless --top says otherwise; programs get all.</summary>
    private const int RowsForPeople = 30;

    public static Command Create()
    {
        var command = new Command("cpu", "Where the CPU time of the runs went, by the samples of the kernel session: methods, modules, namespaces or threads.");
        var arguments = new AnalyzeArguments();
        var by = new Option<CpuGrouping>("--by") { Description = "What a row stands for.", HelpName = "method|module|namespace|thread", DefaultValueFactory = _ => CpuGrouping.Method };
        var inclusive = new Option<bool>("--inclusive") { Description = "Order the rows by the time in the method and in what it called." };
        var serializer = new Option<string?>("--serializer") { Description = "Only runs of this serializer.", HelpName = "NAME" };
        var test = new Option<string?>("--test") { Description = "Only runs of this operation or test, as in the table.", HelpName = "NAME" };
        var run = new Option<int?>("--run") { Description = "Only the run of this number, as in 'esp-analyze runs'.", HelpName = "I" };
        var kind = new Option<RunKindFilter>("--kind") { Description = "Measured runs, or all: also warm-ups and first calls.", HelpName = "measured|all", DefaultValueFactory = _ => RunKindFilter.Measured };
        var top = new Option<int?>("--top") { Description = $"Most rows (default: {RowsForPeople}; CSV and JSON have all).", HelpName = "N" };
        top.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int?>() is < 1)
                result.AddError("--top: choose 1 or more rows.");
        });
        arguments.AddTo(command);
        foreach (var option in (Option[])[by, inclusive, serializer, test, run, kind, top])
            command.Options.Add(option);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) =>
        {
            var filter = new RunFilter { Serializer = parsed.GetValue(serializer), Test = parsed.GetValue(test), RunId = parsed.GetValue(run), AllKinds = parsed.GetValue(kind) == RunKindFilter.All };
            var rows = parsed.GetValue(top) ?? (format is ReportFormat.Csv or ReportFormat.Json ? null : RowsForPeople);
            return ReportPrinter.PrintCpu(paths, new CpuQuery(parsed.GetValue(by), parsed.GetValue(inclusive), filter, rows), format, output);
        }));
        return command;
    }
}
