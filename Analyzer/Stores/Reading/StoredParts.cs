namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>What is read of traces.</summary>
[Flags]
public enum StoredParts
{
    /// <summary>Runs, causes, findings, losses.</summary>
    Runs = 0,

    /// <summary>Causes by method, too.</summary>
    Methods = 1,

    /// <summary>Allocations by type, too.</summary>
    Allocations = 2,
}
