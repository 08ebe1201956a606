using System.CommandLine;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Workload.Features;
using EtwSerializerProfiler.Workload.Features.Processes;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary><c>esp-workload features</c>: tries the features and writes a CSV line per cell; esp-record makes tables from them.</summary>
internal static class FeaturesCommand
{
    /// <summary>Time limit of a trial; the slowest ones take a few seconds of CPU time.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(10);

    /// <summary>Parses the command line and writes the table.</summary>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static int Run(string[] args, CancellationToken stop)
    {
        var set = new FeatureOptionSet();
        var root = new RootCommand(FeatureOptionSet.Description);
        foreach (var option in set.All)
            root.Options.Add(option);
        var parsed = root.Parse(OptionNames.Normalize(args, root.Options), OptionNames.Parsing);
        if (parsed.Errors.Count > 0)
        {
            foreach (var error in parsed.Errors)
                Console.Error.WriteLine($"error: {FirstLine.Of(error.Message)}");
            return ExitCode.Usage;
        }

        if (parsed.Action is not null)
            return parsed.Invoke();

        try
        {
            Write(set.Read(parsed), stop);
            return ExitCode.Done;
        }
        catch (OperationCanceledException)
        {
            return ExitCode.Interrupted;
        }
        catch (Exception exception) when (exception is ArgumentException or PluginException or IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"error: {FirstLine.Of(exception.Message)}");
            return ExitCode.Usage;
        }
        catch (RunFailedException exception)
        {
            Console.Error.WriteLine($"error: {FirstLine.Of(exception.Message)}");
            return ExitCode.Failed;
        }
    }

    private static void Write(FeatureOptions options, CancellationToken stop)
    {
        var serializers = SerializerRegistry.Select(
            SerializerRegistry.For("", options.Plugins, problem => Console.Error.WriteLine($"warning: {problem}")),
            options.Serializers
        );

        var rows = new FeatureRunner(ChildProcess.OfThisExecutable(s_limit), s_limit).Run(serializers, FeatureRegistry.All, stop);
        CsvFeatureWriter.Write(new FeatureTable(FeatureRegistry.All, rows, FeaturePlace.Here(), DateTime.UtcNow), Console.Out);
    }
}
