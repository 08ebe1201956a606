using System.CommandLine;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze cpu</c>: where the CPU time of the runs went, by samples.</summary>
internal static class CpuCommand
{
    /// <summary>Rows for people unless --top says otherwise; programs get all.</summary>
    private const int RowsForPeople = 30;

    /// <summary>Nodes of a call tree for people, and what share of the CPU time one must have.</summary>
    private const int NodesForPeople = 150;
    private const double LeastPercentForPeople = 1;

    public static Command Create()
    {
        var command = new Command("cpu", "Where the CPU time of the runs went, by the samples of the kernel session: methods, modules, namespaces or threads.");
        command.WithExamples(
            ("esp-analyze cpu recordings/r1 --serializer DataContract", "Which methods is one serializer in?"),
            ("esp-analyze cpu recordings/r1 --tree --min-percent 2", "Who calls them, down to 2 % of the time?"),
            ("esp-analyze cpu recordings/r1 --tree --wall --by thread", "Where does the time of each thread go, waits included?"),
            ("esp-analyze cpu trace.etl --symbols C:\\Symbols --inclusive", "Methods of a Windows trace with what they call, with names of native functions."));
        var arguments = new AnalyzeArguments();
        var by = new Option<CpuGrouping>("--by") { Description = "What a row stands for.", HelpName = "method|line|module|namespace|thread|tag", DefaultValueFactory = _ => CpuGrouping.Method }.ByName();
        var inclusive = new Option<bool>("--inclusive") { Description = "Order the rows by the time in the method and in what it called." };
        var runs = new RunFilterOptions();
        var process = new Option<string?>("--process") { Description = "Samples of these processes, by id or a part of the name; of one without runs those during the runs (default: the processes that made the runs).", HelpName = "NAME" };
        var tree = new Option<bool>("--tree") { Description = "The call tree instead of rows: who called whom." };
        var wall = new Option<bool>("--wall") { Description = "The tree also has the waits, each below its stack, with what was waited for: where a thread's time goes, not only its CPU time. Needs stacks of context switches." };
        var tags = new StacktagOption();
        var symbols = new SymbolsOption();
        var least = new Option<double?>("--min-percent") { Description = $"Smallest share of the CPU time of a node in the tree (default: {LeastPercentForPeople}; CSV and JSON have all).", HelpName = "P" };
        var depth = new Option<int?>("--depth") { Description = $"Most levels of the tree, up to {CallTreeQuery.Deepest}.", HelpName = "N" };
        var top = TopOption.Create($"Most rows (default: {RowsForPeople}) or nodes of the tree (default: {NodesForPeople}; CSV and JSON have all).");
        least.Validators.Add(result =>
        {
            if (result.Has<double?>(value => value is not (null or (>= 0 and <= 100))))
                result.AddError($"{result.Tokens[0].Value} is no share of the CPU time", "choose 0 to 100");
        });
        depth.Validators.Add(result =>
        {
            if (result.Has<int?>(value => value is not (null or (>= 1 and <= CallTreeQuery.Deepest))))
                result.AddError($"a tree cannot have {result.Tokens[0].Value} levels", $"choose 1 to {CallTreeQuery.Deepest}");
        });
        command.Check(result =>
        {
            // An option that would do nothing is a mistake.
            if (!result.GetValue(tree) && (result.GetResult(least) is not null || result.GetResult(depth) is not null))
                result.AddError("--min-percent and --depth belong to --tree", "add --tree, or leave them out");
            var byTag = result.GetValue(by) == CpuGrouping.Tag;
            if (result.GetValue(tree) && byTag)
                result.AddError("--by tag gives each sample one tag: there is no tree of them", "leave out --tree, or --by tag");
            if (!result.GetValue(tree) && result.GetValue(wall))
                result.AddError("--wall belongs to --tree: a wait has a stack, and no samples", "add --tree, or leave it out; esp-analyze waits has rows of waits");
            if (!byTag && tags.IsGiven(result))
                result.AddError("--stacktags belongs to --by tag", "add --by tag, or leave it out");
            if (result.GetValue(tree) && result.GetValue(inclusive))
                result.AddError("--inclusive orders rows; a call tree is in that order anyway", "leave out --inclusive");
        });
        arguments.AddTo(command);
        command.Options.Add(by);
        command.Options.Add(inclusive);
        runs.AddTo(command);
        foreach (var option in (Option[])[process, tree, wall, least, depth, top])
            command.Options.Add(option);
        tags.AddTo(command);
        symbols.AddTo(command);
        command.SetAction(parsed => ReportAction.Run(parsed, arguments, (paths, format, output) =>
        {
            var forPeople = format is not (ReportFormat.Csv or ReportFormat.Json);
            var rows = TopOption.Rows(parsed.GetValue(top), format, parsed.GetValue(tree) ? NodesForPeople : RowsForPeople);
            var query = new CpuQuery(parsed.GetValue(by), parsed.GetValue(inclusive), runs.Filter(parsed), rows)
            {
                Process = parsed.GetValue(process),
                WithWaits = parsed.GetValue(wall),
                Tags = parsed.GetValue(by) == CpuGrouping.Tag ? tags.Read(parsed) : null,
                Tree = parsed.GetValue(tree) ? new CallTreeQuery(parsed.GetValue(least) ?? (forPeople ? LeastPercentForPeople : 0), parsed.GetValue(depth) ?? CallTreeQuery.Deepest, rows) : null,
            };
            return ReportPrinter.PrintCpu(paths, query, format, output, symbols.Files(parsed));
        }));
        return command;
    }
}
