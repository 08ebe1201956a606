using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Sessions.Doctor;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record doctor</c>: shows what this machine can record, and the command that allows more.</summary>
internal sealed class DoctorCommand : Command
{
    private static readonly IReadOnlyList<Column<MachineCheck>> s_columns =
    [
        new("subject", "What", check => check.Subject),
        new("verdict", "Here", check => check.Verdict.ToString().ToLowerInvariant()),
        new("finding", "Found", check => check.Finding),
    ];

    public DoctorCommand()
        : base("doctor", "Shows what this machine can record and the one command that allows more.")
    {
        this.WithExamples(
            ("esp-record doctor", "What can be recorded here, and which command allows more?"),
            ("TMPDIR=/tmp esp-record doctor", "Does a shorter temporary folder help?")
        );
        SetAction((parsed, cancellation) => RunAsync(parsed, cancellation));
    }

    private static async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        var checks = new List<MachineCheck>
        {
            BuiltInSuite.Missing is { } missing
                ? new MachineCheck("built-in suite", Verdict.No, $"{missing.What} ({missing.Where})", "dotnet build -c Release")
                : new MachineCheck("built-in suite", Verdict.Yes, string.Join(" ", BuiltInSuite.Shipped.Launch)),
        };
        checks.AddRange(
            RuntimeChecks.Of(
                await RuntimeMachine.ReadAsync(BuiltInSuite.DotNetRoot, cancellation).ConfigureAwait(false),
                BuiltInSuite.Project
            )
        );
        checks.AddRange(await MachineChecks.RunAsync(RecordCommand.DefaultParent).ConfigureAwait(false));

        var output = Verbosity.Output(parsed);
        new TextTableWriter(output).Write(Section.ForPeople("", checks, s_columns) with { FitsPage = true });
        var fixes = checks.Where(check => check.Fix.Length > 0).GroupBy(check => check.Fix).ToList();
        if (fixes.Count > 0)
            await output.WriteLineAsync($"{Environment.NewLine}To allow more:").ConfigureAwait(false);
        foreach (var fix in fixes)
        {
            await output.WriteLineAsync($"  {string.Join(", ", fix.Select(check => check.Subject))}").ConfigureAwait(false);
            await output.WriteLineAsync($"    {fix.Key}").ConfigureAwait(false);
        }

        return ExitCode.Done;
    }
}
