using System.Buffers.Binary;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text.Json;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>
/// Gives Mono the facades that a bare installation lacks: netstandard.dll and the System.*.dll that only forward types to mscorlib, System and System.Core.
/// Libraries built for .NET Standard refer to them, and Debian's mono-runtime does not bring them.
/// </summary>
/// <remarks>
/// The package of .NET Framework's reference assemblies, with which the suite was compiled just before, holds the same facades. Mono refuses to run them for one reason: they carry
/// ReferenceAssemblyAttribute. In the copies made here their reference to that attribute's type has a name that begins one character later, so nothing else changes in the file and Mono takes
/// them for what they are, lists of forwarded types. They are made on the user's own machine and are only for the suite (<c>MONO_PATH</c>). Their strong names no longer match, which Mono does not verify.
/// </remarks>
public static class MonoFacades
{
    /// <summary>Name of the attribute for which Mono refuses an assembly.</summary>
    private const string RefusedName = "ReferenceAssemblyAttribute";

    /// <summary>Package that holds the facades.</summary>
    private const string Package = "Microsoft.NETFramework.ReferenceAssemblies.net472/";

    /// <summary>Creates the folder, in place of an earlier one.</summary>
    /// <param name="assetsFile">NuGet's project.assets.json of the build: says where the package lies.</param>
    /// <param name="folder">Folder to create.</param>
    /// <exception cref="PublishException">The package's facades are not to be found.</exception>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public static void Create(string assetsFile, string folder)
    {
        var source = FindSource(assetsFile) ?? throw new PublishException(
            "Mono has no netstandard.dll, and the package Microsoft.NETFramework.ReferenceAssemblies.net472, of which it could be made, is not named there",
            assetsFile,
            "install Mono's facades (/usr/lib/mono/4.5/Facades)");
        var temporary = $"{folder}.{Environment.ProcessId}.tmp";
        Directory.CreateDirectory(temporary);
        foreach (var file in Directory.EnumerateFiles(source, "*.dll"))
            File.WriteAllBytes(Path.Combine(temporary, Path.GetFileName(file)), Accepted(File.ReadAllBytes(file)));
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        Directory.Move(temporary, folder); // complete or not there
    }

    /// <summary>An assembly whose reference to the attribute's type has lost the first letter of its name; the same bytes when it has no such reference.</summary>
    /// <param name="assembly">Bytes of the assembly's file.</param>
    /// <remarks>Only the row of the reference changes (ECMA-335 II.22.38: scope, name, namespace). The name itself stays: other names may end in it and share its bytes.</remarks>
    public static byte[] Accepted(byte[] assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        using var file = new PEReader([.. assembly]);
        if (!file.HasMetadata)
            return assembly;
        var metadata = file.GetMetadataReader();
        var reference = metadata.TypeReferences.FirstOrDefault(candidate => metadata.StringComparer.Equals(metadata.GetTypeReference(candidate).Name, RefusedName));
        if (reference.IsNil)
            return assembly;

        var rowSize = metadata.GetTableRowSize(TableIndex.TypeRef);
        var indexSize = metadata.GetHeapSize(HeapIndex.String) > ushort.MaxValue ? sizeof(uint) : sizeof(ushort);
        var accepted = assembly.ToArray();
        var row = accepted.AsSpan(file.PEHeaders.MetadataStartOffset + metadata.GetTableMetadataOffset(TableIndex.TypeRef) + ((MetadataTokens.GetRowNumber(reference) - 1) * rowSize), rowSize);
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
            var package = assets.RootElement.GetProperty("libraries").EnumerateObject().FirstOrDefault(library => library.Name.StartsWith(Package, StringComparison.OrdinalIgnoreCase));
            if (package.Value.ValueKind != JsonValueKind.Object)
                return null;
            var path = package.Value.GetProperty("path").GetString()!;
            return assets.RootElement.GetProperty("packageFolders").EnumerateObject()
                .Select(folder => Path.Combine(folder.Name, path, "build", ".NETFramework", "v4.7.2", "Facades"))
                .FirstOrDefault(Directory.Exists);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException or JsonException or KeyNotFoundException)
        {
            return null;
        }
    }
}
