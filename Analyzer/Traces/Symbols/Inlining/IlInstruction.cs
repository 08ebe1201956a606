using System.Reflection.Emit;
using System.Reflection.Metadata;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>An instruction of IL (ECMA-335, III).</summary>
/// <param name="Offset">Its offset in the method's IL.</param>
/// <param name="Length">Bytes, operand included.</param>
/// <param name="OpCode">What it does.</param>
/// <param name="Operand">
/// Its operand as a signed number: a token, a branch distance, the bits of a constant, the number of switch cases; 0 for none.
/// </param>
internal readonly record struct IlInstruction(int Offset, int Length, OpCode OpCode, long Operand)
{
    private const int TwoBytes = 0xFE;

    /// <summary>Opcodes of one byte, then those after 0xFE.</summary>
    private static readonly OpCode?[] s_opcodes = OpCodesByPlace();

    /// <summary>Distances of a switch's cases; null for other instructions.</summary>
    public int[]? Cases { get; private init; }

    /// <summary>Whether it can branch to an instruction before its end.</summary>
    public bool BranchesBack =>
        Cases is { } cases
            ? Array.Exists(cases, distance => distance < 0)
            : OpCode.OperandType is OperandType.InlineBrTarget or OperandType.ShortInlineBrTarget && Operand < 0;

    /// <summary>Target offset of a branch.</summary>
    public int Target(long distance) => Offset + Length + (int)distance;

    /// <summary>Reads the next instruction.</summary>
    /// <exception cref="BadImageFormatException">The bytes are not IL.</exception>
    public static IlInstruction Read(ref BlobReader il)
    {
        var start = il.Offset;
        int place = il.ReadByte();
        if (place == TwoBytes)
            place = 0x100 | il.ReadByte();
        var code = s_opcodes[place] ?? throw new BadImageFormatException($"no instruction 0x{place:x} at {start}");
        int[]? cases = null;
        var operand = code.OperandType switch
        {
            OperandType.InlineNone => 0,
            OperandType.ShortInlineBrTarget or OperandType.ShortInlineI => il.ReadSByte(),
            OperandType.ShortInlineVar => il.ReadByte(),
            OperandType.InlineVar => il.ReadUInt16(),
            OperandType.InlineI8 or OperandType.InlineR => il.ReadInt64(),
            OperandType.InlineSwitch => (cases = ReadCases(ref il)).Length,
            _ => il.ReadInt32(),
        };
        return new IlInstruction(start, il.Offset - start, code, operand) { Cases = cases };
    }

    /// <summary>Reads a method body.</summary>
    /// <exception cref="BadImageFormatException">The bytes are not IL.</exception>
    public static unsafe IReadOnlyList<IlInstruction> ReadAll(byte[] il)
    {
        var instructions = new List<IlInstruction>();
        fixed (byte* start = il)
        {
            for (var body = new BlobReader(start, il.Length); body.RemainingBytes > 0;)
                instructions.Add(Read(ref body));
        }

        return instructions;
    }

    private static int[] ReadCases(ref BlobReader il)
    {
        var count = il.ReadUInt32();
        if (count > il.RemainingBytes / sizeof(int))
            throw new BadImageFormatException("a switch has more cases than the method has bytes");
        var cases = new int[count];
        for (var i = 0; i < cases.Length; i++)
            cases[i] = il.ReadInt32();
        return cases;
    }

    /// <summary>The values of opcodes of two bytes are negative: 0xFExx.</summary>
    private static OpCode?[] OpCodesByPlace()
    {
        var opcodes = new OpCode?[0x200];
        foreach (var field in typeof(OpCodes).GetFields())
        {
            if (field.GetValue(null) is OpCode opcode)
                opcodes[opcode.Size == 1 ? opcode.Value : 0x100 | (opcode.Value & 0xFF)] = opcode;
        }

        return opcodes;
    }
}
