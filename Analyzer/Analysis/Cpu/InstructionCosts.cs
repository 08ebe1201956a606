using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Instructions;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Instructions of source lines with their costs.</summary>
public sealed class InstructionCosts
{
    private readonly ILookup<string, LeafCost> _byMethod;
    private readonly IReadOnlyList<InstructionTally> _processes;
    private readonly long _ticksPerSecond;

    /// <summary>Missing code by reason, with the ticks of its samples at the requested lines.</summary>
    private readonly Dictionary<MissingCode, long> _missing = [];
    private long _ticksWithoutIl;

    internal InstructionCosts(IReadOnlyList<InstructionTally> processes, long ticksPerSecond)
    {
        _byMethod = processes.SelectMany(process => process.Leaves).ToLookup(leaf => leaf.Method);
        (_processes, _ticksPerSecond) = (processes, ticksPerSecond);
    }

    /// <summary>Files with recorded code that were read for the requested instructions.</summary>
    public IReadOnlyList<string> FilesRead => [.. _processes.Select(process => process.RecordedPath).OfType<string>()];

    /// <summary>Missing instructions with reasons, one sentence each.</summary>
    public IReadOnlyList<string> Problems
    {
        get
        {
            var problems = new List<string>();
            if (_ticksWithoutIl > 0)
                problems.Add(Sentence("IL", _ticksWithoutIl, "the recorded build of the assembly is not available"));
            foreach (var (reason, ticks) in _missing.OrderBy(pair => pair.Key))
            {
                problems.Add(
                    Sentence(
                        "machine code",
                        ticks,
                        reason switch
                        {
                            MissingCode.NotRecorded => "the code's bytes were not recorded; record with --code",
                            MissingCode.NotInDump => "the jitdump beside the trace has no record of the method, or several",
                            _ => "only x64 code is disassembled",
                        }
                    )
                );
            }

            problems.AddRange(_processes.Select(process => process.Problem).Where(problem => problem.Length > 0));
            return problems;

            string Sentence(string what, long ticks, string why) =>
                ticks > 0
                    ? FormattableString.Invariant($"no {what} of lines with {ToMilliseconds(ticks):0.#} ms: {why}")
                    : $"no {what} of some lines: {why}";
        }
    }

    /// <summary>The IL of a line. The first instruction of a statement carries the cost of the statement.</summary>
    /// <param name="method">Name of the method.</param>
    /// <param name="line">The line.</param>
    /// <returns>The instructions in order; empty when the IL is unavailable.</returns>
    public IReadOnlyList<CostedInstruction> IlOf(string method, SourceLine line)
    {
        var found = new List<CostedInstruction>();
        var leaves = _byMethod[method].Where(leaf => leaf.Line == line).ToLookup(leaf => Key(leaf.Process.IlOf(leaf.Place.MethodId)));
        _ticksWithoutIl += leaves[default].Sum(leaf => leaf.Ticks);
        foreach (
            var il in _processes
                .SelectMany(process => process.MethodsOf(method).Select(process.IlOf))
                .OfType<IlMethod>()
                .DistinctBy(il => Key(il))
        )
        {
            var own = leaves[Key(il)].ToList();
            List<IlLine> shown = [.. il.Instructions.Where(instruction => instruction.Line == line)];
            if (shown.Count == 0)
            {
                _ticksWithoutIl += own.Sum(leaf => leaf.Ticks);
                continue;
            }

            var costs = Costs([.. shown.Select(instruction => (long)instruction.Offset)], own, leaf => leaf.Place.Statement);
            found.AddRange(
                shown.Zip(
                    costs,
                    (instruction, cost) =>
                        new CostedInstruction(
                            InstructionKind.Il,
                            il.Name,
                            0,
                            instruction.Offset,
                            instruction.Text,
                            cost.Samples,
                            ToMilliseconds(cost.Ticks)
                        )
                )
            );
        }

        return found;

        static (string Module, int Token) Key(IlMethod? il) => il is null ? default : (il.Module, il.Token);
    }

