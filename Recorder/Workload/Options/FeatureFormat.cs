namespace EtwSerializerProfiler.Options;

/// <summary>How the table of features is written; values of <c>--format</c>.</summary>
public enum FeatureFormat
{
    /// <summary>Aligned columns.</summary>
    Table = 0,

    /// <summary>GitHub's Markdown.</summary>
    Markdown = 1,

    /// <summary>A line a cell.</summary>
    Csv = 2,
}
