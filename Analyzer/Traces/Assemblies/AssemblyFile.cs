using System.Globalization;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>Facts on a file of a program, read without loading or running it.</summary>
/// <param name="Path">Path of the file.</param>
/// <param name="Kind">Kind.</param>
public sealed record AssemblyFile(string Path, AssemblyKind Kind)
{
    /// <summary>Reason why it is unreadable; empty when readable.</summary>
    public string Problem { get; init; } = "";

    /// <summary>Its identity; null if it is not an assembly.</summary>
    public AssemblyIdentity? Identity { get; init; }

    /// <summary>Its references, in the order of the file.</summary>
    public IReadOnlyList<AssemblyReferenceEntry> References { get; init; } = [];

    /// <summary>TargetFrameworkAttribute: <c>.NETCoreApp,Version=v10.0</c>; empty when it has none.</summary>
    public string TargetFramework { get; init; } = "";

    /// <summary>AssemblyConfigurationAttribute: the build's configuration; empty when it has none.</summary>
    public string Configuration { get; init; } = "";

    /// <summary>Whether DebuggableAttribute disables the JIT's optimizations, as in a debug build.</summary>
    public bool DisablesOptimizations { get; init; }

    /// <summary>Whether it is a reference assembly for compilers, without code.</summary>
    public bool IsReferenceAssembly { get; init; }

    /// <summary>Form of its code.</summary>
    public AssemblyCode Code { get; init; }

    /// <summary>Processes that can load it.</summary>
    public AssemblyArchitecture Architecture { get; init; }

    /// <summary>Whether it is a program.</summary>
    public bool IsProgram { get; init; }

    /// <summary>Id of the module's build; equal ids mean equal files.</summary>
    public Guid ModuleId { get; init; }

    /// <summary>Number of methods with a body.</summary>
    public int Methods { get; init; }

    /// <summary>Simple name, or the file's name if it has none.</summary>
    public string Name => Identity?.Name ?? System.IO.Path.GetFileName(Path);

    /// <summary>Its folder.</summary>
    public string Folder { get; } = System.IO.Path.GetDirectoryName(System.IO.Path.GetFullPath(Path)) ?? "";
}

/// <summary>Identity of an assembly.</summary>
/// <param name="Name">Simple name.</param>
/// <param name="Version">Version.</param>
/// <param name="Culture">Culture; empty for neutral.</param>
/// <param name="PublicKeyToken">Token of the public key in 16 hexadecimal digits; empty without a strong name.</param>
public sealed record AssemblyIdentity(string Name, Version Version, string Culture, string PublicKeyToken)
{
    /// <summary>Whether it has a strong name.</summary>
    public bool IsSigned => PublicKeyToken.Length > 0;

    /// <inheritdoc />
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Name} {Version}");
}

/// <summary>Kinds of files.</summary>
public enum AssemblyKind
{
    /// <summary>A .NET assembly.</summary>
    Managed,

    /// <summary>A managed module without a manifest, part of a multi-file assembly.</summary>
    Module,

    /// <summary>A native library or program.</summary>
    Native,

    /// <summary>A damaged file, or neither a library nor a program.</summary>
    Unreadable,
}

/// <summary>Forms of an assembly's code.</summary>
public enum AssemblyCode
{
    /// <summary>No method with a body: a facade, a reference assembly, resources.</summary>
    None,

    /// <summary>IL only, compiled when first called.</summary>
    Il,

    /// <summary>Precompiled, for .NET (ECMA-335 ManagedNativeHeader with signature RTR).</summary>
    ReadyToRun,

    /// <summary>Precompiled by NGEN, for .NET Framework.</summary>
    Ngen,

    /// <summary>Native code besides IL (C++/CLI).</summary>
    Mixed,
}

/// <summary>A row of the AssemblyRef table: an assembly to load.</summary>
/// <param name="Identity">The referenced assembly.</param>
/// <param name="Flags">Its flags as in the file (<see cref="AssemblyReferenceFlags"/>).</param>
public sealed record AssemblyReferenceEntry(AssemblyIdentity Identity, uint Flags);

/// <summary>Flags of a row of the AssemblyRef table (ECMA-335 II.22.5, II.23.1.2).</summary>
public static class AssemblyReferenceFlags
{
    /// <summary>The reference has the whole public key instead of its token.</summary>
    public const uint PublicKey = 0x1;

    /// <summary>Bits of the processor architecture, which are only for assembly names in memory, not for this table.</summary>
    public const uint Architecture = 0x70;

    /// <summary>The runtime may use an assembly of another publisher.</summary>
    public const uint Retargetable = 0x100;

    /// <summary>Content type Windows Runtime.</summary>
    public const uint WindowsRuntime = 0x200;

    /// <summary>Bits allowed in a reference.</summary>
    public const uint Legal = PublicKey | Retargetable | WindowsRuntime;

    /// <summary>Whether a reference has forbidden bits.</summary>
    public static bool IsIllegal(uint flags) => (flags & ~Legal) != 0;

    /// <summary>The flags in hexadecimal: 0x70.</summary>
    public static string Text(uint flags) => "0x" + flags.ToString("X", CultureInfo.InvariantCulture);
}

/// <summary>Processes that can load a file, from its machine type and CorFlags (ECMA-335 II.25.3.3.1).</summary>
public enum AssemblyArchitecture
{
    /// <summary>Unknown: an unreadable file, or another machine type.</summary>
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
