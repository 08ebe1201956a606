namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>Does something again that failed for a reason that passes, with a growing wait in between.</summary>
/// <param name="delays">The waits; one more attempt than waits is made.</param>
/// <param name="wait">Waits.</param>
internal sealed class Retries(IReadOnlyList<TimeSpan> delays, Action<TimeSpan> wait)
{
    // For questions: somebody may be waiting for the error.
    private static readonly TimeSpan[] s_reading = [TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(400)];

    // For writing: a server that is started anew is back within half a minute.
    private static readonly TimeSpan[] s_writing = [.. new[] { 0.25, 0.5, 1, 2, 4, 8, 16 }.Select(TimeSpan.FromSeconds)];

    /// <summary>Three attempts within a second.</summary>
    public static Retries Reading { get; } = new(s_reading, Sleep);

    /// <summary>Eight attempts within half a minute.</summary>
    public static Retries Writing { get; } = new(s_writing, Sleep);

    /// <summary>Does it.</summary>
    /// <exception cref="StoreException">It failed for a reason that does not pass, or at the last attempt.</exception>
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

    /// <summary>Does it.</summary>
    /// <inheritdoc cref="Run{T}(Func{T})"/>
    public void Run(Action action) => Run(() =>
    {
        action();
        return true;
    });

    // Workers that failed at the same time do not come back at the same time.
    private static void Sleep(TimeSpan delay) => Thread.Sleep(delay * (0.5 + Random.Shared.NextDouble()));
}
