using System.Runtime.InteropServices;
using EtwSerializerProfiler.Workload.Features.Processes;
using EtwSerializerProfiler.Workload.Features.Trials;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>A feature in which serializers differ, found by trying it.</summary>
/// <param name="key">Name in internal command lines and in tests, without blanks.</param>
/// <param name="group">Table that contains it.</param>
/// <param name="title">Column header.</param>
/// <param name="how">How it is tried and what the cell means, one sentence.</param>
public abstract class Feature(string key, string group, string title, string how)
{
    /// <summary>Name in internal command lines and in tests, without blanks.</summary>
    public string Key { get; } = key;

    /// <summary>Table that contains it.</summary>
    public string Group { get; } = group;

    /// <summary>Column header.</summary>
    public string Title { get; } = title;

    /// <summary>How it is tried and what the cell means, one sentence.</summary>
    public string How { get; } = how;

    /// <summary>Setting for a second trial when the first one does not result in yes.</summary>
    public FeatureOptIn OptIn { get; init; }

    /// <summary>Known types for <see cref="FeatureOptIn.KnownTypes"/>.</summary>
    public IReadOnlyList<Type> KnownTypes { get; init; } = [];

    /// <summary>Whether it uses the suite's own data, so that serializers with their own types take part.</summary>
    public virtual bool UsesSuiteData => false;

    /// <summary>
    /// Tries the feature. Exceptions of the serializer are thrown as a <see cref="TrialFailedException"/> that names the step.
    /// </summary>
    public abstract FeatureCell Try(FeatureTrial trial);
}

/// <summary>Settings to request from a serializer when a feature does not work by default.</summary>
public enum FeatureOptIn
{
    /// <summary>None: the feature is tried once.</summary>
    None = 0,

    /// <summary><see cref="Contract.SerializerSettings.ReferenceTracking"/>, for serializers that support it.</summary>
    ReferenceTracking = 1,

    /// <summary><see cref="Contract.SerializerSettings.KnownTypes"/>.</summary>
    KnownTypes = 2,
}

/// <summary>Environment of the trials.</summary>
/// <param name="Runtime">Name and version of the runtime.</param>
/// <param name="System">Operating system, processor and time zone of the trial processes.</param>
public sealed record FeaturePlace(string Runtime, string System)
{
    /// <summary>The environment of this process.</summary>
    public static FeaturePlace Here() =>
        new(
            SuiteRuntime.Name,
            $"{RuntimeInformation.OSDescription.Trim()}, {RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}, time zone {FeatureChild.TimeZone}"
        );
}
