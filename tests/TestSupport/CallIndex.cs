using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>What the methods of some assemblies call, by name. Independent of the analyzer's own IL reader, which it checks.</summary>
public sealed class CallIndex : IDisposable
{
    private readonly Dictionary<string, Assembly?> _assemblies;

    /// <summary>Opens assemblies.</summary>
    /// <param name="paths">Their files.</param>
    public CallIndex(IEnumerable<string> paths) =>
        _assemblies = paths
            .Where(File.Exists)
            .DistinctBy(Path.GetFileName)
            .ToDictionary(path => Path.GetFileName(path), path => Assembly.Open(path));

    /// <inheritdoc />
    public void Dispose()
    {
        foreach (var assembly in _assemblies.Values)
            assembly?.Dispose();
    }

    /// <summary>Whether a method can call another one directly.</summary>
    /// <param name="caller">Module and full name of the caller, type arguments included.</param>
    /// <param name="callee">The same of the callee.</param>
    /// <returns>Null when one of them has no metadata.</returns>
    public bool? CanCall((string Module, string Name) caller, (string Module, string Name) callee)
    {
        if (Find(caller) is not { Count: > 0 } callers || Find(callee) is not { Count: > 0 } callees)
            return null;
        var (type, name) = (callees[0].Type, callees[0].Name);
        if (name == ".cctor" || IsHelper(type, name))
            return true; // the runtime calls it for other instructions than calls
        foreach (var body in callers)
        {
            if (body.IsUnknown || body.Calls.Exists(call => Reaches(call, type, name)))
                return true;
        }

        return false;
    }

    private static bool Reaches(Call call, string type, string name)
    {
        if (call.Name == ".ctor" && name.StartsWith("Ctor", StringComparison.Ordinal))
            return type is "System.String" or "System.MulticastDelegate";
        var isSameName = call.Name == name || (call.IsVirtual && name.EndsWith("." + call.Name, StringComparison.Ordinal));
        return isSameName && (call.IsVirtual || call.Type == type);
    }

    private static bool IsHelper(string type, string name) =>
        type
            is "System.Runtime.CompilerServices.CastHelpers"
                or "System.Runtime.CompilerServices.InitHelpers"
                or "System.Runtime.CompilerServices.StaticsHelpers"
                or "System.Runtime.CompilerServices.GenericsHelpers"
                or "System.Runtime.CompilerServices.VirtualDispatchHelpers"
                or "System.StubHelpers.StubHelpers"
                or "Internal.Runtime.CompilerHelpers.ThrowHelpers"
                or "System.Runtime.EH"
        || (type, name)
            is
                ("System.SpanHelpers", "Fill" or "ClearWithoutReferences" or "Memmove")
                or
                ("System.Buffer", "MemCopyGC" or "BulkMoveWithWriteBarrier")
                or
                ("System.RuntimeTypeHandle", "GetRuntimeTypeFromHandle" or "GetRuntimeTypeFromHandleMaybeNull")
                or
                ("System.Threading.Thread", "PollGC")
                or
                ("System.Array", "Ctor");

    /// <summary>All overloads of a method.</summary>
    private List<Body>? Find((string Module, string Name) method)
    {
        if (_assemblies.GetValueOrDefault(method.Module) is not { } assembly)
            return null;
        var name = WithoutArguments(method.Name);
        for (var dot = name.LastIndexOf('.'); dot > 0; dot = name.LastIndexOf('.', dot - 1))
        {
            var split = dot > 0 && name[dot - 1] == '.' ? dot - 1 : dot; // ..ctor
            if (assembly.Bodies(name[..split], name[(split + 1)..]) is { Count: > 0 } bodies)
                return bodies;
        }

        return null;
    }

    private static string WithoutArguments(string name)
    {
        var text = new StringBuilder();
        var depth = 0;
        foreach (var character in name)
        {
            depth += character == '[' ? 1 : 0;
            if (depth == 0)
                text.Append(character);
            depth -= character == ']' ? 1 : 0;
        }

        return text.ToString();
    }

    private sealed record Call(string Type, string Name, bool IsVirtual);

    private sealed record Body(string Type, string Name, List<Call> Calls, bool IsUnknown);

    private sealed class Assembly : IDisposable
    {
        private readonly PEReader _file;
        private readonly MetadataReader _metadata;
        private readonly Dictionary<(string, string), List<MethodDefinitionHandle>> _methods = [];
        private readonly Dictionary<(string, string), List<Body>> _bodies = [];

        private Assembly(PEReader file)
        {
            _file = file;
            _metadata = file.GetMetadataReader();
            foreach (var handle in _metadata.MethodDefinitions)
            {
                var method = _metadata.GetMethodDefinition(handle);
                var key = (TypeName(method.GetDeclaringType()), _metadata.GetString(method.Name));
                if (!_methods.TryGetValue(key, out var overloads))
                    _methods.Add(key, overloads = []);
                overloads.Add(handle);
            }
        }

        public static Assembly? Open(string path)
        {
            var file = new PEReader(File.OpenRead(path));
            if (file.HasMetadata)
                return new Assembly(file);
            file.Dispose();
            return null;
        }

        public void Dispose() => _file.Dispose();

        public List<Body> Bodies(string type, string name)
        {
            if (!_bodies.TryGetValue((type, name), out var bodies))
                _bodies.Add(
                    (type, name),
                    bodies = [.. _methods.GetValueOrDefault((type, name), []).Select(method => Read(method, type, name))]
                );
            return bodies;
        }

