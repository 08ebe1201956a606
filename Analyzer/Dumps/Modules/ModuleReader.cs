using System.Reflection.Metadata;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Stacks;
using EtwSerializerProfiler.Traces.Assemblies;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Modules;

/// <summary>Reads the assemblies of a process.</summary>
internal static class ModuleReader
{
    /// <summary>Maximum plausible bytes of an assembly's metadata; the largest of .NET have about 6 MB.</summary>
    private const ulong MaxMetadata = 64 << 20;

    /// <summary>Reads the assemblies, ordered by path.</summary>
    public static IReadOnlyList<DumpModule> Read(DumpSession session) =>
        [
            .. session
                .Runtime.EnumerateModules()
                .Select(module => Read(session, module))
                .OrderBy(module => module.Path, StringComparer.Ordinal)
                .ThenBy(module => module.Name, StringComparer.Ordinal),
        ];

    private static DumpModule Read(DumpSession session, ClrModule module)
    {
        var (version, id) = Metadata(session, module);
        var path = module.Name ?? "";
        if (version is null && !module.IsDynamic)
            (version, id) = OfFile(path);
        var name =
            FrameReader.FileName(path) is { Length: > 0 } file ? file
            : module.AssemblyName is { Length: > 0 } assembly ? FrameReader.FileName(assembly)
            : "[unnamed]";
        return new DumpModule(
            name,
            module.IsDynamic ? "" : path,
            version,
            id,
            module.Size > 0 ? (long)module.Size : null,
            module.IsDynamic
        );
    }

    private static (Version? Version, Guid? Id) Metadata(DumpSession session, ClrModule module)
    {
        if (module.MetadataAddress == 0 || module.MetadataLength is 0 or > MaxMetadata)
            return (null, null);
        var bytes = new byte[module.MetadataLength];
        if (session.Target.DataReader.Read(module.MetadataAddress, bytes) < bytes.Length)
            return (null, null);
        try
        {
            using var provider = MetadataReaderProvider.FromMetadataImage(ImmutableCollectionsMarshal.AsImmutableArray(bytes));
            var reader = provider.GetMetadataReader();
            return (reader.IsAssembly ? reader.GetAssemblyDefinition().Version : null, reader.GetGuid(reader.GetModuleDefinition().Mvid));
        }
        catch (Exception exception)
            when (exception is BadImageFormatException or InvalidOperationException or ArgumentException or OverflowException)
        {
            return (null, null);
        }
    }

    /// <summary>
    /// Reads the file at the same path on this machine: where the dump was taken, it is that assembly unless it was replaced.
    /// </summary>
    private static (Version? Version, Guid? Id) OfFile(string path)
    {
        try
        {
            return Path.IsPathRooted(path) && File.Exists(path) && AssemblyFileReader.Read(path) is { Identity: { } identity } file
                ? (identity.Version, file.ModuleId)
                : (null, null);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return (null, null);
        }
    }
}

/// <summary>A loaded assembly.</summary>
/// <param name="Name">File name, or the name of a dynamic assembly.</param>
/// <param name="Path">Path from which the process loaded it; empty for a dynamic assembly.</param>
/// <param name="Version">Its assembly version, from its metadata in the dump; null when the dump does not contain it.</param>
/// <param name="ModuleId">Id of its build; null when the dump does not contain its metadata.</param>
/// <param name="Bytes">Its size in memory; null when unknown.</param>
/// <param name="IsDynamic">Whether it is dynamic.</param>
public sealed record DumpModule(string Name, string Path, Version? Version, Guid? ModuleId, long? Bytes, bool IsDynamic);
