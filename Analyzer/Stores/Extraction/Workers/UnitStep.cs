namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>Steps of a trace, in their order.</summary>
internal enum UnitStep
{
    /// <summary>Nobody has looked at it.</summary>
    Waiting = 0,

    /// <summary>A worker reads its content.</summary>
    Hashing,

    /// <summary>Its content is known; whether it has to be extracted is not.</summary>
    Hashed,

    /// <summary>It has to be extracted.</summary>
    Ready,

    /// <summary>A worker extracts it.</summary>
    Extracting,

    /// <summary>Its rows, or why there are none, are in the store.</summary>
    Stored,

    /// <summary>The store has it already.</summary>
    Known,

    /// <summary>Another trace of this call has the same content.</summary>
    Duplicate,
}
