using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Thrown when perf events cannot be recorded; has the reason and the fix.</summary>
public sealed class PerfEventException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="reason">What the system refused.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="errorNumber">errno; 0 when no call failed.</param>
    public PerfEventException(string reason, string fix, int errorNumber = 0)
        : base(fix.Length == 0 ? reason : $"{reason}: {fix}")
    {
        Fix = fix;
        Problem = new Problem(
            reason,
            "the perf events of this machine's kernel",
            fix.Length > 0 ? fix : "run 'esp-record doctor', or record without perf events: --sessions clr,code"
        );
        ErrorNumber = errorNumber;
    }

    /// <inheritdoc />
    public Problem Problem { get; }

    /// <summary>How to fix it; empty when unknown.</summary>
    public string Fix { get; }

    /// <summary>errno of the failed call; 0 when none failed.</summary>
    public int ErrorNumber { get; }
}
