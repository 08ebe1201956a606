using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols.Instructions;

/// <summary>Location of a stack's leaf.</summary>
/// <param name="Code">The piece of code.</param>
/// <param name="Offset">Offset of the address in it.</param>
/// <param name="MethodId">The method of the leaf's symbol: the code's, or one that was inlined there.</param>
/// <param name="Statement">IL offset of the statement in that method; any number after the last instruction stands for the last.</param>
public readonly record struct LeafPlace(MethodCode Code, uint Offset, long MethodId, int Statement);

/// <summary>The IL of a method.</summary>
/// <param name="Module">File of its assembly.</param>
/// <param name="Token">Its token there.</param>
/// <param name="Name">Its type and name.</param>
/// <param name="Instructions">The instructions in order.</param>
public sealed record IlMethod(string Module, int Token, string Name, IReadOnlyList<IlLine> Instructions);

/// <summary>An instruction of IL.</summary>
/// <param name="Offset">Where it begins.</param>
/// <param name="Text">Opcode and operand.</param>
/// <param name="Line">Its source line; null for none.</param>
public readonly record struct IlLine(int Offset, string Text, Lines.SourceLine? Line);

/// <summary>The machine code of a piece of code.</summary>
/// <param name="Instructions">Its instructions, which cover all of its bytes; empty when unavailable.</param>
/// <param name="Missing">Why they are unavailable.</param>
public sealed record MachineCode(IReadOnlyList<MachineInstruction> Instructions, MissingCode Missing = MissingCode.None);

/// <summary>Why code cannot be disassembled.</summary>
public enum MissingCode
{
    /// <summary>It can be disassembled.</summary>
    None = 0,

    /// <summary>Its bytes were not recorded.</summary>
    NotRecorded = 1,

    /// <summary>The recorded code dump does not contain it.</summary>
    NotInDump = 2,

    /// <summary>It is not x64 code.</summary>
    OtherProcessor = 3,
}
