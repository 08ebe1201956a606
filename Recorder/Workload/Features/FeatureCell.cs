namespace EtwSerializerProfiler.Workload.Features;

/// <summary>Result of trying a feature with a serializer.</summary>
/// <param name="Seen">Short text for a table: one of the constants or a measured value.</param>
/// <param name="Detail">Reason for a footnote: the exception with its message, or the lost value; empty for none.</param>
public sealed record FeatureCell(string Seen, string Detail = "")
{
    /// <summary>It works.</summary>
    public const string Yes = "yes";

    /// <summary>It does not work; see the detail.</summary>
    public const string No = "no";

    /// <summary>It works with a setting of the serializer.</summary>
    public const string WithOptIn = "opt-in";

    /// <summary>The serializer supports only its own types, so the feature could not be tried.</summary>
    public const string OwnTypesOnly = "own types only";

    /// <summary>It was not tried; see the detail.</summary>
    public const string NotTried = "not tried";

    /// <summary>Prefix of the result when the process ended.</summary>
    public const string CrashedPrefix = "crashed: exit code ";

    /// <summary>Prefix of the result when the process was killed.</summary>
    public const string HungPrefix = "hung (";

    // A longer message is not useful in a footnote.
    private const int MaxDetail = 320;

    // Removed from messages, which contain the names of its types often.
    private const string DataNamespace = "EtwSerializerProfiler.Workload.Features.Data.";

    /// <summary>Whether the trial crashed or hung its process.</summary>
    public bool IsFatal =>
        Seen.StartsWith(CrashedPrefix, StringComparison.Ordinal) || Seen.StartsWith(HungPrefix, StringComparison.Ordinal);

    /// <summary>Reason for a footnote; at most about 320 characters.</summary>
    public string Detail { get; } = Shorten(Detail.Replace(DataNamespace, "", StringComparison.Ordinal));

    /// <summary>It works.</summary>
    public static FeatureCell Worked() => new(Yes);

    /// <summary>It does not.</summary>
    public static FeatureCell Failed(string detail) => new(No, detail);

    /// <summary>Merges the results without and with the opt-in.</summary>
    /// <param name="without">Result without it.</param>
    /// <param name="with">Result with it; null when it was not tried.</param>
    public static FeatureCell Merge(FeatureCell without, FeatureCell? with)
    {
        ArgumentNullException.ThrowIfNull(without);
        if (with is null || without.Seen == Yes)
            return without;
        if (with.Seen == Yes)
            return new FeatureCell(WithOptIn, $"without opt-in {without.Said}");
        if (without == with)
            return without;
        if (without.Seen == No)
            return new FeatureCell(No, $"{without.Detail}; with opt-in {with.Said}");
        return without.Seen == with.Seen
            ? without
            : new FeatureCell(
                $"{without.Seen}; opt-in: {with.Seen}",
                string.Join("; ", new[] { without.Detail, with.Detail }.Where(detail => detail.Length > 0))
            );
    }

    private static string Shorten(string text) => text.Length <= MaxDetail ? text : text[..MaxDetail] + "…";

    private string Said =>
        Detail.Length == 0 ? Seen
        : Seen == No ? Detail
        : $"{Seen} ({Detail})";
}
