using System.Diagnostics;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Waits for another process or thread.</summary>
public static class Wait
{
    /// <summary>
    /// Ends a test that hangs. Even a loaded machine stays below it, so it decides nothing else. Compiling the suite ahead of time took
    /// over 20 minutes at a load of 45 on two processors.
    /// </summary>
    public static TimeSpan Limit { get; } = TimeSpan.FromMinutes(90);

    /// <summary>Returns once the condition holds.</summary>
    /// <param name="condition">Polled until it holds; once true it must stay true.</param>
    /// <param name="what">Describes the condition in the exception's message.</param>
    /// <param name="stopped">True when it can no longer happen, for example because the process has ended.</param>
    /// <exception cref="TimeoutException">The condition can no longer hold, or <see cref="Limit"/> has passed.</exception>
    public static Task UntilAsync(Func<bool> condition, string what, Func<bool>? stopped = null) =>
        UntilAsync(condition, () => what, stopped);

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
