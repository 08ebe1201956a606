namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>The provider of BenchmarkDotNet's engine, which tells iterations; programs without BenchmarkDotNet have none.</summary>
public static class BenchmarkProvider
{
    /// <summary>Its name.</summary>
    public const string Name = "BenchmarkDotNet.EngineEventSource";
}
