using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>
/// Made-up arm64 stacks: Outer called Hot, and Hot called Leaf or a stub. While the frame pointer is still Hot's, the chain goes from the
/// leaf to Outer. The stack begins at 0x5000, Hot's pair lies at 0x5040, that of Leaf at 0x5010.
/// </summary>
public sealed class Arm64CallerTests
{
    private const ulong Leaf = 0x1000;
    private const ulong Hot = 0x2000;
    private const ulong Outer = 0x3000;
    private const ulong Replaced = 0x4000;
    private const ulong Libc = 0x7000_0000;
    private const ulong Stub = 0x7100_0000;
    private const ulong Stack = 0x5000;
    private const ulong LeafFrame = 0x5010;
    private const ulong HotFrame = 0x5040;
    private const ulong OuterFrame = 0x5100;

    /// <summary>The bits that pointer authentication puts above the address.</summary>
    private const ulong Signature = 0x0047_0000_0000_0000;

    [Theory]
    [InlineData(Leaf, Hot + 8, true)] // the first instruction
    [InlineData(Leaf + 4, Hot + 8, true)] // the pair is stored, x29 not set
    [InlineData(Leaf + 0xfc, Hot + 8, true)] // the pair is loaded again
    [InlineData(Leaf + 4, Signature | (Hot + 8), true)]
    [InlineData(Leaf + 4, Outer + 8, false)] // the frame is its own: Outer called it
    [InlineData(Leaf + 0x40, Leaf + 0x3c, false)] // after a call: the frame is its own
    [InlineData(Leaf + 0x40, Hot, false)] // scratch: no call returns to the start of a method
    [InlineData(Leaf + 0x40, Libc + 8, false)]
    [InlineData(Leaf + 0x40, 0x1234UL, false)]
    [InlineData(Replaced, Hot + 8, false)] // code that took over a loop is entered by a jump
    [InlineData(Stub + 4, Hot + 8, true)]
    [InlineData(Stub + 4, Libc + 8, false)]
    public void The_link_register_leads_to_the_caller_that_the_chain_lacks(ulong leaf, ulong link, bool recovered)
    {
        var result = Analyze(Trace().LinkedSample(1100, Stack, HotFrame, link, s_stack, leaf, Outer + 8, Libc + 8));

        Assert.Equal(recovered, result.Rows.Any(row => row.Name == "T.Hot"));
        Assert.Equal(
            (recovered ? 1L : 0L, 1L, 0L),
            (result.RecoveredStacks, result.Rows.Single(row => row.Name == "T.Outer").InclusiveSamples, result.BrokenStacks)
        );
    }

    /// <summary>
    /// Up to its first call a method with a frame of its own has the same return address in the register and on the stack.
    /// </summary>
    [Fact]
    public void A_leaf_with_its_own_frame_lacks_nobody()
    {
        Assert.Equal(
            0,
            Analyze(
                Trace().LinkedSample(1100, Stack, LeafFrame, Hot + 8, s_stack, Leaf + 0x40, Hot + 8, Outer + 8, Libc + 8)
            ).RecoveredStacks
        );

        // No chain: the pair on the stack has it.
        Assert.Equal(
            ["T.Hot 1", "T.Leaf 1", "T.Outer 1"],
            Rows(Analyze(Trace().LinkedSample(1100, Stack, LeafFrame, Hot + 8, s_stack, Leaf + 0x40)))
        );
    }

    private static readonly ulong[] s_stack = [1, 2, HotFrame, Hot + 8, 5, 6, 7, 8, OuterFrame, Outer + 8, 10];

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Code(1, Leaf, "T", "Leaf", 1)
            .Code(1, Hot, "T", "Hot", 2)
            .Code(1, Outer, "T", "Outer", 3)
            .Add(1, 1, (hub, at) => hub.Publish(new MethodCode(at, 4, 1, Replaced, 0x100, CodeTier.Tier1Osr, false, "T", "Replaced", "")))
            .Map(1, Libc, "/lib/libc.so.6")
            .Map(1, Stub, "/memfd:doublemapper");

    private static CpuResult Analyze(SyntheticTrace trace)
    {
        var process = new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], []);
        return CpuAnalysis.Run(
            [process],
            RunAnalysis.Run([process], []).Runs,
            new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null),
            new SymbolFiles("", DateTime.UnixEpoch, TimeSpan.Zero)
        );
    }

    private static string[] Rows(CpuResult result) =>
        [.. result.Rows.Select(row => $"{row.Name} {row.InclusiveSamples}").Order(StringComparer.Ordinal)];
}
