using System.CommandLine;
using EtwSerializerProfiler.Analysis.Regions;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze regions</c>: writes regions of interest for the Windows Performance Analyzer.</summary>
internal static class RegionsCommand
{
    public static Command Create()
    {
        var command = new Command(
            "regions",
            "Writes Runs.xml and GarbageCollections.xml, regions of interest for the Windows Performance Analyzer: the runs of each serializer, GCs and their pauses."
        );
        command.WithExamples(
            ("esp-analyze regions", "Regions of interest for WPA, for all known serializers."),
            ("esp-analyze regions trace.etl -o regions", "One group of runs per serializer in this trace."),
            ("esp-analyze regions trace.etl --runs My-App/Request", "Use the requests of an event source as runs.")
        );
        var traces = new Argument<string[]>("RECORDING|FILE")
        {
            Description =
                "Recording or trace whose serializers get one group of runs each (default: all serializers of the suite and its adapters).",
            Arity = ArgumentArity.ZeroOrMore,
        };
        traces.Validators.Add(ParseProblems.RefuseUnknownOptions);
        var folder = new Option<string>("--out", "-o", "--output")
        {
            Description = "Folder to write to.",
            HelpName = "DIR",
            DefaultValueFactory = _ => "wpa-regions",
        };
        traces.CompleteRecordings();
        command.Arguments.Add(traces);
        command.Options.Add(folder);
        var events = new RunsOption();
        events.AddTo(command, traces, canList: false);
        command.Check(result =>
        {
            if (events.IsGiven(result) && result.GetResult(traces) is not { Tokens.Count: > 0 })
                result.AddError("--runs names events of a trace, but no trace is named", "name the trace whose events delimit runs");
        });
        command.SetAction(parsed => Write(parsed, events.Of(parsed, parsed.GetValue(traces) ?? []), parsed.GetValue(folder)!));
        return command;
    }

    private static int Write(ParseResult parsed, string[] traces, string folder)
    {
        var runs = RunRegions.Create(RunRegions.KnownSerializers);
        var code = traces.Length == 0 ? ExitCode.Done : ReportAction.Guarded(parsed, traces, () => runs = RegionFiles.RunsOf(traces));
        return code != ExitCode.Done ? code : WriteAction.Run(parsed, folder, () => RegionFiles.Write(folder, runs));
    }
}
