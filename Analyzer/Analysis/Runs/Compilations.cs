namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The compilations under way in a process, by thread.</summary>
internal sealed class Compilations
{
    private readonly Dictionary<long, JitThread> _threads = [];

    /// <summary>Those of a thread.</summary>
    public JitThread Of(long thread)
    {
        if (!_threads.TryGetValue(thread, out var jit))
            _threads.Add(thread, jit = new JitThread());
        return jit;
    }
}
