using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>
/// Callers that the chain of frame pointers lacks, in made-up stacks. Outer called Hot, and Hot called Leaf or a stub. The frame pointer is
/// still Hot's, so the chain goes from the leaf to Outer. The stack begins at 0x5000; Hot's saved frame pointer and return address are at
/// 0x5040.
/// </summary>
public sealed class LostCallerTests
{
    private const ulong Leaf = 0x1000;
    private const ulong Hot = 0x2000;
    private const ulong Outer = 0x3000;
    private const ulong Libc = 0x7000_0000;
    private const ulong Stub = 0x7100_0000;
    private const ulong Assembly = 0x7200_0000;
    private const ulong Stack = 0x5000;
    private const ulong HotFrame = 0x5040;
    private const ulong OuterFrame = 0x5100;

    [Fact]
    public void A_stub_has_its_caller_on_top() => Assert.True(IsRecovered(Stub + 4, Top(Hot + 8)));

    [Fact]
    public void An_address_outside_of_methods_is_rejected_as_a_stubs_caller() => Assert.False(IsRecovered(Stub + 4, Top(Libc + 8)));

    [Fact]
    public void The_callers_return_address_must_be_the_next_of_the_chain()
    {
        var stack = Top(Hot + 8);
        stack[9] = Outer + 9;

        Assert.False(IsRecovered(Stub + 4, stack));
        Assert.True(IsRecovered(Stub + 4, stack[..9])); // the copy ends before it: cannot be compared
    }

    [Fact]
    public void A_frame_pointer_below_the_stack_is_ignored() => Assert.False(IsRecovered(Stub + 4, Top(Hot + 8), framePointer: Stack - 64));

    [Theory]
    [InlineData(0, true)] // nothing pushed yet
    [InlineData(0xff, true)] // a return is the last instruction
    [InlineData(0x40, false)] // the top of the stack may be any word
    [InlineData(1, false)]
    public void A_method_has_its_caller_on_top_only_at_its_start_and_end(int offset, bool recovered) =>
        Assert.Equal(recovered, IsRecovered(Leaf + (ulong)offset, Top(Hot + 8)));

    [Theory]
    [InlineData(1, 0, true)] // push rbp
    [InlineData(3, 1, true)] // push r15
    [InlineData(5, 2, true)]
    [InlineData(4, 2, true)] // push r15; push rbx
    [InlineData(11, 6, true)]
    [InlineData(1, 1, false)] // no push fits
    [InlineData(5, 0, false)]
    [InlineData(0x40, 0, false)] // left by an earlier call
    [InlineData(0x40, 4, false)]
    public void In_a_prologue_the_frame_follows_the_pushed_registers(int offset, int pushed, bool recovered)
    {
        var stack = Top(7);
        stack[pushed] = HotFrame;
        stack[pushed + 1] = Hot + 8;

        Assert.Equal(recovered, IsRecovered(Leaf + (ulong)offset, stack));
    }

    [Theory]
    [InlineData(CodeTier.Tier1, true)]
    [InlineData(CodeTier.Tier0, false)] // has a frame regardless of its length
    public void Optimized_code_too_short_for_a_frame_has_none(CodeTier tier, bool recovered)
    {
        const ulong Short = 0x4000;
        var trace = Trace().Add(1, 1, (hub, at) => hub.Publish(new MethodCode(at, 9, 1, Short, 9, tier, false, "T", "Short", "")));

        Assert.Equal(recovered, IsRecovered(Short + 4, Top(Hot + 8), trace: trace));
    }

    [Fact]
    public void A_chain_of_the_leaf_alone_is_followed_through_the_copy()
    {
        var result = Analyze(Trace().DumpedSample(1100, Stack, HotFrame, Top(Hot + 8), Stub + 4));

        Assert.Equal((1L, 1L), (result.RecoveredStacks, result.BrokenStacks)); // and ends where the copy does
        Assert.Equal(["T.Hot 1", "T.Outer 1", "[stub] write barrier 1"], Rows(result));
    }

    /// <summary>
    /// Code of an assembly outside of methods is a stub for native calls. It keeps a frame pointer, by which its caller is found.
    /// </summary>
    [Fact]
    public void The_caller_of_a_precompiled_stub_is_found_by_its_frame_pointer()
    {
        ulong[] stack = [1, 2, HotFrame, Assembly + 8, 5, 6, 7, 8, OuterFrame, Outer + 8, 10];
        var result = Analyze(Trace().Map(1, Assembly, "/app/Sockets.dll").DumpedSample(1100, Stack, Stack + 16, stack, Leaf + 0x40));

        Assert.Equal(["Sockets.dll+? 1", "T.Leaf 1", "T.Outer 1"], Rows(result));
    }

    [Fact]
    public void Recovered_callers_are_not_recorded_without_copied_stacks()
    {
        Assert.Null(Analyze(Trace().Sample(1100, 1, 0, Stub + 4, Outer + 8, Libc + 8)).RecoveredStacks);
        Assert.Equal(0, Analyze(Trace()).RecoveredStacks);
    }

    [Fact]
    public void Recovering_allocates_nothing_for_a_sample()
    {
        _ = Measure(1); // creates what exists once per process
        var few = Measure(1000);
        var many = Measure(21_000);

        Assert.InRange(many - few, -100_000, 20_000 * 8);

        static long Measure(int samples)
        {
            var trace = Trace();
            ulong[] frames = [Stub + 4, Outer + 8, Libc + 8];
            var stack = Top(Hot + 8);
            trace.Add(
                1100,
                1,
                (hub, at) =>
                {
                    for (var i = 0; i < samples; i++)
                        hub.Publish(
                            new CpuSample(at, 1_000_000, false, frames, 0)
                            {
                                Dump = new StackDump(
                                    Stub + 4,
                                    Stack,
                                    HotFrame,
                                    null,
                                    System.Runtime.InteropServices.MemoryMarshal.AsBytes<ulong>(stack)
                                ),
                            }
                        );
                }
            );
            var before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Equal(samples, Analyze(trace).RecoveredStacks);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Code(1, Leaf, "T", "Leaf", 1)
            .Code(1, Hot, "T", "Hot", 2)
            .Code(1, Outer, "T", "Outer", 3)
            .Map(1, Libc, "/lib/libc.so.6")
            .Map(1, Stub, "/memfd:doublemapper");

    /// <summary>A stack with a word on top, and Hot's saved frame pointer and return address.</summary>
    private static ulong[] Top(ulong word) => [word, 1, 2, 3, 4, 5, 6, 7, OuterFrame, Outer + 8, 10];

    private static bool IsRecovered(ulong leaf, ulong[] stack, ulong framePointer = HotFrame, SyntheticTrace? trace = null)
    {
        var result = Analyze((trace ?? Trace()).DumpedSample(1100, Stack, framePointer, stack, leaf, Outer + 8, Libc + 8));
        var hot = result.Rows.SingleOrDefault(row => row.Name == "T.Hot");
        Assert.Equal(hot is null ? 0 : 1, result.RecoveredStacks);
        Assert.Equal((1L, 0L), (result.Rows.Single(row => row.Name == "T.Outer").InclusiveSamples, result.BrokenStacks));
        return hot is { InclusiveSamples: 1 };
    }

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
