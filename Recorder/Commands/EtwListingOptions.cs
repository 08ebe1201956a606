using System.CommandLine;
using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Running;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Source of the list of running sessions: Windows, or the output of a tool.</summary>
internal sealed class EtwListingOptions
{
    private readonly Option<string?> _from = new("--from")
    {
        Description =
            "Read a listing from a file instead of asking Windows: output of 'xperf -loggers', 'tracelog -l', 'logman query -ets' or 'wpr -status collectors'.",
        HelpName = "FILE",
    };

    private readonly Option<string> _ledger = new("--ledger")
    {
        Description = "Folder of the session ledger, an entry for each recorder.",
        HelpName = "DIR",
        DefaultValueFactory = _ => EtwLedger.DefaultFolder,
    };

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(_from);
        command.Options.Add(_ledger);
    }

    /// <summary>The session ledger.</summary>
    public EtwLedger Ledger(ParseResult parsed) => new(parsed.GetValue(_ledger)!);

    /// <summary>The running sessions and their owners.</summary>
    /// <exception cref="EtwStepException">They cannot be listed.</exception>
    /// <exception cref="IOException">The listing cannot be read.</exception>
    public async Task<IReadOnlyList<EtwFoundSession>> FindAsync(ParseResult parsed, CancellationToken cancellation)
    {
        var sessions =
            parsed.GetValue(_from) is { } file
                ? EtwSessionListing.Read(await File.ReadAllTextAsync(file, cancellation).ConfigureAwait(false))
            : OperatingSystem.IsWindows() ? TraceEventStepExecutor.List()
            : throw new EtwStepException(
                $"ETW exists on Windows only ({EtwStepText.Untested})",
                "this system",
                "read the listing of a tool with --from FILE"
            );
        var entries = Ledger(parsed).Read(out var problems);
        foreach (var problem in problems)
            parsed.Messages().Note(problem);
        return new EtwOwnership(entries, EtwLedger.IsAlive, static processId => !OtherProcess.HasEnded(processId)).Find(sessions);
    }
}
