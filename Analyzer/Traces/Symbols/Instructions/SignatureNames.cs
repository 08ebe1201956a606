using System.Collections.Immutable;
using System.Reflection.Metadata;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Symbols.Instructions;

/// <summary>
/// Names types in signatures as ILDasm does: <c>int32</c>, <c>System.String[]</c>, <c>!0</c> for the first type argument of a type,
/// <c>!!0</c> for that of a method.
/// </summary>
internal sealed class SignatureNames : ISignatureTypeProvider<string, object?>
{
    /// <summary>Deeper nesting means damage: the tables could contain a cycle.</summary>
    private const int MaxNesting = 50;

    private int _depth;

    public string GetPrimitiveType(PrimitiveTypeCode typeCode) =>
        typeCode switch
        {
            PrimitiveTypeCode.Boolean => "bool",
            PrimitiveTypeCode.SByte => "int8",
            PrimitiveTypeCode.Byte => "uint8",
            PrimitiveTypeCode.Single => "float32",
            PrimitiveTypeCode.Double => "float64",
            PrimitiveTypeCode.IntPtr => "native int",
            PrimitiveTypeCode.UIntPtr => "native uint",
            PrimitiveTypeCode.TypedReference => "typedref",
            _ => typeCode.ToString().ToLowerInvariant(),
        };

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
        CallTargets.TypeName(reader, handle);

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
        CallTargets.TypeName(reader, handle);

    public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind)
    {
        if (_depth >= MaxNesting)
            throw new BadImageFormatException("types are nested in a cycle");
        _depth++;
        try
        {
            return reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);
        }
        finally
        {
            _depth--;
        }
    }

    public string GetSZArrayType(string elementType) => elementType + "[]";

    public string GetArrayType(string elementType, ArrayShape shape) =>
        $"{elementType}[{new string(',', Math.Clamp(shape.Rank, 1, 32) - 1)}]";

    public string GetByReferenceType(string elementType) => elementType + "&";

    public string GetPointerType(string elementType) => elementType + "*";

    public string GetPinnedType(string elementType) => elementType;

    public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => unmodifiedType;

    public string GetFunctionPointerType(MethodSignature<string> signature) =>
        $"{signature.ReturnType}*({string.Join(", ", signature.ParameterTypes)})";

    public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments) =>
        $"{genericType}<{string.Join(", ", typeArguments)}>";

    public string GetGenericMethodParameter(object? genericContext, int index) => $"!!{index}";

    public string GetGenericTypeParameter(object? genericContext, int index) => $"!{index}";
}
