using System.Diagnostics;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Waits for what another process or thread does.</summary>
public static class Wait
{
    /// <summary>Ends a test that hangs. A loaded machine never comes near it, so it decides nothing else. Compiling the suite ahead of time took 8 minutes at a load of 40 on two processors.</summary>
    public static TimeSpan Limit { get; } = TimeSpan.FromMinutes(30);

    /// <summary>Returns once the condition holds.</summary>
    /// <param name="condition">Asked again and again; what it reads must only ever become true.</param>
    /// <param name="what">What is waited for, for the message of the exception.</param>
    /// <param name="stopped">True when it cannot happen any more, for example because the process that would do it has ended.</param>
    /// <exception cref="TimeoutException">It does not hold, and cannot any more, or <see cref="Limit"/> has passed.</exception>
    public static Task UntilAsync(Func<bool> condition, string what, Func<bool>? stopped = null) => UntilAsync(condition, () => what, stopped);

    /// <inheritdoc cref="UntilAsync(Func{bool}, string, Func{bool}?)" />
    public static async Task UntilAsync(Func<bool> condition, Func<string> what, Func<bool>? stopped = null)
    {
        var started = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (stopped?.Invoke() == true && !condition())
                throw new TimeoutException($"{what()}: cannot happen any more");
            if (Stopwatch.GetElapsedTime(started) > Limit)
                throw new TimeoutException($"{what()}: not within {Limit.TotalMinutes} minutes");
            await Task.Delay(20).ConfigureAwait(false);
        }
    }

    /// <summary>Waits for the end of a process.</summary>
    /// <exception cref="TimeoutException"><see cref="Limit"/> has passed; the process was killed with its children.</exception>
    public static async Task ForExitAsync(Process process)
    {
        using var limit = new CancellationTokenSource(Limit);
        try
        {
            await process.WaitForExitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"process {process.Id} did not end within {Limit.TotalMinutes} minutes");
        }
    }
}
