namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>What <see cref="SerializerProfileDiagnoser"/> records, and of which run.</summary>
public sealed record SerializerProfileOptions
{
    /// <summary>
    /// Whether a benchmark is run once more to be recorded, so that BenchmarkDotNet's times are those of an undisturbed process. When false, its last launch is recorded: half the time,
    /// and the times are those of a recorded process (docs/benchmarkdotnet.md has what that costs).
    /// </summary>
    public bool ExtraRun { get; init; } = true;

    /// <summary>Whether the kernel's events are recorded (Linux): CPU time, CPU samples, causes.</summary>
    public bool KernelEvents { get; init; } = true;

    /// <summary>CPU samples a second of CPU time, 1 to 100,000.</summary>
    public int SampleRateHz { get; init; } = 1000;

    /// <summary>Whether allocations are sampled (.NET 10), for <c>esp-analyze alloc</c>; the exact number of bytes is that of BenchmarkDotNet's MemoryDiagnoser.</summary>
    public bool SampledAllocations { get; init; }
}
