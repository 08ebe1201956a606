using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>What is exported, and where to.</summary>
/// <param name="Format">The format.</param>
/// <param name="File">The file; null for a name made of the recording's. A name that ends in .gz is written compressed.</param>
public sealed record ProfileExportOptions(ProfileFormat Format, string? File)
{
    /// <summary>Which runs count.</summary>
    public RunFilter Filter { get; init; } = new();

    /// <summary>Whether rows of the table or single runs stand apart.</summary>
    public ProfileGrouping Grouping { get; init; }

    /// <summary>Whether samples of speedscope's format are kept in order of time; the formats with a time line always have them so.</summary>
    public bool InOrder { get; init; }

    /// <summary>Whether a file that is there is replaced.</summary>
    public bool Overwrite { get; init; }
}
