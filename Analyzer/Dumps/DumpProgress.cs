namespace EtwSerializerProfiler.Dumps;

/// <summary>How far a step is that takes its time.</summary>
/// <param name="report">Hears name, unit, how much is done and how much there is (0 when nobody knows).</param>
/// <param name="cancellation">Ends the reading.</param>
public sealed class DumpProgress(Action<string, string, long, long>? report = null, CancellationToken cancellation = default)
{
    private string _step = "", _unit = "";
    private long _done, _total;

    /// <summary>Begins a step.</summary>
    public void Begin(string step, string unit, long total)
    {
        (_step, _unit, _done, _total) = (step, unit, 0, total);
        report?.Invoke(_step, _unit, _done, _total);
    }

    /// <summary>Says that some more is done.</summary>
    /// <exception cref="OperationCanceledException">The reading is to end.</exception>
    public void Advance(long amount)
    {
        cancellation.ThrowIfCancellationRequested();
        _done += amount;
        report?.Invoke(_step, _unit, _done, _total);
    }

    /// <summary>Ends the step.</summary>
    public void End() => report?.Invoke(_step, _unit, _total, _total);
}
