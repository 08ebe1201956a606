namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>Repeats an action after transient failures, with growing delays.</summary>
/// <param name="delays">The delays; there is one more attempt than delays.</param>
/// <param name="wait">Waits for a time.</param>
internal sealed class Retries(IReadOnlyList<TimeSpan> delays, Action<TimeSpan> wait)
{
    // For queries: a user may be waiting for the error.
    private static readonly TimeSpan[] s_reading = [TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(400)];

    // For writes: a server that restarts is back within half a minute.
    private static readonly TimeSpan[] s_writing = [.. new[] { 0.25, 0.5, 1, 2, 4, 8, 16 }.Select(TimeSpan.FromSeconds)];

    /// <summary>Three attempts within a second.</summary>
    public static Retries Reading { get; } = new(s_reading, Sleep);

    /// <summary>Eight attempts within half a minute.</summary>
    public static Retries Writing { get; } = new(s_writing, Sleep);

    /// <summary>Runs the action.</summary>
    /// <exception cref="StoreException">The failure is not transient, or the last attempt failed.</exception>
    public T Run<T>(Func<T> action)
    {
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                return action();
            }
            catch (ServerFailure failure) when (failure.IsTransient && attempt < delays.Count)
            {
                wait(delays[attempt]);
            }
            catch (ServerFailure failure)
            {
                throw failure.AsStoreException();
            }
        }
    }

    /// <summary>Runs the action.</summary>
    /// <inheritdoc cref="Run{T}(Func{T})"/>
    public void Run(Action action) =>
        Run(() =>
        {
            action();
            return true;
        });

    // Random, so that workers that failed at the same time do not retry at the same time.
    private static void Sleep(TimeSpan delay) => Thread.Sleep(delay * (0.5 + Random.Shared.NextDouble()));
}
