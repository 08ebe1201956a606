using BenchmarkDotNet.Attributes;

namespace EtwSerializerProfiler.BenchmarkDotNet.Tests;

/// <summary>A benchmark whose process ends in the middle, and one that goes on.</summary>
public class Ending
{
    private int _calls;

    [Benchmark]
    public void Ends()
    {
        if (++_calls == 3)
            Environment.Exit(3);
        Thread.Sleep(20);
    }

    [Benchmark]
    public int GoesOn()
    {
        Thread.Sleep(20);
        return ++_calls;
    }
}
