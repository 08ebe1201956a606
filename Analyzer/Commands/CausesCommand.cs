using System.CommandLine;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Stores;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze causes</c>: CPU time of each serializer by cause.</summary>
internal static class CausesCommand
{
    public static Command Create()
    {
        var command = new Command(
            "causes",
            "Shows what each serializer spent its CPU time on: its own code, reflection, Activator, GC, JIT, formatting, I/O …; the causes of a row add up."
        );
        command.WithExamples(
            ("esp-analyze causes recordings/r1", "What does each serializer spend its time on: reflection, GC, JIT, formatting …?"),
            ("esp-analyze causes recordings/r1 --percent --detail", "The same in percent, with single causes instead of groups."),
            ("esp-analyze causes recordings/r1 --serializer DataContract --by-run", "Is it the same in every run of one serializer?")
        );
        var arguments = new AnalyzeArguments(stores: true);
        var runs = new RunFilterOptions();
        var byRun = new Option<bool>("--by-run") { Description = "One row per run instead of one per serializer and test." };
        var detail = new Option<bool>("--detail") { Description = "Show single causes instead of groups (CSV and JSON have both)." };
        var percent = new Option<bool>("--percent")
        {
            Description = "Show shares of the serializer's time instead of ms (CSV and JSON have ms).",
        };
        var wpa = new Option<bool>("--wpa")
        {
            Description =
                "Give each sample one tag, the deepest, as the Windows Performance Analyzer does. Reflection then counts in no serializer's row.",
        };
        var tags = new StacktagOption();
        var symbols = new SymbolsOption();
        var top = TopOption.Create("Maximum rows of --wpa.");
        command.Check(result =>
        {
            if (result.GetValue(wpa) && (result.GetValue(byRun) || result.GetValue(detail) || result.GetValue(percent)))
                result.AddError(
                    "--by-run, --detail and --percent apply to the matrix, and --wpa prints one table",
                    "leave out --wpa, or the others"
                );
            if (result.GetValue(wpa) && result.GetResult(arguments.Paths)?.Tokens.Any(token => StoreAddress.IsStore(token.Value)) == true)
                result.AddError("--wpa needs stacks; a store has none", "leave out --wpa, or name the recording itself");
            if (!result.GetValue(wpa) && (tags.IsGiven(result) || result.GetResult(top) is not null))
                result.AddError("--stacktags and --top need --wpa", "add --wpa, or leave them out");
        });
        arguments.AddTo(command);
        runs.AddTo(command);
        command.Options.Add(byRun);
        command.Options.Add(detail);
        command.Options.Add(percent);
        command.Options.Add(wpa);
        tags.AddTo(command);
        symbols.AddTo(command);
        command.Options.Add(top);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    parsed.GetValue(wpa)
                        ? ReportPrinter.PrintCpu(
                            paths,
                            new CpuQuery(CpuGrouping.Tag, ByInclusive: false, runs.Filter(parsed), parsed.GetValue(top))
                            {
                                Tags = tags.Read(parsed),
                            },
                            format,
                            output,
                            symbols.Files(parsed)
                        )
                        : ReportPrinter.PrintCauses(
                            RunSources.Open(paths, symbols.Files(parsed)),
                            new CausesQuery(runs.Filter(parsed), parsed.GetValue(byRun), parsed.GetValue(detail), parsed.GetValue(percent)),
                            format,
                            output
                        )
            )
        );
        return command;
    }
}
