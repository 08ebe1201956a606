namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Selects what <see cref="SerializerProfileDiagnoser"/> records, and in which run.</summary>
public sealed record SerializerProfileOptions
{
    /// <summary>
    /// Whether to run each benchmark once more for the recording, so that BenchmarkDotNet's times come from an undisturbed process. When
    /// false, the last launch is recorded: this takes half the time, but its times are those of a recorded process (docs/benchmarkdotnet.md
    /// has the overhead).
    /// </summary>
    public bool ExtraRun { get; init; } = true;

    /// <summary>Whether to record the kernel's events (Linux): CPU time, CPU samples, causes.</summary>
    public bool KernelEvents { get; init; } = true;

    /// <summary>CPU samples per second of CPU time, 1 to 100,000.</summary>
    public int SampleRateHz { get; init; } = 1000;

    /// <summary>
    /// Whether to sample allocations (.NET 10) for <c>esp-analyze alloc</c>. BenchmarkDotNet's MemoryDiagnoser has the exact number of
    /// bytes.
    /// </summary>
    public bool SampledAllocations { get; init; }
}
