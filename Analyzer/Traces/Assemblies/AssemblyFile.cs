using System.Globalization;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>What a file of a program says of itself. Nothing of it was loaded or run.</summary>
/// <param name="Path">Path of the file.</param>
/// <param name="Kind">What it is.</param>
public sealed record AssemblyFile(string Path, AssemblyKind Kind)
{
    /// <summary>Why it cannot be read; empty when it can.</summary>
    public string Problem { get; init; } = "";

    /// <summary>What names it; null for what is no assembly.</summary>
    public AssemblyIdentity? Identity { get; init; }

    /// <summary>Its references, in the order of the file.</summary>
    public IReadOnlyList<AssemblyReferenceEntry> References { get; init; } = [];

    /// <summary>TargetFrameworkAttribute: <c>.NETCoreApp,Version=v10.0</c>; empty when it has none.</summary>
    public string TargetFramework { get; init; } = "";

    /// <summary>AssemblyConfigurationAttribute: what the build called itself; empty when it has none.</summary>
    public string Configuration { get; init; } = "";

    /// <summary>Whether DebuggableAttribute turns the optimizations of the JIT off, as a debug build does.</summary>
    public bool DisablesOptimizations { get; init; }

    /// <summary>Whether it is a reference assembly: for compilers, without code.</summary>
    public bool IsReferenceAssembly { get; init; }

    /// <summary>How its code reaches the processor.</summary>
    public AssemblyCode Code { get; init; }

    /// <summary>What processes can load it.</summary>
    public AssemblyArchitecture Architecture { get; init; }

    /// <summary>Whether it is a program.</summary>
    public bool IsProgram { get; init; }

    /// <summary>Id of the module's build; equal ids are equal files.</summary>
    public Guid ModuleId { get; init; }

    /// <summary>Methods with a body.</summary>
    public int Methods { get; init; }

    /// <summary>Simple name, or the file's name where it has none.</summary>
    public string Name => Identity?.Name ?? System.IO.Path.GetFileName(Path);

    /// <summary>Folder it lies in.</summary>
    public string Folder { get; } = System.IO.Path.GetDirectoryName(System.IO.Path.GetFullPath(Path)) ?? "";
}

/// <summary>What names an assembly.</summary>
/// <param name="Name">Simple name.</param>
/// <param name="Version">Version.</param>
/// <param name="Culture">Culture; empty for neutral.</param>
/// <param name="PublicKeyToken">Token of the public key in 16 hexadecimal digits; empty when it has no strong name.</param>
public sealed record AssemblyIdentity(string Name, Version Version, string Culture, string PublicKeyToken)
{
    /// <summary>Whether it has a strong name.</summary>
    public bool IsSigned => PublicKeyToken.Length > 0;

    /// <inheritdoc />
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Name} {Version}");
}

/// <summary>What a file is.</summary>
public enum AssemblyKind
{
    /// <summary>An assembly of .NET.</summary>
    Managed,

    /// <summary>A managed module without a manifest, a part of an assembly of several files.</summary>
    Module,

    /// <summary>A native library or program.</summary>
    Native,

    /// <summary>A file that is damaged, or is no library or program at all.</summary>
    Unreadable,
}

/// <summary>How the code of an assembly reaches the processor.</summary>
public enum AssemblyCode
{
    /// <summary>It has no method with a body: a facade, a reference assembly, resources.</summary>
    None,

    /// <summary>All of it is compiled when it is first called.</summary>
    Il,

    /// <summary>Precompiled, for .NET (ECMA-335 ManagedNativeHeader with signature RTR).</summary>
    ReadyToRun,

    /// <summary>Precompiled by NGEN, for .NET Framework.</summary>
    Ngen,

    /// <summary>Has native code beside IL (C++/CLI).</summary>
    Mixed,
}

/// <summary>A row of the AssemblyRef table: what an assembly wants to be loaded.</summary>
/// <param name="Identity">The assembly it names.</param>
/// <param name="Flags">Its flags as they are in the file (<see cref="AssemblyReferenceFlags"/>).</param>
public sealed record AssemblyReferenceEntry(AssemblyIdentity Identity, uint Flags);

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
