using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Writes assemblies that a compiler would not write: any flags of references, any attributes.</summary>
/// <param name="name">Simple name.</param>
/// <param name="version">Version.</param>
public sealed class SyntheticAssembly(string name, string version)
{
    private readonly List<(string Name, string Version, byte[] Key, uint Flags)> _references = [];
    private readonly List<(string Namespace, string Name, byte[] Arguments)> _attributes = [];

    /// <summary>Its public key; empty for no strong name.</summary>
    public byte[] PublicKey { get; init; } = [];

    /// <summary>Methods with a body.</summary>
    public int Methods { get; init; } = 1;

    /// <summary>Machine type.</summary>
    public Machine Machine { get; init; } = Machine.I386;

    /// <summary>CorFlags besides those that are always set.</summary>
    public CorFlags Flags { get; init; } = CorFlags.ILOnly;

    /// <summary>Adds a reference.</summary>
    /// <param name="to">Simple name.</param>
    /// <param name="wanted">Version.</param>
    /// <param name="token">Public key token; empty for none.</param>
    /// <param name="flags">Flags in the table.</param>
    public SyntheticAssembly Reference(string to, string wanted, string token = "", uint flags = 0)
    {
        _references.Add((to, wanted, Convert.FromHexString(token), flags));
        return this;
    }

    /// <summary>Sets the target framework.</summary>
    public SyntheticAssembly BuiltFor(string framework) =>
        Attribute("System.Runtime.Versioning", "TargetFrameworkAttribute", Text(framework));

    /// <summary>Sets the configuration.</summary>
    public SyntheticAssembly Configured(string configuration) =>
        Attribute("System.Reflection", "AssemblyConfigurationAttribute", Text(configuration));

    /// <summary>DebuggableAttribute with modes.</summary>
    public SyntheticAssembly Debuggable(int modes) => Attribute("System.Diagnostics", "DebuggableAttribute", BitConverter.GetBytes(modes));

    /// <summary>DebuggableAttribute as in .NET Framework 1.1.</summary>
    public SyntheticAssembly Debuggable(bool isTracking, bool isUnoptimized) =>
        Attribute("System.Diagnostics", "DebuggableAttribute", [isTracking ? (byte)1 : (byte)0, isUnoptimized ? (byte)1 : (byte)0]);

    /// <summary>Makes it a reference assembly.</summary>
    public SyntheticAssembly ForCompilers() => Attribute("System.Runtime.CompilerServices", "ReferenceAssemblyAttribute", []);

    /// <summary>Writes the assembly into a folder.</summary>
    /// <returns>Path of the file.</returns>
    public string Write(string folder)
    {
        Directory.CreateDirectory(folder);
        var path = Path.Combine(folder, name + ".dll");
        File.WriteAllBytes(path, Bytes());
        return path;
    }

    /// <summary>The file.</summary>
    public byte[] Bytes()
    {
        var metadata = new MetadataBuilder();
        var code = new BlobBuilder();
        var mvid = new Guid(
            System.Security.Cryptography.SHA256.HashData(System.Text.Encoding.UTF8.GetBytes($"{name} {version} {Methods}"))[..16]
        ); // the same file each time
        metadata.AddModule(0, metadata.GetOrAddString(name + ".dll"), metadata.GetOrAddGuid(mvid), default, default);
        var assembly = metadata.AddAssembly(
            metadata.GetOrAddString(name),
            new Version(version),
            default,
            metadata.GetOrAddBlob(PublicKey),
            PublicKey.Length > 0 ? AssemblyFlags.PublicKey : 0,
            AssemblyHashAlgorithm.Sha1
        );
        var runtime = metadata.AddAssemblyReference(
            metadata.GetOrAddString("System.Runtime"),
            new Version(8, 0, 0, 0),
            default,
            metadata.GetOrAddBlob(Convert.FromHexString("b03f5f7f11d50a3a")),
            0,
            default
        );
        foreach (var reference in _references)
            metadata.AddAssemblyReference(
                metadata.GetOrAddString(reference.Name),
                new Version(reference.Version),
                default,
                metadata.GetOrAddBlob(reference.Key),
                (AssemblyFlags)reference.Flags,
                default
            );
        foreach (var attribute in _attributes)
            AddAttribute(metadata, assembly, runtime, attribute.Namespace, attribute.Name, attribute.Arguments);

        var bodies = new MethodBodyStreamEncoder(code);
        var empty = new InstructionEncoder(new BlobBuilder());
        empty.OpCode(ILOpCode.Ret);
        var nothing = Signature(metadata, signature => signature.MethodSignature().Parameters(0, type => type.Void(), _ => { }));
        for (var method = 0; method < Methods; method++)
        {
            metadata.AddMethodDefinition(
                MethodAttributes.Public | MethodAttributes.Static | MethodAttributes.HideBySig,
                MethodImplAttributes.IL,
                metadata.GetOrAddString($"Method{method}"),
                nothing,
                bodies.AddMethodBody(empty),
                MetadataTokens.ParameterHandle(1)
            );
        }

        metadata.AddTypeDefinition(
            default,
            default,
            metadata.GetOrAddString("<Module>"),
            default,
            MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1)
        );
        metadata.AddTypeDefinition(
            TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed,
            metadata.GetOrAddString(name),
            metadata.GetOrAddString("Type"),
            TypeReference(metadata, runtime, "System", "Object"),
            MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1)
        );
        var file = new BlobBuilder();
        new ManagedPEBuilder(
            new PEHeaderBuilder(Machine, imageCharacteristics: Characteristics.ExecutableImage | Characteristics.Dll),
            new MetadataRootBuilder(metadata),
            code,
            flags: Flags
        ).Serialize(file);
        return file.ToArray();
    }

    private SyntheticAssembly Attribute(string space, string type, byte[] arguments)
    {
        _attributes.Add((space, type, arguments));
        return this;
    }

    private static byte[] Text(string text)
    {
        var bytes = new BlobBuilder();
        bytes.WriteSerializedString(text);
        return bytes.ToArray();
    }

    /// <summary>The constructor's signature does not describe the arguments; readers of their bytes do not need it.</summary>
    private static void AddAttribute(
        MetadataBuilder metadata,
        AssemblyDefinitionHandle assembly,
        AssemblyReferenceHandle runtime,
        string space,
        string type,
        byte[] arguments
    )
    {
        var constructor = metadata.AddMemberReference(
            TypeReference(metadata, runtime, space, type),
            metadata.GetOrAddString(".ctor"),
            Signature(
                metadata,
                signature => signature.MethodSignature(isInstanceMethod: true).Parameters(0, returned => returned.Void(), _ => { })
            )
        );
        metadata.AddCustomAttribute(assembly, constructor, metadata.GetOrAddBlob((byte[])[1, 0, .. arguments, 0, 0]));
    }

    private static TypeReferenceHandle TypeReference(
        MetadataBuilder metadata,
        AssemblyReferenceHandle runtime,
        string space,
        string type
    ) => metadata.AddTypeReference(runtime, metadata.GetOrAddString(space), metadata.GetOrAddString(type));

    private static BlobHandle Signature(MetadataBuilder metadata, Action<BlobEncoder> write)
    {
        var bytes = new BlobBuilder();
        write(new BlobEncoder(bytes));
        return metadata.GetOrAddBlob(bytes);
    }
}
