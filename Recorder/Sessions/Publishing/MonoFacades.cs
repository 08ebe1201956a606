using System.Buffers.Binary;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text.Json;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>
/// Creates the facades that a minimal Mono lacks: netstandard.dll and the System.*.dll that only forward types to mscorlib, System and
/// System.Core. Libraries for .NET Standard refer to them, and Debian's mono-runtime does not contain them.
/// </summary>
/// <remarks>
/// The package of .NET Framework's reference assemblies, with which the suite was just compiled, contains the same facades. Mono refuses to
/// run them only because they have ReferenceAssemblyAttribute. In the copies, the reference to that attribute's type has a name that begins
/// one character later. Nothing else in the file changes, and Mono accepts them as lists of forwarded types. They are created on the user's
/// machine and used only for the suite (<c>MONO_PATH</c>). Their strong names no longer match, which Mono does not verify.
/// </remarks>
public static class MonoFacades
{
    /// <summary>Name of the attribute that makes Mono refuse an assembly.</summary>
    private const string RefusedName = "ReferenceAssemblyAttribute";

    /// <summary>Package with the facades.</summary>
    private const string Package = "Microsoft.NETFramework.ReferenceAssemblies.net472/";

    /// <summary>Creates the folder and replaces an earlier one.</summary>
    /// <param name="assetsFile">NuGet's project.assets.json of the build, which has the location of the package.</param>
    /// <param name="folder">Folder to create.</param>
    /// <exception cref="PublishException">The package's facades were not found.</exception>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public static void Create(string assetsFile, string folder)
    {
        var source =
            FindSource(assetsFile)
            ?? throw new PublishException(
                "Mono has no netstandard.dll, and the build does not use the package Microsoft.NETFramework.ReferenceAssemblies.net472, from which it could be created",
                assetsFile,
                "install Mono's facades (/usr/lib/mono/4.5/Facades)"
            );
        var temporary = $"{folder}.{Environment.ProcessId}.tmp";
        Directory.CreateDirectory(temporary);
        foreach (var file in Directory.EnumerateFiles(source, "*.dll"))
            File.WriteAllBytes(Path.Combine(temporary, Path.GetFileName(file)), Accepted(File.ReadAllBytes(file)));
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        Directory.Move(temporary, folder); // atomically, so that the folder is complete or missing
    }

    /// <summary>
    /// Returns the assembly with the first letter removed from the name in its reference to the attribute's type; unchanged when it has no
    /// such reference.
    /// </summary>
    /// <param name="assembly">Bytes of the assembly's file.</param>
    /// <remarks>
    /// Changes only the row of the reference (ECMA-335 II.22.38: scope, name, namespace). The string itself stays, because other names may
    /// end in it and share its bytes.
    /// </remarks>
    public static byte[] Accepted(byte[] assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        using var file = new PEReader([.. assembly]);
        if (!file.HasMetadata)
            return assembly;
        var metadata = file.GetMetadataReader();
        var reference = metadata.TypeReferences.FirstOrDefault(candidate =>
            metadata.StringComparer.Equals(metadata.GetTypeReference(candidate).Name, RefusedName)
        );
        if (reference.IsNil)
            return assembly;

        var rowSize = metadata.GetTableRowSize(TableIndex.TypeRef);
        var indexSize = metadata.GetHeapSize(HeapIndex.String) > ushort.MaxValue ? sizeof(uint) : sizeof(ushort);
        var accepted = assembly.ToArray();
        var row = accepted.AsSpan(
            file.PEHeaders.MetadataStartOffset
                + metadata.GetTableMetadataOffset(TableIndex.TypeRef)
                + ((MetadataTokens.GetRowNumber(reference) - 1) * rowSize),
            rowSize
        );
        var name = row[^(2 * indexSize)..^indexSize];
        var offset = MetadataTokens.GetHeapOffset(metadata.GetTypeReference(reference).Name) + 1;
        if (indexSize == sizeof(ushort))
            BinaryPrimitives.WriteUInt16LittleEndian(name, (ushort)offset);
        else
            BinaryPrimitives.WriteUInt32LittleEndian(name, (uint)offset);
        return accepted;
    }

    /// <summary>Folder of the package's facades; null when the build did not use the package.</summary>
    private static string? FindSource(string assetsFile)
    {
        try
        {
            using var assets = JsonDocument.Parse(File.ReadAllBytes(assetsFile));
            var package = assets
                .RootElement.GetProperty("libraries")
                .EnumerateObject()
                .FirstOrDefault(library => library.Name.StartsWith(Package, StringComparison.OrdinalIgnoreCase));
            if (package.Value.ValueKind != JsonValueKind.Object)
                return null;
            var path = package.Value.GetProperty("path").GetString()!;
            return assets
                .RootElement.GetProperty("packageFolders")
                .EnumerateObject()
                .Select(folder => Path.Combine(folder.Name, path, "build", ".NETFramework", "v4.7.2", "Facades"))
                .FirstOrDefault(Directory.Exists);
        }
        catch (Exception exception)
            when (exception is FileNotFoundException or DirectoryNotFoundException or JsonException or KeyNotFoundException)
        {
            return null;
        }
    }
}