    /// <summary>The machine code of a line. The cost of an instruction is that of the samples at its address.</summary>
    /// <param name="method">Name of the method.</param>
    /// <param name="line">The line.</param>
    /// <returns>The instructions by piece of code, most time first; empty when the code's bytes are unavailable.</returns>
    public IReadOnlyList<CostedInstruction> CodeOf(string method, SourceLine line)
    {
        var found = new List<CostedInstruction>();
        foreach (var (process, code, hit) in PiecesOf(method, line))
        {
            List<PlacedInstruction> shown =
            [
                .. process.CodeOf(code, out var missing).Where(placed => placed.Line == line && placed.Method == method),
            ];
            if (missing != MissingCode.None)
                _missing[missing] = _missing.GetValueOrDefault(missing) + hit.Sum(leaf => leaf.Ticks);
            if (shown.Count == 0)
                continue;
            var costs = Costs([.. shown.Select(placed => (long)placed.Instruction.Offset)], hit, leaf => leaf.Place.Offset);
            found.AddRange(
                shown.Zip(
                    costs,
                    (placed, cost) =>
                        new CostedInstruction(
                            InstructionKind.MachineCode,
                            NameOf(code),
                            code.Start,
                            placed.Instruction.Offset,
                            placed.Instruction.Text,
                            cost.Samples,
                            ToMilliseconds(cost.Ticks)
                        )
                )
            );
        }

        return found;
    }

    /// <summary>
    /// The pieces of code that a line's samples hit; else those that the method's samples hit; else the method's last code.
    /// </summary>
    private IEnumerable<(InstructionTally Process, MethodCode Code, List<LeafCost> Hit)> PiecesOf(string method, SourceLine line)
    {
        var own = _byMethod[method].Where(leaf => leaf.Line == line).ToList();
        var pieces = (own.Count > 0 ? own : _byMethod[method])
            .GroupBy(leaf => (leaf.Process, leaf.Place.Code.Start, leaf.Place.Code.At.Time))
            .OrderByDescending(piece => piece.Sum(leaf => leaf.Ticks))
            .ThenBy(piece => piece.Key.Start)
            .Select(piece => (piece.Key.Process, piece.First().Place.Code, Hit: own.Count > 0 ? piece.ToList() : []))
            .ToList();
        return pieces.Count > 0
            ? pieces
            : _processes.SelectMany(process =>
                process
                    .MethodsOf(method)
                    .Select(process.LastCodeOf)
                    .OfType<MethodCode>()
                    .Select(code => (process, code, new List<LeafCost>()))
            );
    }

    private double ToMilliseconds(long ticks) => ticks * 1e3 / _ticksPerSecond;

    private static string NameOf(in MethodCode code) =>
        $"{(code.Namespace.Length > 0 ? code.Namespace + "." : "")}{code.Name}{(code.Tier == CodeTier.Unknown ? "" : $" [{code.Tier}]")}";

    /// <summary>Assigns each leaf to the last instruction that begins at or before it, or else to the first instruction.</summary>
    private static (long Samples, long Ticks)[] Costs(List<long> offsets, List<LeafCost> leaves, Func<LeafCost, long> offsetOf)
    {
        var costs = new (long Samples, long Ticks)[offsets.Count];
        foreach (var leaf in leaves)
        {
            var at = offsets.BinarySearch(offsetOf(leaf));
            at = Math.Max(at >= 0 ? at : ~at - 1, 0);
            costs[at] = (costs[at].Samples + leaf.Samples, costs[at].Ticks + leaf.Ticks);
        }

        return costs;
    }
}

/// <summary>An instruction of a source line with its cost.</summary>
/// <param name="Kind">Kind of the instruction.</param>
/// <param name="Code">The IL's method, or the piece of code with its tier.</param>
/// <param name="Start">Address of the piece of code; 0 for IL.</param>
/// <param name="Offset">Offset in the IL, or in the piece of code.</param>
/// <param name="Text">The instruction.</param>
/// <param name="Samples">Samples at the instruction; for IL, samples of the statement that begins with it.</param>
/// <param name="CpuMs">CPU time that these samples represent, in ms.</param>
public sealed record CostedInstruction(
    InstructionKind Kind,
    string Code,
    ulong Start,
    long Offset,
    string Text,
    long Samples,
    double CpuMs
);

/// <summary>Kinds of instructions.</summary>
public enum InstructionKind
{
    /// <summary>An IL instruction.</summary>
    Il = 0,

    /// <summary>A processor instruction.</summary>
    MachineCode = 1,
}
