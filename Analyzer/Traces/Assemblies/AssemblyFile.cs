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
