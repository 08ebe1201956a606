using System.Runtime.InteropServices;
using EtwSerializerProfiler.Workload.Features.Processes;
using EtwSerializerProfiler.Workload.Features.Trials;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>Something that serializers differ in, found by trying.</summary>
/// <param name="key">Name in command lines of the tool's own processes and in tests, without blanks.</param>
/// <param name="group">Table it stands in.</param>
/// <param name="title">Column header.</param>
/// <param name="how">How it is tried and what the cell says, one sentence.</param>
public abstract class Feature(string key, string group, string title, string how)
{
    /// <summary>Name in command lines of the tool's own processes and in tests, without blanks.</summary>
    public string Key { get; } = key;

    /// <summary>Table it stands in.</summary>
    public string Group { get; } = group;

    /// <summary>Column header.</summary>
    public string Title { get; } = title;

    /// <summary>How it is tried and what the cell says, one sentence.</summary>
    public string How { get; } = how;

    /// <summary>What the serializer is asked for in a second trial when the first one does not answer yes.</summary>
    public FeatureOptIn OptIn { get; init; }

    /// <summary>Types that are told with <see cref="FeatureOptIn.KnownTypes"/>.</summary>
    public IReadOnlyList<Type> KnownTypes { get; init; } = [];

    /// <summary>Whether it is tried with the suite's own data, so that serializers with types of their own take part.</summary>
    public virtual bool UsesSuiteData => false;

    /// <summary>Tries it. What the serializer throws is thrown, in a <see cref="TrialFailedException"/> that names the step.</summary>
    public abstract FeatureCell Try(FeatureTrial trial);
}

/// <summary>What a serializer can be asked for when a feature is not there by itself.</summary>
public enum FeatureOptIn
{
    /// <summary>Nothing: the feature is tried once.</summary>
    None = 0,

    /// <summary><see cref="Contract.SerializerSettings.ReferenceTracking"/>, of serializers that have it.</summary>
    ReferenceTracking = 1,

    /// <summary><see cref="Contract.SerializerSettings.KnownTypes"/>.</summary>
    KnownTypes = 2,
}

/// <summary>Where features were tried.</summary>
/// <param name="Runtime">Name and version of the runtime.</param>
/// <param name="System">Operating system and processor.</param>
/// <param name="TimeZone">Time zone of the processes in which they were tried.</param>
/// <param name="LimitSeconds">After so long without an answer, of CPU time or doing nothing, a trial hung.</param>
public sealed record FeaturePlace(string Runtime, string System, string TimeZone, double LimitSeconds)
{
    /// <summary>This process.</summary>
    public static FeaturePlace Here(TimeSpan limit) => new(SuiteRuntime.Name, $"{RuntimeInformation.OSDescription.Trim()}, {RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}", FeatureChild.TimeZone, limit.TotalSeconds);
}
