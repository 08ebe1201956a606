namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>The provider of BenchmarkDotNet's engine, which reports iterations; programs without BenchmarkDotNet do not have it.</summary>
public static class BenchmarkProvider
{
    /// <summary>Its name.</summary>
    public const string Name = "BenchmarkDotNet.EngineEventSource";
}
