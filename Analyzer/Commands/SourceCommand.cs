using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze source</c>: source code with the CPU time of each line.</summary>
internal static class SourceCommand
{
    /// <summary>Methods for people unless --top or --of says otherwise.</summary>
    private const int MethodsForPeople = 3;

    public static Command Create()
    {
        var command = new Command("source", "Shows the source of methods with the CPU time of each line, including inlined methods.");
        command.WithExamples(
            ("esp-analyze source recordings/r1", "Which lines of the most expensive methods take the time?"),
            ("esp-analyze source recordings/r1 --of Parser.ReadString", "Which lines of one method take the time?"),
            ("esp-analyze source recordings/r1 --of Parser.ReadString --asm", "Which instructions take the time? Needs esp-record --code.")
        );
        var arguments = new AnalyzeArguments();
        var of = new Option<string?>("--of")
        {
            Description = "Only these methods, or those of these source files: parts of names, or #NAME.",
            HelpName = "NAME",
        };
        of.Validators.Add(result =>
        {
            if (result.Tokens.Any(token => NamePattern.List(token.Value).Count == 0))
                result.AddError("--of names nothing", $"write --of NAME: {NamePattern.Rule}");
        });
        var il = new Option<bool>("--il")
        {
            Description = "Show the IL of each line that has a cost; the CPU time of a statement is at its first instruction.",
        };
        var asm = new Option<bool>("--asm")
        {
            Description =
                "Show the x64 machine code of each line that has a cost, with the CPU time of each instruction. Code of the JIT needs a recording made with esp-record --code.",
        };
        var runs = new RunFilterOptions();
        var symbols = new SymbolsOption();
        var top = TopOption.Create($"Maximum methods (default: {MethodsForPeople}; with --of, and in CSV and JSON, all).");
        arguments.AddTo(command);
        command.Options.Add(of);
        command.Options.Add(il);
        command.Options.Add(asm);
        runs.AddTo(command);
        symbols.AddTo(command);
        command.Options.Add(top);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                {
                    var name = parsed.GetValue(of);
                    var limit = name is null ? TopOption.Rows(parsed.GetValue(top), format, MethodsForPeople) : parsed.GetValue(top);
                    return SourceReport.Print(
                        paths,
                        NamePattern.List(name ?? ""),
                        runs.Filter(parsed),
                        limit,
                        format,
                        output,
                        symbols.Files(parsed),
                        parsed.GetValue(il),
                        parsed.GetValue(asm)
                    );
                }
            )
        );
        return command;
    }
}
