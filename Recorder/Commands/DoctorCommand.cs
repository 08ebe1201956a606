using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Sessions.Doctor;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record doctor</c>: shows what this machine can record, and the command that allows more.</summary>
internal sealed class DoctorCommand : Command
{
    public DoctorCommand()
        : base("doctor", "Shows what this machine can record and the one command that allows more.")
    {
        this.WithExamples(
            ("esp-record doctor", "What can be recorded here, and which command allows more?"),
            ("TMPDIR=/tmp esp-record doctor", "Does a shorter temporary folder help?")
        );
        SetAction((parsed, cancellation) => RunAsync(parsed.InvocationConfiguration.Output, cancellation));
    }

    private static async Task<int> RunAsync(TextWriter output, CancellationToken cancellation)
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

        var subject = checks.Max(check => check.Subject.Length);
        foreach (var check in checks)
        {
            await output
                .WriteLineAsync($"{check.Subject.PadRight(subject)}  {check.Verdict.ToString().ToLowerInvariant(),-6}  {check.Finding}")
                .ConfigureAwait(false);
            if (check.Remedy.Length > 0)
                await output.WriteLineAsync($"{new string(' ', subject)}          allow more: {check.Remedy}").ConfigureAwait(false);
        }

        return ExitCode.Done;
    }
}
