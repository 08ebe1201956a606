namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>One trial of a feature.</summary>
/// <param name="Key">The feature.</param>
/// <param name="WithOptIn">Whether the serializer gets the feature's setting.</param>
public readonly record struct FeatureAttempt(string Key, bool WithOptIn)
{
    private const char OptInMark = '+';

    /// <summary>Parses the output of <see cref="ToString"/>.</summary>
    public static FeatureAttempt Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new FeatureAttempt(text.TrimEnd(OptInMark), text.Length > 0 && text[^1] == OptInMark);
    }

    /// <summary>The key, with a plus sign for the opt-in.</summary>
    public override string ToString() => WithOptIn ? Key + OptInMark : Key;
}