        private Body Read(MethodDefinitionHandle handle, string type, string name)
        {
            var calls = new List<Call>();
            var method = _metadata.GetMethodDefinition(handle);
            if (method.RelativeVirtualAddress == 0)
                return new Body(type, name, calls, IsUnknown: (method.Attributes & MethodAttributes.Abstract) == 0);
            var il = _file.GetMethodBody(method.RelativeVirtualAddress).GetILReader();
            var (isUnknown, isConstrained) = (false, false);
            while (il.RemainingBytes > 0)
            {
                var code = (ILOpCode)il.ReadByte();
                if ((int)code == 0xFE)
                    code = (ILOpCode)(0xFE00 | il.ReadByte());
                switch (code)
                {
                    case ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj or ILOpCode.Jmp:
                        var called = Named(MetadataTokens.EntityHandle(il.ReadInt32()), code == ILOpCode.Callvirt || isConstrained);
                        calls.Add(called);
                        isUnknown |= called.Name == "Invoke";
                        break;
                    case ILOpCode.Calli:
                        il.ReadInt32();
                        isUnknown = true;
                        break;
                    case ILOpCode.Switch:
                        for (var cases = il.ReadInt32(); cases > 0; cases--)
                            il.ReadInt32();
                        break;
                    default:
                        il.Offset += OperandBytes(code);
                        break;
                }

                isConstrained = code == ILOpCode.Constrained;
            }

            return new Body(type, name, calls, isUnknown);
        }

        /// <summary>Bytes after an instruction that neither calls nor is a switch (ECMA-335, III.1.9).</summary>
        private static int OperandBytes(ILOpCode code) =>
            code switch
            {
                ILOpCode.Ldc_i8 or ILOpCode.Ldc_r8 => 8,
                ILOpCode.Ldarg_s
                or ILOpCode.Ldarga_s
                or ILOpCode.Starg_s
                or ILOpCode.Ldloc_s
                or ILOpCode.Ldloca_s
                or ILOpCode.Stloc_s
                or ILOpCode.Ldc_i4_s
                or ILOpCode.Unaligned => 1,
                (ILOpCode)0xFE19 => 1, // no.
                ILOpCode.Ldarg or ILOpCode.Ldarga or ILOpCode.Starg or ILOpCode.Ldloc or ILOpCode.Ldloca or ILOpCode.Stloc => 2,
                >= ILOpCode.Br_s and <= ILOpCode.Blt_un_s or ILOpCode.Leave_s => 1,
                >= ILOpCode.Br and <= ILOpCode.Blt_un or ILOpCode.Leave => 4,
                ILOpCode.Ldc_i4
                or ILOpCode.Ldc_r4
                or ILOpCode.Cpobj
                or ILOpCode.Ldobj
                or ILOpCode.Ldstr
                or ILOpCode.Castclass
                or ILOpCode.Isinst
                or ILOpCode.Unbox
                or ILOpCode.Ldfld
                or ILOpCode.Ldflda
                or ILOpCode.Stfld
                or ILOpCode.Ldsfld
                or ILOpCode.Ldsflda
                or ILOpCode.Stsfld
                or ILOpCode.Stobj
                or ILOpCode.Box
                or ILOpCode.Newarr
                or ILOpCode.Ldelema
                or ILOpCode.Ldelem
                or ILOpCode.Stelem
                or ILOpCode.Unbox_any
                or ILOpCode.Refanyval
                or ILOpCode.Mkrefany
                or ILOpCode.Ldtoken
                or ILOpCode.Ldftn
                or ILOpCode.Ldvirtftn
                or ILOpCode.Initobj
                or ILOpCode.Constrained
                or ILOpCode.Sizeof => 4,
                _ => 0,
            };

        private Call Named(EntityHandle method, bool isVirtual)
        {
            if (method.Kind == HandleKind.MethodSpecification)
                method = _metadata.GetMethodSpecification((MethodSpecificationHandle)method).Method;
            if (method.Kind == HandleKind.MethodDefinition)
            {
                var definition = _metadata.GetMethodDefinition((MethodDefinitionHandle)method);
                return new Call(TypeName(definition.GetDeclaringType()), _metadata.GetString(definition.Name), isVirtual);
            }

            var reference = _metadata.GetMemberReference((MemberReferenceHandle)method);
            return new Call(TypeName(reference.Parent), _metadata.GetString(reference.Name), isVirtual);
        }

        private string TypeName(EntityHandle type)
        {
            switch (type.Kind)
            {
                case HandleKind.TypeDefinition:
                    var definition = _metadata.GetTypeDefinition((TypeDefinitionHandle)type);
                    return Join(definition.GetDeclaringType(), definition.Namespace, definition.Name);
                case HandleKind.TypeReference:
                    var reference = _metadata.GetTypeReference((TypeReferenceHandle)type);
                    return Join(
                        reference.ResolutionScope.Kind == HandleKind.TypeReference ? reference.ResolutionScope : default,
                        reference.Namespace,
                        reference.Name
                    );
                case HandleKind.TypeSpecification:
                    var signature = _metadata.GetBlobReader(_metadata.GetTypeSpecification((TypeSpecificationHandle)type).Signature);
                    if (signature.ReadByte() != (byte)SignatureTypeCode.GenericTypeInstance)
                        return "";
                    signature.ReadByte();
                    return TypeName(signature.ReadTypeHandle());
                default:
                    return "";
            }
        }

        private string Join(EntityHandle outer, StringHandle space, StringHandle name)
        {
            var own = _metadata.GetString(name);
            return !outer.IsNil ? $"{TypeName(outer)}+{own}"
                : space.IsNil ? own
                : $"{_metadata.GetString(space)}.{own}";
        }
    }
}
