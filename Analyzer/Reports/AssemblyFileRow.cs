using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Reports;

/// <summary>A file in the report on assemblies.</summary>
/// <param name="File">The file.</param>
/// <param name="Path">Its path below the folder that was named.</param>
/// <param name="References">Its references.</param>
/// <param name="Notable">Those among them that the table of references shows.</param>
public sealed record AssemblyFileRow(AssemblyFile File, string Path, int References, int Notable)
{
    /// <summary>Whether it has metadata.</summary>
    public bool IsManaged => File.Kind is AssemblyKind.Managed or AssemblyKind.Module;
}
