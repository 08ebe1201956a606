namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>A guide, independent of its layout: which serializer, from the recordings of one machine.</summary>
/// <param name="Title">Its title.</param>
/// <param name="Source">One line on machine, time and runtime.</param>
/// <param name="Parts">Its parts.</param>
public sealed record Guide(string Title, string Source, IReadOnlyList<GuidePart> Parts)
{
    /// <summary>What changed since an earlier guide; null when it was not compared.</summary>
    public GuidePart? Compared { get; init; }

    /// <summary>Machine, settings and runtimes; null when nothing was recorded.</summary>
    internal GuideEnvironment? Environment { get; init; }

    /// <summary>The runs of each row, by which a later guide is compared with this one.</summary>
    internal IReadOnlyList<GuideMeasurement> Measurements { get; init; } = [];
}

/// <summary>A part of a guide.</summary>
/// <param name="Id">Name in JSON and in links.</param>
/// <param name="Title">Its title.</param>
public sealed record GuidePart(string Id, string Title)
{
    /// <summary>Paragraphs before the tables.</summary>
    public IReadOnlyList<string> Texts { get; init; } = [];

    /// <summary>Tables; those for programs only are in JSON alone.</summary>
    public IReadOnlyList<Section> Tables { get; init; } = [];

    /// <summary>Paragraphs after the tables: warnings with their source, notes.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Chart of times and sizes, for pages; null for none.</summary>
    internal Html.TimeSizeChart? Sizes { get; init; }

    /// <summary>Charts by object count, for pages.</summary>
    internal IReadOnlyList<Html.GrowthChart> Charts { get; init; } = [];

    /// <summary>Recordings that its numbers are from: paths relative to the guide's folder.</summary>
    public IReadOnlyList<string> Recordings { get; init; } = [];

    /// <summary>The command that measures what is missing; empty when nothing is.</summary>
    public string Missing { get; init; } = "";
}
