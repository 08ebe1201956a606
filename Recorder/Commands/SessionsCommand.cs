using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Running;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record sessions</c>: lists running ETW sessions and their owners.</summary>
internal sealed class SessionsCommand : Command
{
    private readonly EtwListingOptions _listing = new();
    private readonly Option<bool> _all = new("--all") { Description = "Also list sessions of other tools." };

    public SessionsCommand()
        : base("sessions", "Lists ETW sessions that a recorder uses or left behind (Windows).")
    {
        this.WithExamples(
            ("esp-record sessions", "Which sessions did a recorder leave behind?"),
            ("esp-record sessions --all --from loggers.txt", "List all sessions in a listing of xperf, on any system.")
        );
        _listing.AddTo(this);
        Options.Add(_all);
        SetAction(RunAsync);
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        try
        {
            var sessions = await _listing.FindAsync(parsed, cancellation).ConfigureAwait(false);
            var shown = sessions.Where(session => parsed.GetValue(_all) || session.State != EtwSessionState.Other).ToList();
            foreach (var found in shown)
                await parsed.InvocationConfiguration.Output.WriteLineAsync(Line(found)).ConfigureAwait(false);
            if (shown.Count == 0)
                await parsed
                    .InvocationConfiguration.Output.WriteLineAsync(
                        $"no session of esp-record is running ({sessions.Count} of other tools; --all lists them)"
                    )
                    .ConfigureAwait(false);
            return ExitCode.Done;
        }
        catch (Exception exception) when (exception is EtwStepException or IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(exception, "the sessions that run", ExitCode.NotPossible);
        }
    }

    private static string Line(EtwFoundSession found)
    {
        var state = found.State switch
        {
            EtwSessionState.LeftBehind => "left behind",
            EtwSessionState.InUse => "in use",
            EtwSessionState.Unknown => "unknown",
            _ => "not ours",
        };
        var file = found.Session.FileName.Length > 0 ? $"; file {found.Session.FileName}" : "";
        var lost = found.Session.EventsLost is > 0 ? $"; {Plural.Of(found.Session.EventsLost ?? 0, "event")} lost" : "";
        return $"{state,-11}  {found.Session.Name}: {found.Reason}{file}{lost}";
    }
}
