using System.Runtime.ExceptionServices;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Counts exceptions that are thrown, also those that are caught. Counting makes each dearer: it is done outside of what is timed.</summary>
public sealed class ExceptionCounter : IDisposable
{
    private static readonly Lazy<bool> s_exists = new(Tell);

    private long _count;

    /// <summary>Starts to count on all threads.</summary>
    public ExceptionCounter() => AppDomain.CurrentDomain.FirstChanceException += OnThrown;

    /// <summary>Whether the runtime tells of exceptions; Mono does not.</summary>
    public static bool IsTold => s_exists.Value;

    /// <summary>Exceptions thrown so far; null where the runtime does not tell.</summary>
    public long? Count => s_exists.Value ? Interlocked.Read(ref _count) : null;

    /// <summary>Exceptions that <paramref name="operation"/> throws and catches.</summary>
    /// <returns>Null where the runtime does not tell.</returns>
    public static long? During(Action operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        _ = s_exists.Value;
        using var counter = new ExceptionCounter();
        operation();
        return counter.Count;
    }

    /// <summary>Ends counting.</summary>
    public void Dispose() => AppDomain.CurrentDomain.FirstChanceException -= OnThrown;

    /// <summary>Whether the event is raised at all: Mono declares it.</summary>
    private static bool Tell()
    {
        using var probe = new ExceptionCounter();
        try
        {
            throw new InvalidOperationException();
        }
        catch (InvalidOperationException)
        {
            return Interlocked.Read(ref probe._count) > 0;
        }
    }

    private void OnThrown(object? sender, FirstChanceExceptionEventArgs thrown) => Interlocked.Increment(ref _count);
}
