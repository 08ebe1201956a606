using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Writes an object and reads it back: yes when everything that the feature covers is preserved.</summary>
/// <param name="key">See <see cref="Feature.Key"/>.</param>
/// <param name="group">See <see cref="Feature.Group"/>.</param>
/// <param name="title">See <see cref="Feature.Title"/>.</param>
/// <param name="how">See <see cref="Feature.How"/>.</param>
/// <param name="create">Creates the object.</param>
/// <param name="difference">
/// Returns what was lost between the written and the read object; null for nothing. A null function compares all public members.
/// </param>
/// <typeparam name="T">Type of the object.</typeparam>
public sealed class RoundTripFeature<T>(
    string key,
    string group,
    string title,
    string how,
    Func<T> create,
    Func<T, T, string?>? difference = null
) : Feature(key, group, title, how)
    where T : class
{
    /// <inheritdoc/>
    public override FeatureCell Try(FeatureTrial trial)
    {
        ArgumentNullException.ThrowIfNull(trial);
        var serializer = trial.Construct<T>();
        var expected = create();
        using var written = FeatureTrial.Write(serializer, expected);
        using var stream = written.Reopen();
        var actual = FeatureTrial.Read<T>(serializer, stream);
        return (difference is null ? StructuralDifference.Find(expected, actual) : difference(expected, actual)) is { } lost
            ? FeatureCell.Failed(lost)
            : FeatureCell.Worked();
    }
}
