using System.Reflection;
using BenchmarkDotNet.Attributes;

namespace EtwSerializerProfiler.BenchmarkDotNet.Tests;

/// <summary>The measured operations: one that calls by reflection, and one that does not. Each takes some ms on any machine.</summary>
public class Reading
{
    private static readonly MethodInfo s_method = typeof(Reading).GetMethod(nameof(Nothing), BindingFlags.Static | BindingFlags.NonPublic)!;
    private readonly int[] _numbers = new int[10_000];

    [Params(200)]
    public int N { get; set; }

    [Benchmark]
    public object? Reflective()
    {
        object? last = null;
        for (var index = 0; index < 5000 * N; index++)
            last = s_method.Invoke(null, null);
        return last;
    }

    [Benchmark]
    public int Direct()
    {
        var sum = 0;
        for (var round = 0; round < 10 * N; round++)
        {
            foreach (var number in _numbers)
                sum = (sum * 31) + (number ^ round);
        }

        return sum;
    }

    private static object? Nothing() => null;
}
