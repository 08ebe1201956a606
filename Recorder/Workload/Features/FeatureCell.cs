namespace EtwSerializerProfiler.Workload.Features;

/// <summary>What was seen when a feature was tried with a serializer.</summary>
/// <param name="Seen">A few words for a table: one of the constants, or what was measured.</param>
/// <param name="Detail">Why, for a footnote: the exception with its message, or the value that was lost; empty for nothing.</param>
public sealed record FeatureCell(string Seen, string Detail = "")
{
    /// <summary>It works.</summary>
    public const string Yes = "yes";

    /// <summary>It does not; the detail says why.</summary>
    public const string No = "no";

    /// <summary>It works when the serializer is asked for it.</summary>
    public const string WithOptIn = "opt-in";

    /// <summary>The serializer takes only types of its own, so that it could not be tried.</summary>
    public const string OwnTypesOnly = "own types only";

    /// <summary>It was not tried; the detail says why.</summary>
    public const string NotTried = "not tried";

    /// <summary>Begins what is seen when the process ended.</summary>
    public const string CrashedPrefix = "crashed: exit code ";

    /// <summary>Begins what is seen when the process had to be killed.</summary>
    public const string HungPrefix = "hung (";

    // A longer message helps nobody in a footnote.
    private const int MaxDetail = 320;

    // Left out of messages, which name the types in it often and at length.
    private const string DataNamespace = "EtwSerializerProfiler.Workload.Features.Data.";

    /// <summary>Whether it ended the process or kept it from ending.</summary>
    public bool IsFatal => Seen.StartsWith(CrashedPrefix, StringComparison.Ordinal) || Seen.StartsWith(HungPrefix, StringComparison.Ordinal);

    /// <summary>Why, for a footnote; at most about 320 characters.</summary>
    public string Detail { get; } = Shorten(Detail.Replace(DataNamespace, "", StringComparison.Ordinal));

    /// <summary>It works.</summary>
    public static FeatureCell Worked() => new(Yes);

    /// <summary>It does not.</summary>
    public static FeatureCell Failed(string detail) => new(No, detail);

    /// <summary>One cell of what was seen without and with the opt-in.</summary>
    /// <param name="without">Without it.</param>
    /// <param name="with">With it, null when it was not tried.</param>
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
        return without.Seen == with.Seen ? without : new FeatureCell($"{without.Seen}; opt-in: {with.Seen}", string.Join("; ", new[] { without.Detail, with.Detail }.Where(detail => detail.Length > 0)));
    }

    private static string Shorten(string text) => text.Length <= MaxDetail ? text : text[..MaxDetail] + "…";

    private string Said => Detail.Length == 0 ? Seen : Seen == No ? Detail : $"{Seen} ({Detail})";
}
