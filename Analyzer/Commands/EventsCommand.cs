using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze events</c>: decoded events of a trace.</summary>
internal static class EventsCommand
{
    /// <summary>Default of --top for text output; CSV and JSON have all events.</summary>
    private const int EventsForPeople = 100;

    public static Command Create()
    {
        var command = new Command(
            "events",
            "Lists the events of a trace (.etl, .etl.zip, .diagsession, .nettrace, perf.data) in time order, with names and values of their fields."
        );
        command.WithExamples(
            ("esp-analyze events trace.etl --provider DotNETRuntime --id GC", "Which GCs were there, with all their fields?"),
            ("esp-analyze events perf.data --id MMAP2", "Which files did the program map as code?"),
            ("esp-analyze events trace.etl --process MyApp --from 2.5 --to 3", "What happened in one process in half a second?")
        );
        var arguments = new AnalyzeArguments(
            "A .nettrace or perf.data file, or the files of one Windows trace: .etl, .etl.zip, .zip or .diagsession.",
            runs: false
        );
        var provider = new Option<string>("--provider")
        {
            Description = "Only these providers: a GUID, or a part of the name (#NAME the whole name, * any text).",
            HelpName = "NAME|GUID",
            DefaultValueFactory = _ => "",
        };
        var id = new Option<string[]>("--id")
        {
            Description = "Only these events: id (of kernel events: opcode), or a part of the name.",
            HelpName = "ID|NAME",
            DefaultValueFactory = _ => [],
            AllowMultipleArgumentsPerToken = true,
        };
        var process = new Option<string>("--process")
        {
            Description = "Only these processes: id, or a part of the name.",
            HelpName = "NAME|ID",
            DefaultValueFactory = _ => "",
        };
        var from = Seconds("--from", "Only from this second of the trace on.");
        var to = Seconds("--to", "Only up to this second of the trace.");
        var top = TopOption.Create(EventsForPeople);
        arguments.AddTo(command);
        foreach (var option in (Option[])[provider, id, process, from, to, top])
            command.Options.Add(option);
        command.SetAction(parsed =>
            ReportAction.Run(
                parsed,
                arguments,
                (paths, format, output) =>
                    ReportPrinter.PrintEvents(
                        paths,
                        new EventQuery
                        {
                            Provider = parsed.GetValue(provider)!,
                            Events = parsed.GetValue(id)!,
                            Process = parsed.GetValue(process)!,
                            From = parsed.GetValue(from),
                            To = parsed.GetValue(to),
                            Top = TopOption.Rows(parsed.GetValue(top), format, EventsForPeople),
                        },
                        format,
                        output
                    )
            )
        );
        return command;
    }

    /// <summary>An option for a time in seconds since the start of the trace.</summary>
    private static Option<TimeSpan?> Seconds(string name, string description) =>
        new(name)
        {
            Description = description,
            HelpName = "SECONDS",
            CustomParser = result => Parse(name, result),
        };

    private static TimeSpan? Parse(string name, ArgumentResult result)
    {
        var text = result.Tokens[0].Value;
        if (
            double.TryParse(
                text.EndsWith('s') ? text[..^1] : text,
                NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture,
                out var seconds
            )
            && seconds < TimeSpan.MaxValue.TotalSeconds
        )
            return TimeSpan.FromSeconds(seconds);
        result.AddError($"'{text}' is not a number of seconds", $"write {name} 2.5, for example");
        return null;
    }
}
