using System.Diagnostics;

namespace EtwSerializerProfiler.Foundation.Progress;

/// <summary>
/// Progress of trace readers. A reader that is opened while <see cref="Current"/> is set (in this flow of execution) begins a pass and
/// updates it once per buffer, which costs almost nothing compared with reading one. Passes can be read from any thread.
/// </summary>
public sealed class ReadProgress
{
    private static readonly AsyncLocal<ReadProgress?> s_current = new();

    private readonly Lock _lock = new();

    /// <summary>Guarded by the lock.</summary>
    private readonly List<ReadPass> _passes = [];

    private ReadStep? _elsewhere;

    /// <summary>The progress that readers opened from now on update; null (the initial value) for none.</summary>
    public static ReadProgress? Current
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>Progress of other processes that this one waits for; null when it reads itself.</summary>
    public ReadStep? Elsewhere
    {
        get => Volatile.Read(ref _elsewhere);
        set => Volatile.Write(ref _elsewhere, value);
    }

    /// <summary>All passes so far, ordered by start.</summary>
    public IReadOnlyList<ReadPass> Passes
    {
        get
        {
            lock (_lock)
                return [.. _passes];
        }
    }

    /// <summary>The latest pass that has read something and has not ended; null when nothing is being read.</summary>
    public ReadPass? Running
    {
        get
        {
            lock (_lock)
                return _passes.FindLast(pass => pass.Ended is null && pass.Done is > 0 and var done && done < pass.Bytes);
        }
    }

    /// <summary>Begins a pass.</summary>
    /// <param name="name">Path of the file.</param>
    /// <param name="bytes">Total number of bytes.</param>
    public ReadPass Begin(string name, long bytes)
    {
        var pass = new ReadPass(name, bytes, Stopwatch.GetTimestamp());
        lock (_lock)
            _passes.Add(pass);
        return pass;
    }
}
