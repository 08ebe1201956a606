using EtwSerializerProfiler.Traces.Assemblies;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Instructions;

/// <summary>The instructions of a process's methods, and the positions of its stacks' leaves in them.</summary>
public sealed class ProcessInstructions
{
    private readonly ProcessCode _code;
    private readonly ProcessLayout _layout;
    private readonly SymbolFiles _files;
    private readonly InlineExpansion _expansion;
    private readonly MethodFacts _facts;
    private readonly LineFinder _lines;
    private readonly Func<long, CodeTier, bool> _isNamed;
    private readonly Func<ulong, long, string?> _nameOf;

    /// <summary>Prepares to read the instructions of a process's methods.</summary>
    /// <param name="code">The methods.</param>
    /// <param name="layout">The process's files.</param>
    /// <param name="files">Files with code, IL and lines.</param>
    /// <param name="expansion">Finds the inlined methods at an address.</param>
    /// <param name="facts">What the methods call.</param>
    /// <param name="lines">Finds statements.</param>
    /// <param name="isNamed">Whether a method that was inlined into code of a tier has a symbol.</param>
    /// <param name="nameOf">The name of the code at an address; null for none.</param>
    internal ProcessInstructions(
        ProcessCode code,
        ProcessLayout layout,
        SymbolFiles files,
        InlineExpansion expansion,
        MethodFacts facts,
        LineFinder lines,
        Func<long, CodeTier, bool> isNamed,
        Func<ulong, long, string?> nameOf
    )
    {
        (_code, _layout, _files, _expansion) = (code, layout, files, expansion);
        (_facts, _lines, _isNamed, _nameOf) = (facts, lines, isNamed, nameOf);
    }

    /// <summary>Location of a leaf with a source line; null when it has no line.</summary>
    /// <param name="address">Its address.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    public LeafPlace? LeafAt(ulong address, long time)
    {
        if (!_code.TryFind(address, time, out var code, out var tree, out _, out _) || tree?.Points is not { } points)
            return null;
        var offset = (uint)(address - code.Start);
        var point = points.At(offset);
        var mapped = tree.NodeAt(offset, out var start);
        var (called, inlined) = ((MethodIdentity?)null, 0);
        for (var node = _expansion.AtLeaf(tree, mapped, offset - start); ; node = tree.Parent(node))
        {
            var method = node > 0 ? tree.Method(node) : code.MethodId;
            if (node == 0 || _isNamed(method, code.Tier))
            {
                var statement =
                    inlined == 0
                        ? points.StatementOf(point, node)
                        : _lines.StatementAtCall(tree, points, point, node, method, called, inlined);
                return statement is { } found ? new LeafPlace(code, offset, method, found) : null;
            }

            (called, inlined) = (_facts.Identity(method), node);
        }
    }

    /// <summary>The IL of a method with the line of each instruction; null when its assembly is unavailable or has no IL for it.</summary>
    /// <param name="methodId">The method.</param>
    public IlMethod? IlOf(long methodId)
    {
        if (!_code.TryFindMetadata(methodId, out var module, out var token) || module.Body(token) is not { } il)
            return null;
        var (names, pdb) = (new IlNames(module.Reader), _files.Lines(module));
        IReadOnlyList<IlInstruction> instructions;
        try
        {
            instructions = IlInstruction.ReadAll(il);
        }
        catch (BadImageFormatException)
        {
            return null;
        }

        var identity = module.Method(token);
        return new IlMethod(
            module.Path,
            token,
            identity is null ? "" : $"{identity.Type}.{identity.Name}",
            [
                .. instructions.Select(instruction => new IlLine(
                    instruction.Offset,
                    names.Text(instruction),
                    pdb?.Find(token, instruction.Offset)
                )),
            ]
        );
    }

    /// <summary>The latest code of a method; null for one without code of its own.</summary>
    /// <param name="methodId">The method.</param>
    public MethodCode? LastCodeOf(long methodId) => _code.TryFindMethod(methodId, out var code) ? code : null;

    /// <summary>Disassembles a piece of code.</summary>
    /// <param name="code">The code.</param>
    /// <param name="recorded">The process's recorded code.</param>
    public MachineCode CodeOf(in MethodCode code, RecordedCode recorded)
    {
        ArgumentNullException.ThrowIfNull(recorded);
        if (recorded.IsOfOtherProcessor)
            return new MachineCode([], MissingCode.OtherProcessor);
        if (!recorded.TryFind(code, out var bytes) && !TryReadPrecompiled(code, out bytes, out var isOtherProcessor))
            return new MachineCode(
                [],
                isOtherProcessor ? MissingCode.OtherProcessor
                    : recorded.IsRecorded ? MissingCode.NotInDump
                    : MissingCode.NotRecorded
            );
        var time = code.At.Time;
        return new MachineCode(Disassembler.Read(bytes!, code.Start, address => _nameOf(address, time)));
    }

    /// <summary>Reads precompiled code from the file that was mapped, if it is the recorded one.</summary>
    private bool TryReadPrecompiled(in MethodCode code, out byte[]? bytes, out bool isOtherProcessor)
    {
        (bytes, isOtherProcessor) = (null, false);
        if (
            code.Tier != CodeTier.ReadyToRun
            || !_layout.TryFind(code.Start, code.At.Time, out var mapping, out _, out _)
            || _files.Precompiled.Image(mapping) is not { } image
        )
            return false;
        isOtherProcessor = image.Architecture != AssemblyArchitecture.X64;
        if (isOtherProcessor)
            return false;
        bytes = image.Read(code.Start - mapping.Start + mapping.FileOffset, code.Size);
        return bytes is not null;
    }
}
