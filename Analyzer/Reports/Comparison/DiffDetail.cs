namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Breakdowns of differences, besides the sentences that explain them.</summary>
[Flags]
public enum DiffDetail
{
    /// <summary>Only the sentences.</summary>
    Summary = 0,

    /// <summary>A table of causes.</summary>
    Cause = 1,

    /// <summary>A table of methods.</summary>
    Method = 2,

    /// <summary>A table of GCs and pauses.</summary>
    Gc = 4,

    /// <summary>A table of allocated types.</summary>
    Alloc = 8,

    /// <summary>A table of source lines.</summary>
    Line = 16,

    /// <summary>All tables.</summary>
    All = Cause | Method | Gc | Alloc | Line,
}
