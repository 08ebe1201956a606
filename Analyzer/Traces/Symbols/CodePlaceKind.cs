namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>How the caller of code at an address can be found.</summary>
internal enum CodePlaceKind
{
    /// <summary>It is no code that is known.</summary>
    None = 0,

    /// <summary>A managed method.</summary>
    Method = 1,

    /// <summary>A stub of the runtime's, of a kind that is known.</summary>
    Stub = 2,

    /// <summary>A library's code with call frame information.</summary>
    Described = 3,

    /// <summary>Code of which nothing is known: a library's without call frame information, or the runtime's without a method.</summary>
    Undescribed = 4,
}
