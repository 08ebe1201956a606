using System.Diagnostics;

namespace EtwSerializerProfiler.Foundation.Progress;

/// <summary>
/// How far the readers of trace files are, for whoever shows it. A reader that is opened while <see cref="Current"/> is set (in this flow of execution) begins a pass and says how far it is,
/// once a buffer: that costs nothing beside reading one. Passes may be asked for from any thread.
/// </summary>
public sealed class ReadProgress
{
    private static readonly AsyncLocal<ReadProgress?> s_current = new();

    private readonly Lock _lock = new();

    /// <summary>Under the lock.</summary>
    private readonly List<ReadPass> _passes = [];

    private ReadStep? _elsewhere;

    /// <summary>The one that readers opened from here on tell; null, as at first, for none.</summary>
    public static ReadProgress? Current
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>How far other processes are that this one waits for; null when it reads itself.</summary>
    public ReadStep? Elsewhere
    {
        get => Volatile.Read(ref _elsewhere);
        set => Volatile.Write(ref _elsewhere, value);
    }

    /// <summary>All passes so far, in order of their begin.</summary>
    public IReadOnlyList<ReadPass> Passes
    {
        get
        {
            lock (_lock)
                return [.. _passes];
        }
    }

    /// <summary>The pass that began last of those that have read something and have not ended; null when nothing is read.</summary>
    public ReadPass? Running
    {
        get
        {
            lock (_lock)
                return _passes.FindLast(pass => pass.Ended is null && pass.Done is > 0 and var done && done < pass.Bytes);
        }
    }

    /// <summary>Begins a pass.</summary>
    /// <param name="name">What is read: a path.</param>
    /// <param name="bytes">How much there is to read.</param>
    public ReadPass Begin(string name, long bytes)
    {
        var pass = new ReadPass(name, bytes, Stopwatch.GetTimestamp());
        lock (_lock)
            _passes.Add(pass);
        return pass;
    }
}
