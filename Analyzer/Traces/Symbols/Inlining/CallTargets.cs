using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>Reads the methods that instructions name (ECMA-335, II.22 and II.23.2).</summary>
internal static class CallTargets
{
    /// <summary>Deeper nesting means damage: the table could contain a cycle.</summary>
    private const int DeepestNesting = 100;

    /// <summary>Finds the target of a token.</summary>
    /// <param name="metadata">Metadata of the module.</param>
    /// <param name="method">The token.</param>
    /// <param name="kind">How the instruction binds it.</param>
    /// <returns>The target; null where the instruction may run any method: delegates, reflection.</returns>
    /// <exception cref="BadImageFormatException">There is no such method.</exception>
    public static CallTarget? Find(MetadataReader metadata, EntityHandle method, CallKind kind)
    {
        if (method.Kind == HandleKind.MethodSpecification)
            method = metadata.GetMethodSpecification((MethodSpecificationHandle)method).Method;
        if (method.Kind == HandleKind.MethodDefinition)
        {
            var definition = metadata.GetMethodDefinition((MethodDefinitionHandle)method);
            var name = metadata.GetString(definition.Name);
            var type = definition.GetDeclaringType();
            if (name == "Invoke" && IsDelegate(metadata, type))
                return null;
            if (kind == CallKind.Virtual && (definition.Attributes & System.Reflection.MethodAttributes.Virtual) == 0)
                kind = CallKind.Exact; // compilers call any instance method by callvirt, because it checks for null
            return new CallTarget(TypeName(metadata, type), name, Parameters(metadata.GetBlobReader(definition.Signature)), kind);
        }

        if (method.Kind != HandleKind.MemberReference)
            throw new BadImageFormatException($"0x{MetadataTokens.GetToken(method):x8} is not a method");
        var reference = metadata.GetMemberReference((MemberReferenceHandle)method);
        var called = metadata.GetString(reference.Name);

        // Delegates of other modules are recognized by the method's name alone; MethodBase.Invoke may run any method, too.
        if (called == "Invoke" && !IsOwnClass(metadata, reference.Parent))
            return null;
        return new CallTarget(TypeName(metadata, reference.Parent), called, Parameters(metadata.GetBlobReader(reference.Signature)), kind);
    }

    /// <summary>
    /// Whether a method belongs to a value type, as far as the module shows: it does not for non-generic types of other modules.
    /// </summary>
    /// <exception cref="BadImageFormatException">There is no such method.</exception>
    public static bool IsOfValueType(MetadataReader metadata, EntityHandle method)
    {
        var type =
            method.Kind == HandleKind.MethodDefinition ? metadata.GetMethodDefinition((MethodDefinitionHandle)method).GetDeclaringType()
            : method.Kind == HandleKind.MemberReference ? metadata.GetMemberReference((MemberReferenceHandle)method).Parent
            : default;
        if (type.Kind == HandleKind.TypeSpecification)
        {
            var signature = metadata.GetBlobReader(metadata.GetTypeSpecification((TypeSpecificationHandle)type).Signature);
            return signature.ReadSignatureTypeCode() == SignatureTypeCode.GenericTypeInstance
                && signature.ReadCompressedInteger() == (int)SignatureTypeKind.ValueType;
        }

        return type.Kind == HandleKind.TypeDefinition
            && metadata.GetTypeDefinition((TypeDefinitionHandle)type).BaseType is { IsNil: false } baseType
            && TypeName(metadata, baseType) == "System.ValueType";
    }

    /// <summary>Whether a method of the module has no IL: its code is in the runtime or in a library.</summary>
    public static bool IsNative(MetadataReader metadata, EntityHandle method)
    {
        if (method.Kind == HandleKind.MethodSpecification)
            method = metadata.GetMethodSpecification((MethodSpecificationHandle)method).Method;
        return method.Kind == HandleKind.MethodDefinition
            && metadata.GetMethodDefinition((MethodDefinitionHandle)method) is { RelativeVirtualAddress: 0 } definition
            && (definition.Attributes & System.Reflection.MethodAttributes.Abstract) == 0;
    }

    /// <summary>Number of parameters in a method's signature.</summary>
    public static int Parameters(BlobReader signature)
    {
        var header = signature.ReadSignatureHeader();
        if (header.IsGeneric)
            signature.ReadCompressedInteger();
        return signature.ReadCompressedInteger();
    }

    /// <summary>
    /// Full name of a type definition as the runtime writes it, nested types after a plus; empty for arrays and type arguments.
    /// </summary>
    public static string TypeName(MetadataReader metadata, EntityHandle type, int depth = 0)
    {
        if (depth > DeepestNesting)
            throw new BadImageFormatException("types are nested in a cycle");
        switch (type.Kind)
        {
            case HandleKind.TypeDefinition:
                var definition = metadata.GetTypeDefinition((TypeDefinitionHandle)type);
                return Full(definition.GetDeclaringType(), definition.Namespace, definition.Name);
            case HandleKind.TypeReference:
                var reference = metadata.GetTypeReference((TypeReferenceHandle)type);
                return Full(
                    reference.ResolutionScope.Kind == HandleKind.TypeReference ? reference.ResolutionScope : default,
                    reference.Namespace,
                    reference.Name
                );
            case HandleKind.TypeSpecification:
                return Definition(metadata, (TypeSpecificationHandle)type) is { IsNil: false } generic
                    ? TypeName(metadata, generic, depth + 1)
                    : "";
            default:
                return "";
        }

        string Full(EntityHandle outer, StringHandle space, StringHandle name) =>
            !outer.IsNil ? $"{TypeName(metadata, outer, depth + 1)}+{metadata.GetString(name)}"
            : space.IsNil ? metadata.GetString(name)
            : $"{metadata.GetString(space)}.{metadata.GetString(name)}";
    }

    /// <summary>The generic definition that a signature of a type instantiates; nil for other types.</summary>
    private static EntityHandle Definition(MetadataReader metadata, TypeSpecificationHandle type)
    {
        var signature = metadata.GetBlobReader(metadata.GetTypeSpecification(type).Signature);
        if (signature.ReadSignatureTypeCode() != SignatureTypeCode.GenericTypeInstance)
            return default;
        signature.ReadCompressedInteger(); // class or value type
        return signature.ReadTypeHandle();
    }

    private static bool IsOwnClass(MetadataReader metadata, EntityHandle type)
    {
        if (type.Kind == HandleKind.TypeSpecification)
            type = Definition(metadata, (TypeSpecificationHandle)type);
        return type.Kind == HandleKind.TypeDefinition && !IsDelegate(metadata, (TypeDefinitionHandle)type);
    }

    private static bool IsDelegate(MetadataReader metadata, TypeDefinitionHandle type) =>
        metadata.GetTypeDefinition(type).BaseType is { IsNil: false } baseType
        && TypeName(metadata, baseType) == "System.MulticastDelegate";
}
