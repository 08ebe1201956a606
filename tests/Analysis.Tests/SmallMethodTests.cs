using System.Reflection;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>
/// Made-up stacks of this class's methods: Outer called Middle, and Middle called Small, which keeps no frame pointer; the chain goes from
/// Small to Outer. The stack begins at 0x5000, Middle's pair lies at 0x5040.
/// </summary>
public sealed class SmallMethodTests
{
    private const ulong Small = 0x1000;
    private const ulong Middle = 0x2000;
    private const ulong Outer = 0x3000;
    private const ulong Loop = 0x4000;
    private const ulong Replacement = 0x6000;
    private const ulong Lambda = 0x8000;
    private const ulong Apply = 0x9000;
    private const ulong Setter = 0xa000;
    private const ulong Marshalling = 0xb000;
    private const ulong Precompiled = 0xc000;
    private const ulong Libc = 0x7000_0000;
    private const ulong Stack = 0x5000;
    private const ulong MiddleFrame = 0x5040;

    [Fact]
    public void The_return_address_of_a_small_method_is_found_by_the_IL_that_names_it() =>
        Assert.Equal(
            ["Middle 1", "Outer 1", "Small 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Middle + 8, 9, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Small + 0x40,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    [Fact]
    public void A_method_that_does_not_name_it_is_not_a_caller() =>
        Assert.Equal(
            ["Outer 1", "Small 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Loop + 8, 9, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Small + 0x40,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    /// <summary>The word is left over: the frame pointer is the method's own.</summary>
    [Fact]
    public void Where_the_next_frame_can_have_called_it_nothing_is_added() =>
        Assert.Equal(
            ["Middle 1", "Small 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Middle + 9, 9, 9, 9, 9, 9, 0x5100, Middle + 8],
                        Small + 0x40,
                        Middle + 8,
                        Libc + 8
                    )
            )
        );

    [Fact]
    public void Code_that_may_be_no_small_methods_keeps_its_chain() =>
        Assert.Equal(
            ["Loop 1", "Outer 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Middle + 8, 9, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Loop + 0x40,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    /// <summary>Apply may have called it, by a delegate; Middle names it.</summary>
    [Fact]
    public void A_method_that_names_it_is_believed_before_one_that_may_call_any() =>
        Assert.Equal(
            ["Apply 1", "Middle 1", "Small 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Middle + 8, 9, 9, 9, 9, 9, 0x5100, Apply + 8],
                        Small + 0x40,
                        Apply + 8,
                        Libc + 8
                    )
            )
        );

    [Fact]
    public void A_lambda_is_called_by_what_calls_delegates() =>
        Assert.Equal(
            ["Apply 1", "Lambda 1", "Outer 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Apply + 8, 9, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Lambda + 0x40,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    [Fact]
    public void A_dynamic_method_is_called_by_what_calls_delegates() =>
        Assert.Equal(
            ["Apply 1", "Outer 1", "Setter 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Apply + 8, 9, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Setter + 0x40,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    /// <summary>Apply has the frame pointer and calls delegates: the word is left over.</summary>
    [Fact]
    public void A_dynamic_method_keeps_its_chain_where_the_next_frame_calls_delegates() =>
        Assert.Equal(
            ["Apply 1", "Setter 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Middle + 8, 9, 9, 9, 9, 9, 0x5100, Apply + 8],
                        Setter + 0x40,
                        Apply + 8,
                        Libc + 8
                    )
            )
        );

    /// <summary>Code that calls delegates may be inlined into precompiled code.</summary>
    [Fact]
    public void A_dynamic_method_keeps_its_chain_where_the_next_frame_is_precompiled() =>
        Assert.Equal(
            ["Outer 1", "Setter 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Apply + 8, 9, 9, 9, 9, 9, 0x5100, Precompiled + 8],
                        Setter + 0x40,
                        Precompiled + 8,
                        Libc + 8
                    )
            )
        );

    /// <summary>Represents a call that IL names.</summary>
    [Fact]
    public void A_stub_of_the_runtime_keeps_its_chain() =>
        Assert.Equal(
            ["IL_STUB_PInvoke 1", "Outer 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        MiddleFrame,
                        [7, 8, Apply + 8, 9, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Marshalling + 0x40,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    /// <summary>
    /// The new code's pair has the caller's frame pointer and returns to the old code, whose own pair has the caller's frame pointer, too.
    /// </summary>
    [Fact]
    public void Code_that_took_over_a_loop_has_the_caller_of_the_old_code() =>
        Assert.Equal(
            ["Loop 1", "Middle 1", "Outer 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        Stack + 8,
                        [7, 0x5060, Loop + 8, Small + 8, 9, 9, 0x5060, Middle + 8, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Replacement + 0x40,
                        Loop + 8,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    /// <summary>One of the pairs is left over from an earlier call by Outer of a method that called the loop.</summary>
    [Fact]
    public void Code_that_took_over_a_loop_has_no_caller_where_two_are_possible() =>
        Assert.Equal(
            ["Loop 1", "Outer 1"],
            Rows(
                Trace()
                    .DumpedSample(
                        1100,
                        Stack,
                        Stack + 8,
                        [7, 0x5060, Loop + 8, 9, 0x5060, Small + 8, 0x5060, Middle + 8, 9, 9, 9, 9, 0x5100, Outer + 8],
                        Replacement + 0x40,
                        Loop + 8,
                        Outer + 8,
                        Libc + 8
                    )
            )
        );

    private static void SmallMethod() => LoopMethod(1);

    private static void MiddleMethod()
    {
        SmallMethod();
        LoopMethod(2);
    }

    private static void OuterMethod()
    {
        MiddleMethod();
        ApplyMethod(LambdaMethod);
    }

    private static void LoopMethod(int times)
    {
        for (var time = 0; time < times; time++)
            GC.KeepAlive(time);
    }

    private static void LambdaMethod() => GC.KeepAlive(1);

    private static void ApplyMethod(Action action) => action();

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Module(typeof(SmallMethodTests).Assembly.Location)
            .Map(1, Libc, "/lib/libc.so.6")
            .Add(
                1,
                1,
                (hub, at) =>
                {
                    Load(Small, nameof(SmallMethod));
                    Load(Middle, nameof(MiddleMethod));
                    Load(Outer, nameof(OuterMethod));
                    Load(Loop, nameof(LoopMethod), CodeTier.Tier0);
                    Load(Replacement, nameof(LoopMethod), CodeTier.Tier1Osr);
                    Load(Lambda, nameof(LambdaMethod));
                    Load(Apply, nameof(ApplyMethod));
                    Load(Precompiled, nameof(OuterMethod), CodeTier.ReadyToRun);
                    LoadDynamic(Setter, "Setter");
                    LoadDynamic(Marshalling, "IL_STUB_PInvoke");

                    void LoadDynamic(ulong start, string name) =>
                        hub.Publish(
                            new MethodCode(at, (long)start, 2, start, 0x100, CodeTier.Optimized, false, "dynamicClass", name, "void ()")
                        );

                    void Load(ulong start, string name, CodeTier tier = CodeTier.Tier1)
                    {
                        var token = typeof(SmallMethodTests).GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!.MetadataToken;
                        hub.Publish(
                            new MethodCode(at, token, 1, start, 0x100, tier, false, typeof(SmallMethodTests).FullName!, name, "void ()")
                            {
                                Token = token,
                            }
                        );
                    }
                }
            );

    private static string[] Rows(SyntheticTrace trace)
    {
        var process = new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], []);
        var result = CpuAnalysis.Run(
            [process],
            RunAnalysis.Run([process], []).Runs,
            new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null),
            new SymbolFiles(Environment.MachineName, DateTime.UtcNow, TimeSpan.Zero)
        );
        return
        [
            .. result
                .Rows.Where(row => row.Kind == CodeKind.Managed)
                .Select(row =>
                    row.Name[(row.Name.LastIndexOf('.') + 1)..].Replace("Method", "", StringComparison.Ordinal) + $" {row.InclusiveSamples}"
                )
                .Order(StringComparer.Ordinal),
        ];
    }
}
