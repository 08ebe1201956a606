namespace EtwSerializerProfiler.Dumps;

/// <summary>Progress of a slow step.</summary>
/// <param name="report">Receives name, unit, amount done and total amount (0 when unknown).</param>
/// <param name="cancellation">Cancels the analysis.</param>
public sealed class DumpProgress(Action<string, string, long, long>? report = null, CancellationToken cancellation = default)
{
    private string _step = "",
        _unit = "";
    private long _done,
        _total;

    /// <summary>Begins a step.</summary>
    public void Begin(string step, string unit, long total)
    {
        (_step, _unit, _done, _total) = (step, unit, 0, total);
        report?.Invoke(_step, _unit, _done, _total);
    }

    /// <summary>Adds an amount that is done.</summary>
    /// <exception cref="OperationCanceledException">The analysis was cancelled.</exception>
    public void Advance(long amount)
    {
        cancellation.ThrowIfCancellationRequested();
        _done += amount;
        report?.Invoke(_step, _unit, _done, _total);
    }

    /// <summary>Ends the step.</summary>
    public void End() => report?.Invoke(_step, _unit, _total, _total);
}
