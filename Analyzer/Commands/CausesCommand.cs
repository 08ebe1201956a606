using System.CommandLine;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Stores;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze causes</c>: what the CPU time of each serializer was spent on.</summary>
internal static class CausesCommand
{
    public static Command Create()
    {
        var command = new Command("causes", "What the CPU time of each serializer was spent on: its own code, reflection, Activator, GC, JIT, formatting, I/O …; rows add up.");
        command.WithExamples(
            ("esp-analyze causes recordings/r1", "What is the time of each serializer spent on: reflection, GC, JIT, formatting …?"),
            ("esp-analyze causes recordings/r1 --percent --detail", "The same as shares, with each cause by itself."),
            ("esp-analyze causes recordings/r1 --serializer DataContract --by-run", "Is it the same in every run of one serializer?"));
        var arguments = new AnalyzeArguments(stores: true);
        var runs = new RunFilterOptions();
        var byRun = new Option<bool>("--by-run") { Description = "A row for each run instead of one for each serializer and test." };
        var detail = new Option<bool>("--detail") { Description = "Single causes instead of their groups (CSV and JSON have both)." };
        var percent = new Option<bool>("--percent") { Description = "Shares of the serializer's time instead of ms (CSV and JSON have ms)." };
        var wpa = new Option<bool>("--wpa") { Description = "One tag a sample as the Windows Performance Analyzer counts, the deepest one winning: reflection is then in no serializer's row." };
        var tags = new StacktagOption();
        var symbols = new SymbolsOption();
        var top = TopOption.Create("Most rows of --wpa.");
        command.Check(result =>
        {
            if (result.GetValue(wpa) && (result.GetValue(byRun) || result.GetValue(detail) || result.GetValue(percent)))
                result.AddError("--by-run, --detail and --percent belong to the matrix; --wpa has one table", "leave out --wpa, or the others");
            if (result.GetValue(wpa) && result.GetResult(arguments.Paths)?.Tokens.Any(token => StoreAddress.IsStore(token.Value)) == true)
                result.AddError("--wpa needs stacks, and a store has none", "leave out --wpa, or name the recording itself");
            if (!result.GetValue(wpa) && (tags.IsGiven(result) || result.GetResult(top) is not null))
                result.AddError("--stacktags and --top belong to --wpa", "add --wpa, or leave them out");
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
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) => parsed.GetValue(wpa)
            ? ReportPrinter.PrintCpu(paths, new CpuQuery(CpuGrouping.Tag, ByInclusive: false, runs.Filter(parsed), parsed.GetValue(top)) { Tags = tags.Read(parsed) }, format, output, symbols.Files(parsed))
            : ReportPrinter.PrintCauses(
                RunSources.Open(paths, symbols.Files(parsed)), new CausesQuery(runs.Filter(parsed), parsed.GetValue(byRun), parsed.GetValue(detail), parsed.GetValue(percent)), format, output)));
        return command;
    }
}
