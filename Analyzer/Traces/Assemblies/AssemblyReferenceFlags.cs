using System.Globalization;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>Flags of a row of the AssemblyRef table (ECMA-335 II.22.5, II.23.1.2).</summary>
public static class AssemblyReferenceFlags
{
    /// <summary>The reference has the whole public key, not its token.</summary>
    public const uint PublicKey = 0x1;

    /// <summary>Bits of the processor architecture, which are for assembly names in memory and not for this table.</summary>
    public const uint Architecture = 0x70;

    /// <summary>The runtime may take an assembly of another publisher.</summary>
    public const uint Retargetable = 0x100;

    /// <summary>Content type Windows Runtime.</summary>
    public const uint WindowsRuntime = 0x200;

    /// <summary>Bits that a reference may have.</summary>
    public const uint Legal = PublicKey | Retargetable | WindowsRuntime;

    /// <summary>Whether a reference has bits that it must not have.</summary>
    public static bool IsIllegal(uint flags) => (flags & ~Legal) != 0;

    /// <summary>The flags in hexadecimal: 0x70.</summary>
    public static string Text(uint flags) => "0x" + flags.ToString("X", CultureInfo.InvariantCulture);
}
