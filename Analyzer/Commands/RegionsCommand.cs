using System.CommandLine;
using EtwSerializerProfiler.Analysis.Regions;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze regions</c>: writes regions of interest for the Windows Performance Analyzer.</summary>
internal static class RegionsCommand
{
    public static Command Create()
    {
        var command = new Command("regions", "Writes Runs.xml and GarbageCollections.xml, regions of interest for the Windows Performance Analyzer: the runs of each serializer, the pauses and collections.");
        var traces = new Argument<string[]>("RECORDING|FILE")
        {
            Description = "Recording or trace whose serializers get a group of runs each; without one all serializers of the suite and its adapters do.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        traces.Validators.Add(AnalyzeArguments.RefuseUnknownOptions);
        var folder = new Option<string>("--out", "-o") { Description = "Folder to write them to.", HelpName = "DIR", DefaultValueFactory = _ => "wpa-regions" };
        command.Arguments.Add(traces);
        command.Options.Add(folder);
        command.SetAction(parsed => Write(parsed, parsed.GetValue(traces) ?? [], parsed.GetValue(folder)!));
        return command;
    }

    private static int Write(ParseResult parsed, string[] traces, string folder)
    {
        var error = parsed.InvocationConfiguration.Error;
        IReadOnlyList<string> serializers;
        try
        {
            serializers = traces.Length > 0 ? RegionFiles.SerializersOf(traces) : RunRegions.KnownSerializers;
        }
        catch (Exception exception) when (exception is TraceFormatException or IOException or UnauthorizedAccessException)
        {
            error.WriteLine($"esp-analyze: {exception.Message}");
            return ReportAction.Unreadable;
        }

        try
        {
            foreach (var path in RegionFiles.Write(folder, serializers))
                parsed.InvocationConfiguration.Output.WriteLine($"Written: {path}");
            return ReportAction.Done;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            error.WriteLine($"esp-analyze: {exception.Message}; choose another folder with --out");
            return ReportAction.NotPermitted;
        }
    }
}
