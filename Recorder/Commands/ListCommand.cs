using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>
/// <c>esp-record list</c>: lists the serializers of the built-in suite. The suite names them itself, so the list shows what it would run.
/// </summary>
internal sealed class ListCommand : Command
{
    /// <summary>What the suite prints of a serializer, in this order.</summary>
    private static readonly string[] s_headers = ["Name", "Library", "Version", "Format", "Available"];

    private readonly RuntimeOptions _runtime = new();

    public ListCommand()
        : base(
            "list",
            "Lists the serializers of the built-in suite: name, library, version, data format, and whether it is available (if not, why). --runtime lists another runtime."
        )
    {
        this.WithExamples(
            ("esp-record list", "Which serializers does the suite have, and which are available?"),
            ("esp-record list --runtime net8.0,mono", "The same list for other runtimes.")
        );
        _runtime.AddTo(this, precompile: false);
        SetAction(RunAsync);
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        if (BuiltInSuite.Missing is { } missing)
            return parsed.Fail(missing, ExitCode.NotPossible);
        var output = Verbosity.Output(parsed);
        if (!_runtime.IsGiven(parsed))
            return await ListAsync(RuntimePlan.OfShipped(BuiltInSuite.Shipped), output, cancellation).ConfigureAwait(false);

        var plan = await PublishedSuites
            .PlanAsync(parsed, _runtime.Targets(parsed), PrecompileMode.Off, cancellation)
            .ConfigureAwait(false);
        var suites = new PublishedSuites(parsed);
        await suites.PublishAsync(plan, cancellation).ConfigureAwait(false);
        var exitCode = suites.Problems.Count > 0 ? ExitCode.NotPossible : ExitCode.Done;
        foreach (var build in suites.Ready)
        {
            if (_runtime.Targets(parsed).Count > 1)
                await output
                    .WriteLineAsync($"{(build == suites.Ready[0] ? "" : Environment.NewLine)}{build.Label} ({build.Reason})")
                    .ConfigureAwait(false);
            if (await ListAsync(build, output, cancellation).ConfigureAwait(false) is not ExitCode.Done and var failed)
                exitCode = failed;
        }

        return exitCode;
    }

    private static async Task<int> ListAsync(PublishPlan build, TextWriter output, CancellationToken cancellation)
    {
        using var listed = new StringWriter();
        var exitCode = await SuiteProcess.RunAsync(build, [WorkloadOptionSet.ListName], listed, cancellation).ConfigureAwait(false);
        var rows = listed
            .ToString()
            .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Select(line => line.Split('\t'))
            .Where(cells => cells.Length == s_headers.Length)
            .ToList();
        new TextTableWriter(output).Write(
            Section.ForPeople("", rows, [.. s_headers.Select((header, index) => new Column<string[]>(header, header, row => row[index]))])
        );
        return exitCode;
    }
}
