namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>What differences are shown by, beside the sentence that explains each.</summary>
[Flags]
public enum DiffDetail
{
    /// <summary>The sentences alone.</summary>
    Summary = 0,

    /// <summary>A table of causes.</summary>
    Cause = 1,

    /// <summary>A table of methods.</summary>
    Method = 2,

    /// <summary>A table of collections and pauses.</summary>
    Gc = 4,

    /// <summary>A table of types allocated.</summary>
    Alloc = 8,

    /// <summary>A table of source lines.</summary>
    Line = 16,

    /// <summary>All of them.</summary>
    All = Cause | Method | Gc | Alloc | Line,
}
