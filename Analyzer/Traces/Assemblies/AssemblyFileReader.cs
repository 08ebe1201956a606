using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;

namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>Reads facts about assemblies with System.Reflection.Metadata, without loading their code.</summary>
public static class AssemblyFileReader
{
    /// <summary>
    /// Signature of a ReadyToRun header: "RTR" and a zero (docs/design/coreclr/botr/readytorun-format.md of dotnet/runtime).
    /// </summary>
    private const uint ReadyToRunSignature = 0x0052_5452;

    /// <summary>Value of DebuggableAttribute.DebuggingModes.DisableOptimizations.</summary>
    private const int DisableOptimizations = 0x100;

    /// <summary>
    /// Numbers that are XORed with machine types: Windows, Linux, Apple, FreeBSD (src/coreclr/inc/pedecoder.h of dotnet/runtime).
    /// </summary>
    private static readonly ushort[] s_systems = [0, 0x7B79, 0x4644, 0xADC4];

    /// <summary>Bytes of a public key token.</summary>
    private const int TokenBytes = 8;

    /// <summary>
    /// Reads a file. For a damaged file, or one that is not an assembly, it returns an <see cref="AssemblyFile"/> with the problem.
    /// </summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static AssemblyFile Read(string path)
    {
        using var stream = File.OpenRead(path);
        try
        {
            using var reader = new PEReader(stream);
            if (!reader.HasMetadata)
                return new AssemblyFile(path, AssemblyKind.Native) { Architecture = OfMachine(reader.PEHeaders.CoffHeader.Machine) };
            return Read(path, reader);
        }
        catch (Exception exception)
            when (exception
                    is BadImageFormatException
                        or InvalidOperationException
                        or OverflowException
                        or ArgumentException
                        or CryptographicException
            )
        {
            return new AssemblyFile(path, AssemblyKind.Unreadable) { Problem = exception.Message.ReplaceLineEndings(" ").TrimEnd('.') };
        }
    }

    private static AssemblyFile Read(string path, PEReader reader)
    {
        var metadata = reader.GetMetadataReader();
        var headers = reader.PEHeaders;
        var methods = metadata.MethodDefinitions.Count(handle => metadata.GetMethodDefinition(handle).RelativeVirtualAddress != 0);
        var file = new AssemblyFile(path, metadata.IsAssembly ? AssemblyKind.Managed : AssemblyKind.Module)
        {
            References = [.. metadata.AssemblyReferences.Select(handle => Reference(metadata, metadata.GetAssemblyReference(handle)))],
            Code = CodeOf(reader, methods),
            Architecture = Of(headers),
            IsProgram = headers.IsExe,
            ModuleId = metadata.GetGuid(metadata.GetModuleDefinition().Mvid),
            Methods = methods,
        };
        if (!metadata.IsAssembly)
            return file;
        var assembly = metadata.GetAssemblyDefinition();
        file = file with
        {
            Identity = new AssemblyIdentity(
                metadata.GetString(assembly.Name),
                assembly.Version,
                metadata.GetString(assembly.Culture),
                Token(metadata.GetBlobBytes(assembly.PublicKey), isKey: true)
            ),
        };
        foreach (var attribute in assembly.GetCustomAttributes().Select(metadata.GetCustomAttribute))
            file = With(file, metadata, attribute);
        return file;
    }

    private static AssemblyReferenceEntry Reference(MetadataReader metadata, AssemblyReference reference)
    {
        var flags = (uint)reference.Flags;
        var key = metadata.GetBlobBytes(reference.PublicKeyOrToken);
        return new AssemblyReferenceEntry(
            new AssemblyIdentity(
                metadata.GetString(reference.Name),
                reference.Version,
                metadata.GetString(reference.Culture),
                Token(key, isKey: (flags & AssemblyReferenceFlags.PublicKey) != 0)
            ),
            flags
        );
    }

    /// <summary>
    /// Adds the facts of one attribute of the assembly. Decodes its arguments only as far as needed; ignores a damaged attribute.
    /// </summary>
    private static AssemblyFile With(AssemblyFile file, MetadataReader metadata, CustomAttribute attribute)
    {
        var name = TypeName(metadata, attribute.Constructor);
        var value = metadata.GetBlobReader(attribute.Value);
        if (value.Length < sizeof(ushort) || value.ReadUInt16() != 1) // the prolog of ECMA-335 II.23.3
            return file;
        switch (name)
        {
            case "System.Runtime.Versioning.TargetFrameworkAttribute":
                return file with { TargetFramework = value.ReadSerializedString() ?? "" };
            case "System.Reflection.AssemblyConfigurationAttribute":
                return file with { Configuration = value.ReadSerializedString() ?? "" };
            case "System.Runtime.CompilerServices.ReferenceAssemblyAttribute":
                return file with { IsReferenceAssembly = true };
            case "System.Diagnostics.DebuggableAttribute":
                return file with { DisablesOptimizations = IsUnoptimized(ref value) };
            default:
                return file;
        }
    }

