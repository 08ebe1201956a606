using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Rules on how code was built and compiled.</summary>
public sealed class BuildRuleTests
{
    private static readonly SummaryKey s_row = SummaryKey.Of(SyntheticTrace.Identity());
    private static readonly SummaryKey s_call = SummaryKey.Of(
        SyntheticTrace.Identity(operation: RunOperation.FirstSerialize, kind: RunKind.FirstCall)
    );

    [Fact]
    public void A_module_of_unoptimized_code_is_a_debug_build()
    {
        var input = RuleInput.Of(RuleInput.Run(1, 100)) with
        {
            Methods =
            [
                Cost("My.Writer.Write", "My.dll", 30, CodeTier.MinOpt),
                Cost("My.Writer.Flush", "My.dll", 10, CodeTier.MinOpt),
                Cost("System.String.Concat", "System.Private.CoreLib.dll", 40, CodeTier.ReadyToRun),
            ],
        };

        var finding = RuleInput.Only(new DebugBuildRule(), input);
        Assert.Equal((FindingKind.Warning, "debug-build"), (finding.Kind, finding.Code));
        Assert.StartsWith("My.dll: compiled without optimization", finding.Text, StringComparison.Ordinal);
        Assert.Equal([100.0, 40.0], finding.Evidence.Select(figure => figure.Value));
    }

    [Fact]
    public void Optimized_code_one_method_without_and_a_few_samples_are_none() =>
        Assert.Empty(
            new DebugBuildRule().Check(
                RuleInput.Of(RuleInput.Run(1, 100)) with
                {
                    Methods =
                    [
                        Cost("A.Fast", "A.dll", 80, CodeTier.Tier1),
                        Cost("A.Marked", "A.dll", 20, CodeTier.MinOpt),
                        Cost("B.Only", "B.dll", 100, CodeTier.MinOpt),
                        Cost("C.One", "C.dll", 5, CodeTier.MinOpt),
                        Cost("C.Two", "C.dll", 5, CodeTier.MinOpt),
                        Cost("D.One", "D.dll", 50),
                        Cost("D.Two", "D.dll", 50),
                    ],
                }
            )
        );

    [Fact]
    public void Tiering_and_precompiled_code_that_are_off_are_reported()
    {
        var off = RuleInput.Recording(
            new RuntimeKnob("TieredCompilation", "false", "DOTNET_TieredCompilation"),
            new RuntimeKnob("ReadyToRun", "0", "DOTNET_ReadyToRun")
        );

        var findings = new RuntimeSettingRule().Check(RuleInput.Of() with { Recordings = [off] }).ToList();

        Assert.Equal(["tiering-off", "ready-to-run-off"], findings.Select(finding => finding.Code));
        Assert.Contains("DOTNET_TieredCompilation sets it", findings[0].Advice, StringComparison.Ordinal);
        Assert.Empty(
            new RuntimeSettingRule().Check(
                RuleInput.Of() with
                {
                    Recordings =
                    [
                        RuleInput.Recording(
                            new RuntimeKnob("TieredCompilation", "true", "default"),
                            new RuntimeKnob("GCServer", "false", "default")
                        ),
                    ],
                }
            )
        );
    }

    [Fact]
    public void Serializers_that_were_left_out_are_named_with_the_reason()
    {
        static InputRecording Recording(string label, params LeftOutSerializer[] leftOut)
        {
            var recording = RuleInput.Recording();
            return recording with
            {
                Label = label,
                Description = recording.Description with { Workload = recording.Description.Workload! with { LeftOut = leftOut } },
            };
        }

        LeftOutSerializer jil = new("Jil", "package not found"),
            slim = new("Slim", "package not found"),
            ceras = new("Ceras", "one thread");
        var several = RuleInput.Of() with { Recordings = [Recording("net10.0", jil), Recording("net8.0"), Recording("mono", jil)] };

        Assert.Equal(
            "skipped serializers: Jil, Slim (package not found); Ceras (one thread)",
            RuleInput.Only(new LeftOutRule(), RuleInput.Of() with { Recordings = [Recording("", jil, ceras, slim)] }).Text
        );
        Assert.Equal("net10.0, mono: skipped serializers: Jil (package not found)", RuleInput.Only(new LeftOutRule(), several).Text);
        Assert.Equal(
            "skipped serializers: Jil (package not found)",
            RuleInput.Only(new LeftOutRule(), RuleInput.Of() with { LeftOut = [jil] }).Text
        ); // of a run CSV
        Assert.Empty(
            new LeftOutRule().Check(
                RuleInput.Of() with
                {
                    Recordings =
                    [
                        Recording(""),
                        new InputRecording("", "folder", RuleInput.Recording().Description with { Workload = null }),
                    ],
                }
            )
        );
    }

    [Fact]
    public void First_calls_that_compile_a_library_are_reported()
    {
        var finding = RuleInput.Only(new NotPrecompiledRule(), Calls(jitMs: 40, isPrecompiled: false));

        Assert.Contains("Json FirstSerialize (40 of 100 ms)", finding.Text, StringComparison.Ordinal);
        Assert.Equal([40.0, 300.0], finding.Evidence.Select(figure => figure.Value));
    }

    [Fact]
    public void First_calls_of_a_precompiled_library_or_with_little_compilation_are_not()
    {
        Assert.Empty(new NotPrecompiledRule().Check(Calls(jitMs: 40, isPrecompiled: true)));
        Assert.Empty(new NotPrecompiledRule().Check(Calls(jitMs: 10, isPrecompiled: false)));
        Assert.Empty(new NotPrecompiledRule().Check(RuleInput.Of()));
    }

    private static FindingInput Calls(double jitMs, bool isPrecompiled) =>
        RuleInput.Of() with
        {
            FirstCalls = new FirstCallResult(
                [
                    new FirstCallRow
                    {
                        Key = s_call,
                        Runtime = "",
                        Library = "Json.Lib",
                        LibraryVersion = "1.0",
                        Runs = 3,
                        FailedRuns = 0,
                        MedianMs = 100,
                        JitMs = jitMs,
                        Methods = 300,
                    },
                ],
                [new AssemblyRow(s_call, "Json.Lib", AssemblyOutcome.Loaded, isPrecompiled, 3)],
                []
            ),
        };

    private static MethodCost Cost(string name, string module, long samples, params CodeTier[] tiers) =>
        new(s_row, name, module, samples, samples, samples, samples) { Kind = CodeKind.Managed, Tiers = tiers };
}
