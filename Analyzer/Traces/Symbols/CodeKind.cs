namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What kind of code an address belongs to.</summary>
public enum CodeKind
{
    /// <summary>Compiled by a runtime while the program ran or before: methods and the runtime's generated stubs.</summary>
    Managed = 0,

    /// <summary>A library or program of the operating system's format.</summary>
    Native = 1,

    /// <summary>The kernel.</summary>
    Kernel = 2,

    /// <summary>Nothing is known to lie there.</summary>
    Unknown = 3,
}