    /// <summary>
    /// Reads the arguments of DebuggableAttribute. Its constructors take the modes (an int), or whether the JIT tracks and whether its
    /// optimizer is disabled (two bools).
    /// </summary>
    private static bool IsUnoptimized(ref BlobReader value) =>
        value.RemainingBytes >= 6
            ? (value.ReadInt32() & DisableOptimizations) != 0
            : value.RemainingBytes >= 2 && value.ReadUInt16() >> 8 != 0;

    private static string TypeName(MetadataReader metadata, EntityHandle constructor)
    {
        var type = constructor.Kind switch
        {
            HandleKind.MemberReference => metadata.GetMemberReference((MemberReferenceHandle)constructor).Parent,
            HandleKind.MethodDefinition => metadata.GetMethodDefinition((MethodDefinitionHandle)constructor).GetDeclaringType(),
            _ => default,
        };
        return type.Kind switch
        {
            HandleKind.TypeReference when metadata.GetTypeReference((TypeReferenceHandle)type) is var found =>
                $"{metadata.GetString(found.Namespace)}.{metadata.GetString(found.Name)}",
            HandleKind.TypeDefinition when metadata.GetTypeDefinition((TypeDefinitionHandle)type) is var found =>
                $"{metadata.GetString(found.Namespace)}.{metadata.GetString(found.Name)}",
            _ => "",
        };
    }

    /// <summary>Token of a public key: the last 8 bytes of its SHA-1 hash, in reverse order (ECMA-335 II.6.3).</summary>
    private static string Token(byte[] bytes, bool isKey)
    {
        if (bytes.Length == 0)
            return "";
        if (!isKey)
            return Convert.ToHexStringLower(bytes);
#pragma warning disable CA5350 // the format requires SHA-1, which protects nothing here
        var token = SHA1.HashData(bytes)[^TokenBytes..];
#pragma warning restore CA5350
        Array.Reverse(token);
        return Convert.ToHexStringLower(token);
    }

    private static AssemblyCode CodeOf(PEReader reader, int methods)
    {
        var header = reader.PEHeaders.CorHeader!;
        if (header.ManagedNativeHeaderDirectory is { Size: > 0 } directory)
        {
            var section = reader.GetSectionData(directory.RelativeVirtualAddress);
            return section.Length >= sizeof(uint) && section.GetReader().ReadUInt32() == ReadyToRunSignature
                ? AssemblyCode.ReadyToRun
                : AssemblyCode.Ngen;
        }

        if ((header.Flags & CorFlags.ILOnly) == 0)
            return AssemblyCode.Mixed;
        return methods > 0 ? AssemblyCode.Il : AssemblyCode.None;
    }

    private static AssemblyArchitecture Of(PEHeaders headers)
    {
        var flags = headers.CorHeader!.Flags;
        if (headers.CoffHeader.Machine != Machine.I386)
            return OfMachine(headers.CoffHeader.Machine);
        return (flags & CorFlags.Prefers32Bit) != 0 || (flags & (CorFlags.ILOnly | CorFlags.Requires32Bit)) == CorFlags.ILOnly
            ? AssemblyArchitecture.AnyCpu
            : AssemblyArchitecture.X86;
    }

    /// <summary>
    /// Architecture of a machine type. In precompiled code for other systems than Windows, the processor's machine type is XORed with a
    /// number for the system.
    /// </summary>
    internal static AssemblyArchitecture OfMachine(Machine machine) =>
        s_systems
            .Select(system => (Machine)((ushort)machine ^ system))
            .Select(known =>
                known switch
                {
                    Machine.I386 => AssemblyArchitecture.X86,
                    Machine.Amd64 => AssemblyArchitecture.X64,
                    Machine.Arm or Machine.ArmThumb2 => AssemblyArchitecture.Arm,
                    Machine.Arm64 => AssemblyArchitecture.Arm64,
                    _ => AssemblyArchitecture.Unknown,
                }
            )
            .FirstOrDefault(architecture => architecture != AssemblyArchitecture.Unknown);
}
