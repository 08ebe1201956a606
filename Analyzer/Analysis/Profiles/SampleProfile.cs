using EtwSerializerProfiler.Analysis.Causes;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>The CPU samples of runs with their stacks and causes, for tools that show them.</summary>
public sealed record SampleProfile
{
    /// <summary>Groups of runs.</summary>
    public required IReadOnlyList<ProfileGroup> Groups { get; init; }

    /// <summary>Stacks of the samples.</summary>
    public required ProfileStacks Stacks { get; init; }

    /// <summary>Samples added up, by group, cause and stack in the order in which they were first seen; empty when each is kept.</summary>
    public required IReadOnlyList<ProfileSum> Sums { get; init; }

    /// <summary>Each sample in order of time; empty when they are added up.</summary>
    public required IReadOnlyList<ProfileSample> Samples { get; init; }

    /// <summary>Threads with samples or events.</summary>
    public required IReadOnlyList<ProfileThread> Threads { get; init; }

    /// <summary>Runs, collections, compilations and exceptions in order of their begin; empty when they were not asked for.</summary>
    public required IReadOnlyList<ProfileEvent> Events { get; init; }

    /// <summary>Samples.</summary>
    public required long SampleCount { get; init; }

    /// <summary>CPU time they stand for, in ns.</summary>
    public required long CpuNs { get; init; }

    /// <summary>How far their stacks can be trusted.</summary>
    public required StackQuality Quality { get; init; }

    /// <summary>CPU time that most samples stand for, in ns: the sampler's period.</summary>
    public required long PeriodNs { get; init; }

    /// <summary>What is missing, a sentence each.</summary>
    public required IReadOnlyList<string> Problems { get; init; }
}
