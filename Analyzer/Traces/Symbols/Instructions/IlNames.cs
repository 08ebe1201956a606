using System.Globalization;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Text;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Symbols.Instructions;

/// <summary>Formats IL instructions, with names for the tokens of a module's metadata.</summary>
/// <param name="metadata">Metadata of the module.</param>
internal sealed class IlNames(MetadataReader metadata)
{
    /// <summary>Longer strings are cut: the beginning identifies them.</summary>
    private const int MaxStringLength = 60;

    private readonly SignatureNames _types = new();

    /// <summary>The instruction: opcode and operand.</summary>
    public string Text(in IlInstruction instruction)
    {
        var operand = Operand(instruction);
        return operand.Length == 0 ? instruction.OpCode.Name! : $"{instruction.OpCode.Name} {operand}";
    }

    /// <summary>An IL offset as ILDasm writes it.</summary>
    public static string Label(int offset) => string.Create(CultureInfo.InvariantCulture, $"IL_{offset:x4}");

    private string Operand(in IlInstruction instruction)
    {
        var operand = instruction.Operand;
        switch (instruction.OpCode.OperandType)
        {
            case OperandType.InlineNone:
                return "";
            case OperandType.InlineBrTarget or OperandType.ShortInlineBrTarget:
                return Label(instruction.Target(operand));
            case OperandType.InlineSwitch:
                var text = new StringBuilder("(");
                foreach (var distance in instruction.Cases!)
                    text.Append(text.Length > 1 ? ", " : "").Append(Label(instruction.Target(distance)));
                return text.Append(')').ToString();
            case OperandType.InlineR:
                return BitConverter.Int64BitsToDouble(operand).ToString("R", CultureInfo.InvariantCulture);
            case OperandType.ShortInlineR:
                return BitConverter.Int32BitsToSingle((int)operand).ToString("R", CultureInfo.InvariantCulture);
            case OperandType.InlineString:
                return String((int)operand);
            case OperandType.InlineMethod
            or OperandType.InlineField
            or OperandType.InlineType
            or OperandType.InlineTok
            or OperandType.InlineSig:
                return Token((int)operand);
            default:
                return operand.ToString(CultureInfo.InvariantCulture);
        }
    }

    private string String(int token)
    {
        try
        {
            var text = metadata.GetUserString((UserStringHandle)MetadataTokens.Handle(token));
            var shown = text.Length > MaxStringLength ? string.Concat(text.AsSpan(0, MaxStringLength), "…") : text;
            return $"\"{string.Concat(shown.Select(letter => letter is '"' or '\\' ? $"\\{letter}" : char.IsControl(letter) || char.IsSurrogate(letter) ? $"\\u{(int)letter:x4}" : letter.ToString()))}\"";
        }
        catch (Exception exception) when (ImageErrors.Is(exception) || exception is InvalidCastException)
        {
            return Unnamed(token);
        }
    }

    private string Token(int token)
    {
        try
        {
            return Name(MetadataTokens.EntityHandle(token));
        }
        catch (Exception exception) when (ImageErrors.Is(exception) || exception is InvalidCastException)
        {
            return Unnamed(token);
        }
    }

    private static string Unnamed(int token) => $"0x{token:x8}";

    private string Name(EntityHandle handle)
    {
        switch (handle.Kind)
        {
            case HandleKind.MethodDefinition:
                var method = metadata.GetMethodDefinition((MethodDefinitionHandle)handle);
                return $"{Type(method.GetDeclaringType())}::{metadata.GetString(method.Name)}{Parameters(method.DecodeSignature(_types, null))}";
            case HandleKind.MethodSpecification:
                var instance = metadata.GetMethodSpecification((MethodSpecificationHandle)handle);
                var generic = Name(instance.Method);
                var end = generic.IndexOf('(', generic.IndexOf("::", StringComparison.Ordinal));
                return generic.Insert(end, $"<{string.Join(", ", instance.DecodeSignature(_types, null))}>");
            case HandleKind.MemberReference:
                var member = metadata.GetMemberReference((MemberReferenceHandle)handle);
                var name = $"{Type(member.Parent)}::{metadata.GetString(member.Name)}";
                return member.GetKind() == MemberReferenceKind.Method
                    ? name + Parameters(member.DecodeMethodSignature(_types, null))
                    : name;
            case HandleKind.FieldDefinition:
                var field = metadata.GetFieldDefinition((FieldDefinitionHandle)handle);
                return $"{Type(field.GetDeclaringType())}::{metadata.GetString(field.Name)}";
            case HandleKind.StandaloneSignature:
                return _types.GetFunctionPointerType(
                    metadata.GetStandaloneSignature((StandaloneSignatureHandle)handle).DecodeMethodSignature(_types, null)
                );
            default:
                return Type(handle) is { Length: > 0 } type ? type : Unnamed(MetadataTokens.GetToken(handle));
        }
    }

    private static string Parameters(MethodSignature<string> signature) => $"({string.Join(", ", signature.ParameterTypes)})";

    private string Type(EntityHandle handle) =>
        handle.Kind == HandleKind.TypeSpecification
            ? _types.GetTypeFromSpecification(metadata, null, (TypeSpecificationHandle)handle, 0)
            : CallTargets.TypeName(metadata, handle);
}
