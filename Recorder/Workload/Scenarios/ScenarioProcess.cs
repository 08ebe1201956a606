using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>
/// The process of a row that needs its own: it may crash by a stack overflow, has a memory limit, or needs a switch before anything runs.
/// </summary>
public static class ScenarioProcess
{
    /// <summary>
    /// First argument of such a process, followed by the scenario, the run CSV (empty for none), and the scenario's arguments.
    /// </summary>
    public const string Verb = "scenario-process";

    /// <summary>Whether <paramref name="args"/> are those of such a process.</summary>
    public static bool IsAskedFor(IReadOnlyList<string> args)
    {
        ArgumentNullException.ThrowIfNull(args);
        return args.Count >= 3 && args[0] == Verb;
    }

    /// <summary>Executes the arguments.</summary>
    /// <returns>Exit code: 0, or 1 after an exception, which is on standard error.</returns>
    public static int Run(IReadOnlyList<string> args, TextWriter output, TextWriter error, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(error);
        try
        {
            using var clock = new RunClock();
            using var csv = args[2].Length > 0 ? new RunCsv(args[2]) : null;
            var context = new ScenarioContext(clock, csv, csvFile: null, output, error, ChildProcess.OfThisExecutable, stop);
            ScenarioList.Create(args[1], new SuiteOptions()).RunInProcess(context, [.. args.Skip(3)]);
            return 0;
        }
#pragma warning disable CA1031 // any exception of a serializer is the row's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            error.WriteLine(exception is RunFailedException ? FirstLine.Of(exception.Message) : FirstLine.Of(exception));
            return 1;
        }
    }
}
