using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Profiles;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Services for executing steps.</summary>
public sealed record EtwRunOptions
{
    /// <summary>Executes the steps of the tool.</summary>
    public required IEtwStepExecutor Executor { get; init; }

    /// <summary>The session ledger.</summary>
    public EtwLedger Ledger { get; init; } = new(EtwLedger.DefaultFolder);

    /// <summary>Starts the recorded program.</summary>
    public IEtwProgramStarter Starter { get; init; } = new EtwProgramStarter();

    /// <summary>Whether the recorder may start sessions.</summary>
    public Func<bool> IsElevated { get; init; } = static () => Microsoft.Diagnostics.Tracing.Session.TraceEventSession.IsElevated() == true;

    /// <summary>Creates WPR's profile for a plan.</summary>
    public Func<EtwPlan, string> ProfileText { get; init; } = WprpFile.TextOf;

    /// <summary>Receives the title of each step as it begins; may be null.</summary>
    public Action<string>? OnStep { get; init; }
}
