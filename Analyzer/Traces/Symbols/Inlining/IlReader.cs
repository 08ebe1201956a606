using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>Finds the calls in IL (ECMA-335, III).</summary>
internal static class IlReader
{
    /// <summary>Reads a method body.</summary>
    /// <param name="il">The instructions.</param>
    /// <param name="metadata">Metadata of the module.</param>
    /// <returns>The calls, and the other instructions that call the runtime.</returns>
    /// <exception cref="BadImageFormatException">The bytes are not IL, or refer to missing metadata.</exception>
    public static MethodCalls Read(BlobReader il, MetadataReader metadata)
    {
        var sites = new List<(int Offset, CallTarget Target)>();
        var (callsUnknown, hasLoop, isConstrained, throws, wasMade) = (false, false, false, false, false);
        var (allocations, thrown) = (0, 0);
        while (il.RemainingBytes > 0)
        {
            var isMade = false;
            var instruction = IlInstruction.Read(ref il);
            var code = instruction.OpCode;
            hasLoop |= instruction.BranchesBack;
            switch (code.OperandType)
            {
                case OperandType.InlineNone:
                    throws |= code == OpCodes.Throw || code == OpCodes.Rethrow;
                    thrown += wasMade && code == OpCodes.Throw ? 1 : 0;
                    break;
                case OperandType.InlineSig: // calli
                    callsUnknown = true;
                    break;
                // The pointer is called elsewhere: by a delegate or calli.
                case OperandType.InlineMethod when code != OpCodes.Ldftn && code != OpCodes.Ldvirtftn:
                    var method = MetadataTokens.EntityHandle((int)instruction.Operand);
                    isMade = code == OpCodes.Newobj && !CallTargets.IsOfValueType(metadata, method);
                    allocations += isMade || CallTargets.IsNative(metadata, method) ? 1 : 0;
                    var kind =
                        isConstrained ? CallKind.Constrained
                        : code == OpCodes.Callvirt ? CallKind.Virtual
                        : CallKind.Exact;
                    if (CallTargets.Find(metadata, method, kind) is { } target)
                        sites.Add((instruction.Offset, target));
                    else
                        callsUnknown = true;
                    break;
                default:
                    allocations += code == OpCodes.Newarr || code == OpCodes.Box ? 1 : 0;
                    break;
            }

            wasMade = isMade;
            isConstrained = code == OpCodes.Constrained || (isConstrained && code == OpCodes.Tailcall);
        }

        return new MethodCalls([.. sites.Select(site => site.Target).Distinct()], callsUnknown, il.Length, hasLoop)
        {
            Sites = sites,
            Allocates = allocations > 0,
            AllocatesToKeep = allocations > thrown,
            Throws = throws,
        };
    }
}
