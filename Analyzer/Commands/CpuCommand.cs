using System.CommandLine;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze cpu</c>: where the CPU time of the runs went, by samples.</summary>
internal static class CpuCommand
{
    /// <summary>Default of --top for text output; CSV and JSON have all rows.</summary>
    private const int RowsForPeople = 30;

    /// <summary>Maximum nodes of a call tree in text output, and the minimum share of CPU time per node.</summary>
    private const int NodesForPeople = 150;
    private const double MinPercentForPeople = 1;

    public static Command Create()
    {
        var command = new Command(
            "cpu",
            "Shows where the CPU time of the runs went, by samples: methods, lines, modules, namespaces, threads or tags."
        );
        command.WithExamples(
            ("esp-analyze cpu recordings/r1 --serializer DataContract", "Which methods take the CPU time of one serializer?"),
            (
                "esp-analyze cpu recordings/r1 --tree --just-my-code --min-percent 2",
                "How do your own methods call each other, with the platform's code that they use?"
            ),
            ("esp-analyze cpu recordings/r1 --tree --wall --by thread", "Where does the time of each thread go, waits included?"),
            (
                "esp-analyze cpu trace.etl --symbols C:\\Symbols --inclusive",
                "Methods of a Windows trace with their callees, native functions by name."
            )
        );
        var arguments = new AnalyzeArguments(myCode: true);
        var by = new Option<CpuGrouping>("--by")
        {
            Description = "What each row is.",
            HelpName = "method|line|module|namespace|thread|tag",
            DefaultValueFactory = _ => CpuGrouping.Method,
        }.ByName();
        var inclusive = new Option<bool>("--inclusive") { Description = "Order the rows by inclusive time: the method and its callees." };
        var runs = new RunFilterOptions();
        var process = new Option<string?>("--process")
        {
            Description =
                "Only samples of these processes, by id or part of the name (default: the processes with runs). A process without runs counts while runs are on.",
            HelpName = "NAME",
        };
        var tree = new Option<bool>("--tree") { Description = "Show the call tree instead of rows." };
        var wall = new Option<bool>("--wall")
        {
            Description =
                "Also show waits in the tree, each below its stack, with its reason: all of a thread's time, not only its CPU time. Needs stacks of context switches.",
        };
        var justMine = new Option<bool>("--just-my-code")
        {
            Description =
                "Show only your own code: frames of platform, runtime and kernel count for the nearest method of yours that called them.",
        };
        var tags = new StacktagOption();
        var symbols = new SymbolsOption();
        var minPercent = new Option<double?>("--min-percent")
        {
            Description = $"Minimum share of the CPU time of a node in the tree (default: {MinPercentForPeople}; CSV and JSON have all).",
            HelpName = "P",
        };
        var depth = new Option<int?>("--depth")
        {
            Description = $"Maximum levels of the tree, up to {CallTreeQuery.Deepest}.",
            HelpName = "N",
        };
        var top = TopOption.Create(
            $"Maximum rows (default: {RowsForPeople}) or nodes of the tree (default: {NodesForPeople}; CSV and JSON have all)."
        );
        minPercent.Validators.Add(result =>
        {
            if (result.Has<double?>(value => value is not (null or (>= 0 and <= 100))))
                result.AddError($"{result.Tokens[0].Value} is not a share of the CPU time", "choose 0 to 100");
        });
        depth.Validators.Add(result =>
        {
            if (result.Has<int?>(value => value is not (null or (>= 1 and <= CallTreeQuery.Deepest))))
                result.AddError($"a tree cannot have {result.Tokens[0].Value} levels", $"choose 1 to {CallTreeQuery.Deepest}");
        });
        command.Check(result =>
        {
            // An option without effect is an error.
            if (!result.GetValue(tree) && (result.GetResult(minPercent) is not null || result.GetResult(depth) is not null))
                result.AddError("--min-percent and --depth need --tree", "add --tree, or leave them out");
            if (result.GetValue(justMine) && result.GetValue(by) is CpuGrouping.Tag or CpuGrouping.Thread && !result.GetValue(tree))
                result.AddError(
                    "--just-my-code folds frames, and these rows are not frames",
                    "leave it out, or choose --by method, line, module or namespace, or --tree"
                );
            var byTag = result.GetValue(by) == CpuGrouping.Tag;
            if (result.GetValue(tree) && byTag)
                result.AddError("--by tag gives each sample one tag, and tags have no tree", "leave out --tree, or --by tag");
            if (!result.GetValue(tree) && result.GetValue(wall))
                result.AddError(
                    "--wall needs --tree: a wait has a stack and no samples",
                    "add --tree, or leave it out; esp-analyze waits lists waits"
                );
            if (!byTag && tags.IsGiven(result))
                result.AddError("--stacktags needs --by tag", "add --by tag, or leave it out");
            if (result.GetValue(tree) && result.GetValue(inclusive))
                result.AddError("--inclusive orders rows; a call tree always has this order", "leave out --inclusive");
        });
        arguments.AddTo(command);
        command.Options.Add(by);
        command.Options.Add(inclusive);
        runs.AddTo(command);
        foreach (var option in (Option[])[justMine, process, tree, wall, minPercent, depth, top])
            command.Options.Add(option);
        tags.AddTo(command);
        symbols.AddTo(command);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                {
                    var forPeople = format is not (ReportFormat.Csv or ReportFormat.Json);
                    var rows = TopOption.Rows(parsed.GetValue(top), format, parsed.GetValue(tree) ? NodesForPeople : RowsForPeople);
                    var query = new CpuQuery(parsed.GetValue(by), parsed.GetValue(inclusive), runs.Filter(parsed), rows)
                    {
                        Process = parsed.GetValue(process),
                        WithWaits = parsed.GetValue(wall),
                        JustMyCode = parsed.GetValue(justMine),
                        Tags = parsed.GetValue(by) == CpuGrouping.Tag ? tags.Read(parsed) : null,
                        Tree = parsed.GetValue(tree)
                            ? new CallTreeQuery(
                                parsed.GetValue(minPercent) ?? (forPeople ? MinPercentForPeople : 0),
                                parsed.GetValue(depth) ?? CallTreeQuery.Deepest,
                                rows
                            )
                            : null,
                    };
                    return ReportPrinter.PrintCpu(paths, query, format, output, symbols.Files(parsed));
                }
            )
        );
        return command;
    }
}
