using BenchmarkDotNet.Attributes;

namespace EtwSerializerProfiler.BenchmarkDotNet.Tests;

/// <summary>A benchmark whose objects have finalizers.</summary>
public class Finalizing
{
    /// <summary>Objects of a call.</summary>
    public const int Objects = 5_000;

    private static int s_finalized;
    private int _calls;

    [Benchmark]
    public int Abandons()
    {
        for (var i = 0; i < Objects; i++)
            _ = new Finalized();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return ++_calls + s_finalized;
    }

    private sealed class Finalized
    {
        ~Finalized() => s_finalized++;
    }
}
