using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Running;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record stop</c>: stops sessions that a recorder left behind, never those of other tools.</summary>
internal sealed class StopCommand : Command
{
    private readonly EtwListingOptions _listing = new();
    private readonly Option<int?> _processId = new("--pid")
    {
        Description = "Also stop the sessions of the recorder with this process id, even if a process with that id is running.",
        HelpName = "PID",
    };
    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Print which sessions would be stopped; stop nothing." };

    public StopCommand()
        : base("stop", "Stops ETW sessions that a recorder left behind (Windows).")
    {
        this.WithExamples(
            ("esp-record stop", "Stop the sessions that a crashed recorder left behind."),
            ("esp-record stop --dry-run", "Which sessions would it stop?")
        );
        _listing.AddTo(this);
        Options.Add(_processId);
        Options.Add(_dryRun);
        this.Check(result =>
        {
            if (result.GetResult("--from") is not null && !result.GetValue(_dryRun))
                result.AddError("sessions from a listing cannot be stopped", "add --dry-run");
        });
        SetAction(RunAsync);
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        var failed = false;
        try
        {
            var found = await _listing.FindAsync(parsed, cancellation).ConfigureAwait(false);
            var ours = EtwLeftovers.ToStop(found, parsed.GetValue(_processId));
            foreach (var session in ours)
            {
                if (parsed.GetValue(_dryRun))
                {
                    await parsed
                        .InvocationConfiguration.Output.WriteLineAsync($"would stop {session.Session.Name}: {session.Reason}")
                        .ConfigureAwait(false);
                    continue;
                }

                failed |= !await StopAsync(parsed, session).ConfigureAwait(false);
            }

            if (ours.Count == 0)
                await parsed.InvocationConfiguration.Output.WriteLineAsync("no recorder left a session behind").ConfigureAwait(false);
            if (EtwLeftovers.ChangedSampleInterval(_listing.Ledger(parsed)))
                parsed
                    .Messages()
                    .Note("a recorder that has ended changed the machine's sample interval: restore it with 'wpr -resetprofint'");
            if (!failed && !parsed.GetValue(_dryRun))
                EtwLeftovers.RemoveEntries(_listing.Ledger(parsed), parsed.GetValue(_processId));
            foreach (var unknown in found.Where(session => session.State == EtwSessionState.Unknown))
                parsed.Messages().Note($"{unknown.Session.Name} was not stopped: {unknown.Reason}");
            return failed ? ExitCode.NotPossible : ExitCode.Done;
        }
        catch (Exception exception) when (exception is EtwStepException or IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(exception, "the sessions that run", ExitCode.NotPossible);
        }
    }

    private static async Task<bool> StopAsync(ParseResult parsed, EtwFoundSession session)
    {
        try
        {
            TraceEventStepExecutor.Stop(session.Session.Name);
            await parsed
                .InvocationConfiguration.Output.WriteLineAsync(
                    $"stopped {session.Session.Name}{(session.Session.FileName.Length > 0 ? $"; its events are in {session.Session.FileName}" : "")}"
                )
                .ConfigureAwait(false);
            return true;
        }
        catch (EtwStepException exception)
        {
            parsed.Fail(exception.Problem with { Where = $"session {session.Session.Name}" }, ExitCode.NotPossible);
            return false;
        }
    }
}
