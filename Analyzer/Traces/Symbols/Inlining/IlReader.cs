using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>Reads calls out of IL (ECMA-335, III).</summary>
internal static class IlReader
{
    private const int TwoBytes = 0xFE;

    /// <summary>Kinds of operands by opcode: those of one byte, then those behind 0xFE.</summary>
    private static readonly OperandType?[] s_operands = Operands();

    /// <summary>Reads a method body.</summary>
    /// <param name="il">The instructions.</param>
    /// <param name="metadata">Metadata of the module.</param>
    /// <returns>The calls, and what else the runtime is called for.</returns>
    /// <exception cref="BadImageFormatException">The bytes are no IL, or name what the metadata lacks.</exception>
    public static MethodCalls Read(BlobReader il, MetadataReader metadata)
    {
        var sites = new List<(int Offset, CallTarget Target)>();
        var (callsUnknown, hasLoop, isConstrained, throws, wasMade) = (false, false, false, false, false);
        var (allocations, thrown) = (0, 0);
        while (il.RemainingBytes > 0)
        {
            var isMade = false;
            var start = il.Offset;
            int code = il.ReadByte();
            if (code == TwoBytes)
                code = 0x100 | il.ReadByte();
            switch (s_operands[code] ?? throw new BadImageFormatException($"no instruction 0x{code:x} at {start}"))
            {
                case OperandType.InlineNone:
                    throws |= Is(code, OpCodes.Throw) || Is(code, OpCodes.Rethrow);
                    thrown += wasMade && Is(code, OpCodes.Throw) ? 1 : 0;
                    break;
                case OperandType.ShortInlineBrTarget:
                    hasLoop |= il.ReadSByte() < 0;
                    break;
                case OperandType.InlineBrTarget:
                    hasLoop |= il.ReadInt32() < 0;
                    break;
                case OperandType.ShortInlineI or OperandType.ShortInlineVar:
                    il.ReadByte();
                    break;
                case OperandType.InlineVar:
                    il.ReadInt16();
                    break;
                case OperandType.InlineI8 or OperandType.InlineR:
                    il.ReadInt64();
                    break;
                case OperandType.InlineSwitch:
                    for (var cases = il.ReadUInt32(); cases > 0; cases--)
                        hasLoop |= il.ReadInt32() < 0;
                    break;
                case OperandType.InlineSig: // calli
                    il.ReadInt32();
                    callsUnknown = true;
                    break;
                case OperandType.InlineMethod when !Is(code, OpCodes.Ldftn) && !Is(code, OpCodes.Ldvirtftn): // their pointer is called elsewhere: by a delegate, by calli
                    var method = MetadataTokens.EntityHandle(il.ReadInt32());
                    isMade = Is(code, OpCodes.Newobj) && !CallTargets.IsOfValueType(metadata, method);
                    allocations += isMade || CallTargets.IsNative(metadata, method) ? 1 : 0;
                    var kind = isConstrained ? CallKind.Constrained : Is(code, OpCodes.Callvirt) ? CallKind.Virtual : CallKind.Exact;
                    if (CallTargets.Find(metadata, method, kind) is { } target)
                        sites.Add((start, target));
                    else
                        callsUnknown = true;
                    break;
                default:
                    il.ReadInt32();
                    allocations += Is(code, OpCodes.Newarr) || Is(code, OpCodes.Box) ? 1 : 0;
                    break;
            }

            wasMade = isMade;
            isConstrained = Is(code, OpCodes.Constrained) || (isConstrained && Is(code, OpCodes.Tailcall));
        }

        return new MethodCalls([.. sites.Select(site => site.Target).Distinct()], callsUnknown, il.Length, hasLoop) { Sites = sites, Allocates = allocations > 0, AllocatesToKeep = allocations > thrown, Throws = throws };
    }

    private static bool Is(int code, OpCode opcode) => code == Place(opcode);

    /// <summary>The values of opcodes of two bytes are negative: 0xFExx.</summary>
    private static int Place(OpCode opcode) => opcode.Size == 1 ? opcode.Value : 0x100 | (opcode.Value & 0xFF);

    private static OperandType?[] Operands()
    {
        var operands = new OperandType?[0x200];
        foreach (var field in typeof(OpCodes).GetFields())
        {
            if (field.GetValue(null) is OpCode opcode)
                operands[Place(opcode)] = opcode.OperandType;
        }

        return operands;
    }
}
