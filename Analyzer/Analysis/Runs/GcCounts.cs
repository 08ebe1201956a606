namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Number of GCs by generation; a GC counts once, in its collected generation.</summary>
/// <param name="Gen0">Generation 0.</param>
/// <param name="Gen1">Generation 1.</param>
/// <param name="Gen2">Generation 2, blocking and background.</param>
public readonly record struct GcCounts(long Gen0, long Gen1, long Gen2)
{
    /// <summary>Adds two counts.</summary>
    public static GcCounts operator +(GcCounts left, GcCounts right) => Add(left, right);

    /// <summary>Adds two counts.</summary>
    public static GcCounts Add(GcCounts left, GcCounts right) =>
        new(left.Gen0 + right.Gen0, left.Gen1 + right.Gen1, left.Gen2 + right.Gen2);

    /// <summary>The counts as <c>gen0/gen1/gen2</c>.</summary>
    public override string ToString() => $"{Gen0}/{Gen1}/{Gen2}";
}
