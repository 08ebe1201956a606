using System.CommandLine;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Workload.Checks;
using EtwSerializerProfiler.Workload.Features.Processes;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Results;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Scenarios;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>The command <c>esp-workload</c>: runs the serializer suite in this process.</summary>
public static class WorkloadCommand
{
    /// <summary>Parses and executes the command line.</summary>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static int Run(string[] args)
    {
        using var signals = new StopSignals();
        if (FirstCallArguments.Read(args) is { } firstCall)
            return FirstCallProcess.Run(firstCall, Console.Out, Console.Error);
        if (ScenarioProcess.IsAskedFor(args))
            return ScenarioProcess.Run(args, Console.Out, Console.Error, signals.Token);
        if (TrialProcess.Run(args, Console.Out))
            return ExitCode.Done;
        return args.Length > 0 && args[0] is FeatureOptions.Verb or FeatureArguments.Verb
            ? RunFeatures(args, signals.Token)
            : RunSuite(args, signals.Token);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int RunFeatures(string[] args, CancellationToken stop) =>
        FeatureArguments.Read(args) is { } features
            ? FeatureProcess.Run(features, Console.Out)
            : FeaturesCommand.Run([.. args.Skip(1)], stop);

    // A separate method, because compiling it loads the command-line library, which a first-call process must not load.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int RunSuite(string[] args, CancellationToken stop)
    {
        var suite = new SuiteOptionSet();
        var own = new WorkloadOptionSet();
        var root = new RootCommand(
            "Runs the serializer suite: every serializer writes and reads the same object graph, each run marked for a trace."
        );
        suite.AddTo(root);
        foreach (var option in own.All)
            root.Options.Add(option);

        var parsed = root.Parse(OptionNames.Normalize(args, root.Options), OptionNames.Parsing);
        if (parsed.Errors.Count > 0)
        {
            foreach (var error in parsed.Errors)
                Console.Error.WriteLine($"error: {FirstLine.Of(error.Message)}");
            return ExitCode.Usage;
        }

        // The root has an action only for help or version.
        if (parsed.Action is not null)
            return parsed.Invoke();

        var console = new SuiteConsole(Console.Out, Console.Error, parsed.GetValue(own.Quiet));
        var options = suite.Read(parsed);
        options = options with { Seed = options.Seed ?? SuiteOptions.NewSeed() };
        IReadOnlyList<SerializerDescription> serializers;
        SuiteOutputs outputs;
        try
        {
            if (parsed.GetValue(own.List))
            {
                var (toList, leftOut) = SerializerChoice.ToList(options, console.Warning);
                ListCommand.Run(toList, leftOut, Console.Out);
                return ExitCode.Done;
            }

            var only = parsed.GetValue(own.Only);
            (serializers, var without) = only is null
                ? SerializerChoice.Of(options, console.Warning)
                : SerializerChoice.One(options, only, parsed.GetValue(own.OnlyFrom) ?? "");
            if (parsed.GetValue(own.LeftOut))
            {
                foreach (var serializer in without)
                    Console.WriteLine($"{serializer.Name}\t{serializer.Reason}");
                return ExitCode.Done;
            }

            var environment = SuiteEnvironment.Read(serializers, options.Seed ?? SuiteOptions.NoSeed);
            outputs = SuiteOutputs.Open(
                parsed.GetValue(own.Csv),
                parsed.GetValue(own.Out),
                !parsed.GetValue(own.NoHeader),
                options,
                environment,
                options.Scenario.Length > 0 ? [] : without,
                isFirst: only is null && parsed.GetValue(own.Launch) <= 1
            );
        }
        catch (Exception exception) when (exception is ArgumentException or PluginException or IOException or UnauthorizedAccessException)
        {
            console.Error(exception.Message);
            return ExitCode.Usage;
        }

        using (outputs)
        {
            if (options.Scenario.Length > 0)
                return ScenarioCommand.Run(options, outputs.Runs, outputs.RunsFile, Console.Out, Console.Error, stop);
            var launch = parsed.GetValue(own.Launch);
            var isMain = launch == 0;
            if (isMain)
                SayEnvironment(serializers, outputs, console);
            var run = new SuiteRun(options, serializers, outputs, console, stop);
            return parsed.GetValue(own.Only) is not null ? run.InPhases()
                : options.Isolate == true ? run.Isolated(OwnArguments(parsed, own))
                : options.LaunchCount > 1 && isMain ? run.Launched(OwnArguments(parsed, own))
                : run.Here(launch, isMain ? [] : Enumerable.Range(launch + 1, options.LaunchCount - launch).Select(options.OfLaunch));
        }
    }

    /// <summary>The files to write, for a child process that also writes them; the headers exist already.</summary>
    private static List<string> OwnArguments(ParseResult parsed, WorkloadOptionSet own)
    {
        var arguments = new List<string>();
        if (parsed.GetValue(own.Csv) is { } csv)
            arguments.AddRange([WorkloadOptionSet.CsvName, Path.GetFullPath(csv)]);
        if (parsed.GetValue(own.Out) is { } series)
            arguments.AddRange([WorkloadOptionSet.OutName, Path.GetFullPath(series), WorkloadOptionSet.NoHeaderName]);
        if (parsed.GetValue(own.Quiet))
            arguments.Add(WorkloadOptionSet.QuietName);
        return arguments;
    }

    private static void SayEnvironment(IReadOnlyList<SerializerDescription> serializers, SuiteOutputs outputs, SuiteConsole console)
    {
        console.Header(outputs.Environment.Lines);
        foreach (var warning in EnvironmentWarnings.Of(serializers))
            console.Warning(warning);
    }
}
