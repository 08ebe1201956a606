using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>The process of a row that cannot share one: it may end by a stack overflow, has a memory limit, or needs a switch set before anything runs.</summary>
public static class ScenarioProcess
{
    /// <summary>First argument of such a process; then the scenario, the run CSV (empty for none), and what the scenario wants.</summary>
    public const string Verb = "scenario-process";

    /// <summary>Whether <paramref name="args"/> are those of such a process and not of a user.</summary>
    public static bool IsAskedFor(IReadOnlyList<string> args)
    {
        ArgumentNullException.ThrowIfNull(args);
        return args.Count >= 3 && args[0] == Verb;
    }

    /// <summary>Does what the arguments ask for.</summary>
    /// <returns>Exit code: 0, or 1 when it threw; then the error is on standard error.</returns>
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
#pragma warning disable CA1031 // whatever a serializer throws is the row's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            error.WriteLine(exception is RunFailedException ? FirstLine.Of(exception.Message) : FirstLine.Of(exception));
            return 1;
        }
    }
}
