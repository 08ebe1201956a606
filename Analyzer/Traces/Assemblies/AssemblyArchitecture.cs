namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>What processes can load a file, by its machine type and CorFlags (ECMA-335 II.25.3.3.1).</summary>
public enum AssemblyArchitecture
{
    /// <summary>Not told: an unreadable file, or a machine that is none of these.</summary>
    Unknown,

    /// <summary>Every process.</summary>
    AnyCpu,

    /// <summary>32-bit processes (x86).</summary>
    X86,

    /// <summary>64-bit processes (x64).</summary>
    X64,

    /// <summary>32-bit ARM processes.</summary>
    Arm,

    /// <summary>64-bit ARM processes.</summary>
    Arm64,
}
