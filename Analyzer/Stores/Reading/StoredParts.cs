namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>Parts of traces to read.</summary>
[Flags]
public enum StoredParts
{
    /// <summary>Runs, causes, findings, losses.</summary>
    Runs = 0,

    /// <summary>Also causes by method.</summary>
    Methods = 1,

    /// <summary>Also allocations by type.</summary>
    Allocations = 2,
}
