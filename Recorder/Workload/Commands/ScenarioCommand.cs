using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Scenarios;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary><c>-scenario</c>: runs one scenario, or lists them.</summary>
public static class ScenarioCommand
{
    /// <summary>Writes the published case, the table and the conclusion; beside a run CSV, the conclusion also as JSON.</summary>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static int Run(SuiteOptions options, RunCsv? csv, string? csvFile, TextWriter output, TextWriter error, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(error);
        if (options.Scenario == ScenarioCatalog.List)
        {
            ScenarioCatalog.Write(output);
            return ExitCode.Done;
        }

        var scenario = ScenarioList.Create(options.Scenario, options);
        output.WriteLine($"{scenario.Name} on {SuiteRuntime.Name}, {Plural.Of(Environment.ProcessorCount, "processor")}");
        output.WriteLine($"Published: {scenario.PublishedCase}");
        using var clock = new RunClock();
        var context = new ScenarioContext(clock, csv, csvFile, output, error, ChildProcess.OfThisExecutable, stop);
        try
        {
            var finding = scenario.Run(context);
            if (stop.IsCancellationRequested)
                output.WriteLine("Interrupted: the conclusion is based on the rows above.");
            output.WriteLine(finding.ToLine(SuiteRuntime.Name));
            if (csvFile is not null && !stop.IsCancellationRequested)
                finding.Write(ConclusionFile(csvFile), scenario, SuiteRuntime.Name, context.Errors);
        }
        catch (Exception exception)
            when (exception is ArgumentException or RunFailedException or IOException or UnauthorizedAccessException)
        {
            error.WriteLine($"error: {FirstLine.Of(exception.Message)}");
            return exception is ArgumentException ? ExitCode.Usage : ExitCode.Failed;
        }

        return stop.IsCancellationRequested ? ExitCode.Interrupted
            : context.Errors > 0 ? ExitCode.Failed
            : ExitCode.Done;
    }

    private static string ConclusionFile(string csvFile) =>
        Path.Combine(Path.GetDirectoryName(Path.GetFullPath(csvFile))!, Finding.FileName);
}
