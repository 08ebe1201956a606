namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>Steps of a trace in order.</summary>
internal enum UnitStep
{
    /// <summary>Not started.</summary>
    Waiting = 0,

    /// <summary>A worker reads its content.</summary>
    Hashing,

    /// <summary>Its content is known, but not whether to extract it.</summary>
    Hashed,

    /// <summary>It must be extracted.</summary>
    Ready,

    /// <summary>A worker extracts it.</summary>
    Extracting,

    /// <summary>Its rows, or its error, are in the store.</summary>
    Stored,

    /// <summary>The store already has it.</summary>
    Known,

    /// <summary>Another trace of this call has the same content.</summary>
    Duplicate,
}
