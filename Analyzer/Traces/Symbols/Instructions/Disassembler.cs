using Iced.Intel;

namespace EtwSerializerProfiler.Traces.Symbols.Instructions;

/// <summary>Disassembles x64 code in Intel syntax.</summary>
internal static class Disassembler
{
    private const int Bits = 64;

    /// <summary>Disassembles a piece of code. The instructions cover all of its bytes; an invalid byte becomes a <c>db</c>.</summary>
    /// <param name="code">The bytes.</param>
    /// <param name="start">Address of the first one.</param>
    /// <param name="nameOf">The name of code at an address elsewhere; null for none.</param>
    public static IReadOnlyList<MachineInstruction> Read(byte[] code, ulong start, Func<ulong, string?> nameOf)
    {
        var formatter = new IntelFormatter(new Targets(start, (uint)code.Length, nameOf));
        formatter.Options.HexPrefix = "0x";
        formatter.Options.HexSuffix = null;
        formatter.Options.UppercaseHex = false;
        formatter.Options.SpaceAfterOperandSeparator = true;
        formatter.Options.BranchLeadingZeros = false;
        formatter.Options.ShowBranchSize = false;
        var text = new StringOutput();
        var found = new List<MachineInstruction>();
        for (var at = 0; at < code.Length;)
        {
            var decoder = Decoder.Create(Bits, new ByteArrayCodeReader(code, at, code.Length - at), start + (uint)at);
            while (at < code.Length)
            {
                decoder.Decode(out var instruction);
                if (instruction.IsInvalid)
                {
                    found.Add(new MachineInstruction((uint)at, 1, $"db 0x{code[at]:x2}"));
                    at++;
                    break;
                }

                formatter.Format(instruction, text);
                found.Add(new MachineInstruction((uint)at, (uint)instruction.Length, text.ToStringAndReset()));
                at += instruction.Length;
            }
        }

        return found;
    }

    /// <summary>A branch target: an offset inside the method, a name elsewhere.</summary>
    private sealed class Targets(ulong start, uint size, Func<ulong, string?> nameOf) : ISymbolResolver
    {
        public bool TryGetSymbol(
            in Instruction instruction,
            int operand,
            int instructionOperand,
            ulong address,
            int addressSize,
            out SymbolResult symbol
        )
        {
            var name =
                instruction.FlowControl == FlowControl.Next ? null
                : address - start < size ? $"+0x{address - start:x4}"
                : nameOf(address);
            symbol = name is null ? default : new SymbolResult(address, name);
            return name is not null;
        }
    }
}

/// <summary>An instruction of machine code.</summary>
/// <param name="Offset">Where it begins, from the method's first byte.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Text">The instruction.</param>
public readonly record struct MachineInstruction(uint Offset, uint Length, string Text);
