using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Rules on what rows cost.</summary>
public sealed class RowRuleTests
{
    [Fact]
    public void Reflection_beyond_chance_is_reported()
    {
        var finding = RuleInput.Only(
            new ReflectionRule(),
            RuleInput.Of(
                RuleInput.Run(1, 1000) with
                {
                    Causes = RuleInput.Causes(700, ("reflectionSet", 150), ("activator", 50), ("text", 100)),
                }
            )
        );

        Assert.Equal("reflection", finding.Code);
        Assert.Contains("Json Serialize N=1000 (20 %)", finding.Text, StringComparison.Ordinal);
        var figure = Assert.Single(finding.Evidence);
        Assert.Equal(
            (20.0, 17.6, 22.6),
            (figure.Value, Math.Round(figure.Interval!.Value.Low, 1), Math.Round(figure.Interval.Value.High, 1))
        );
        Assert.Equal(1, Assert.Single(finding.Locations).RunId);
    }

    [Fact]
    public void Reflection_of_a_few_samples_or_a_small_share_is_not() =>
        Assert.Empty(
            new ReflectionRule().Check(
                RuleInput.Of(
                    RuleInput.Run(1, 1000, "Few") with
                    {
                        Causes = RuleInput.Causes(3, ("reflectionSet", 1)),
                    },
                    RuleInput.Run(2, 1000, "Small") with
                    {
                        Causes = RuleInput.Causes(860, ("reflectionSet", 140)),
                    },
                    RuleInput.Run(3, 1000, "None")
                )
            )
        );

    [Fact]
    public void Young_GCs_after_little_allocation_are_reported_with_the_setting_that_makes_them()
    {
        var input = RuleInput.Of(RuleInput.Run(1, 100) with { Gcs = new GcCounts(35, 5, 1), AllocatedBytes = 20e6 });

        var finding = RuleInput.Only(new GenerationZeroBudgetRule(), input);
        Assert.Contains("Json Serialize N=1000 (one every 0.50 MB)", finding.Text, StringComparison.Ordinal);
        Assert.Equal(
            (FindingConfidence.Possible, 2.0, "GCs/MB"),
            (finding.Confidence, Assert.Single(finding.Evidence).Value, finding.Evidence[0].Unit)
        );

        var set = RuleInput.Only(
            new GenerationZeroBudgetRule(),
            input with
            {
                Recordings = [RuleInput.Recording(new RuntimeKnob("GCgen0size", "0x40000", "DOTNET_GCgen0size"))],
            }
        );
        Assert.Equal((FindingConfidence.Likely, "remove or raise GCgen0size=0x40000 (DOTNET_GCgen0size)"), (set.Confidence, set.Advice));
    }

    [Fact]
    public void A_budget_is_small_against_the_cache_alone()
    {
        var input = RuleInput.Of(RuleInput.Run(1, 100) with { Gcs = new GcCounts(40, 0, 0), AllocatedBytes = 20e6 });

        var finding = RuleInput.Only(new GenerationZeroBudgetRule(), input with { Recordings = [Cached(32 << 20)] });
        Assert.Contains("with a last-level cache of 33.6 MB", finding.Text, StringComparison.Ordinal);
        Assert.Equal(("last-level cache", 33.554432), (finding.Evidence[^1].Name, finding.Evidence[^1].Value));
        Assert.Empty(new GenerationZeroBudgetRule().Check(input with { Recordings = [Cached(256 << 10)] }));

        static InputRecording Cached(long bytes)
        {
            var recording = RuleInput.Recording();
            return recording with
            {
                Description = recording.Description with { Host = recording.Description.Host with { LastLevelCacheBytes = bytes } },
            };
        }
    }

    [Fact]
    public void A_usual_budget_few_GCs_and_unknown_counts_are_not() =>
        Assert.Empty(
            new GenerationZeroBudgetRule().Check(
                RuleInput.Of(
                    RuleInput.Run(1, 100, "Usual") with
                    {
                        Gcs = new GcCounts(40, 0, 0),
                        AllocatedBytes = 240e6,
                    },
                    RuleInput.Run(2, 100, "Few") with
                    {
                        Gcs = new GcCounts(9, 0, 0),
                        AllocatedBytes = 1e6,
                    },
                    RuleInput.Run(3, 100, "FullOnes") with
                    {
                        Gcs = new GcCounts(0, 0, 40),
                        AllocatedBytes = 1e6,
                    },
                    RuleInput.Run(4, 100, "Unknown") with
                    {
                        AllocatedBytes = 1e6,
                    }
                )
            )
        );

    [Fact]
    public void Broken_stacks_over_a_tenth_are_reported()
    {
        var finding = RuleInput.Only(
            new BrokenStacksRule(),
            RuleInput.Of(RuleInput.Run(1, 1000) with { Samples = new RunSamples(1000, 1000, 0, 120) })
        );

        Assert.Equal(("broken-stacks", 12.0), (finding.Code, Assert.Single(finding.Evidence).Value));
        Assert.Empty(
            new BrokenStacksRule().Check(
                RuleInput.Of(
                    RuleInput.Run(1, 1000, "Whole") with
                    {
                        Samples = new RunSamples(1000, 1000, 0, 100),
                    },
                    RuleInput.Run(2, 10, "Few") with
                    {
                        Samples = new RunSamples(10, 10, 0, 9),
                    },
                    RuleInput.Run(3, 10, "None")
                )
            )
        );
    }

    [Fact]
    public void Counters_of_instrumented_code_are_said_of_measured_rows_only()
    {
        var run = RuleInput.Run(1, 1000, "protobuf-net");

        var said = RuleInput.Only(
            new InstrumentedCodeRule(),
            RuleInput.Of(run with { Causes = RuleInput.Causes(700, ("instrumentation", 300)) })
        );
        Assert.StartsWith(
            "over 5 % of the CPU time is counters of code that is not optimized yet: protobuf-net",
            said.Text,
            StringComparison.Ordinal
        );
        Assert.Equal(30, Assert.Single(said.Evidence).Value);
        Assert.Empty(new InstrumentedCodeRule().Check(RuleInput.Of(run with { Causes = RuleInput.Causes(960, ("instrumentation", 40)) })));
        Assert.Empty(new InstrumentedCodeRule().Check(RuleInput.Of(run with { Causes = RuleInput.Causes(7, ("instrumentation", 3)) })));
        var program = RuleInput.Run(1, 1000, "App", 0, RunOperation.Run) with
        {
            Delimiter = RunDelimiter.WholeProcess,
            Causes = RuleInput.Causes(700, ("instrumentation", 300)),
        };
        Assert.Empty(new InstrumentedCodeRule().Check(RuleInput.Of(program)));
    }

    /// <summary>A program has no warm-up and no serializer; findings have a cost in ms, which orders hints.</summary>
    [Fact]
    public void What_is_said_of_programs_is_advice_for_programs_with_its_cost()
    {
        var program = RuleInput.Run(1, 1000, "App", 0, RunOperation.Run) with { Delimiter = RunDelimiter.WholeProcess };

        var jit = RuleInput.Only(new JitInMeasuredRunsRule(), RuleInput.Of(program with { Causes = RuleInput.Causes(700, ("jit", 300)) }));
        Assert.StartsWith(
            "JIT compilation takes over 20 % of the CPU time: App Run (30 %, 300 ms with all work of the JIT's own threads); if start-up time matters, publish with ReadyToRun",
            jit.Text,
            StringComparison.Ordinal
        );
        Assert.Equal((300.0, 30.0), (jit.CostMs, Assert.Single(jit.Evidence).Value));
        Assert.Empty(
            new JitInMeasuredRunsRule().Check(RuleInput.Of(program with { JitMs = 500, Causes = RuleInput.Causes(900, ("jit", 100)) }))
        );

        var reflection = RuleInput.Only(
            new ReflectionRule(),
            RuleInput.Of(program with { Causes = RuleInput.Causes(700, ("reflectionSet", 150), ("activator", 50), ("text", 100)) })
        );
        Assert.StartsWith(
            "reflection and Activator take over 15 % of the CPU time: App Run (20 %); ",
            reflection.Text,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("serializer", reflection.Text, StringComparison.Ordinal);
        Assert.Equal(200.0, reflection.CostMs);

        var broken = RuleInput.Only(
            new BrokenStacksRule(),
            RuleInput.Of(program with { Samples = new RunSamples(1000, 1000, 0, 120), CpuMs = 1000 })
        );
        Assert.StartsWith("record with esp-record", broken.Advice, StringComparison.Ordinal);
        var recorded = RuleInput.Only(
            new BrokenStacksRule(),
            RuleInput.Of(program with { Samples = new RunSamples(1000, 1000, 0, 120), CpuMs = 1000 }) with
            {
                Recordings = [RuleInput.Recording()],
            }
        );
        Assert.Contains("--stack-dump 16384", recorded.Advice, StringComparison.Ordinal);
        Assert.Equal(120.0, broken.CostMs!.Value, 6);
    }

    [Fact]
    public void Samples_ten_milliseconds_apart_are_reported()
    {
        var finding = RuleInput.Only(
            new SampleIntervalRule(),
            RuleInput.Of(RuleInput.Run(1, 1000) with { Samples = new RunSamples(100, 1000, 0, 0) })
        );

        Assert.Equal((FindingKind.Warning, 10.0), (finding.Kind, finding.Evidence[0].Value));
        Assert.Empty(
            new SampleIntervalRule().Check(
                RuleInput.Of(
                    RuleInput.Run(1, 1000) with
                    {
                        Samples = new RunSamples(1000, 1000, 0, 0),
                    },
                    RuleInput.Run(2, 1) with
                    {
                        Samples = new RunSamples(0, 0, 0, 0),
                    },
                    RuleInput.Run(3, 1)
                )
            )
        );
    }

    [Fact]
    public void Full_GCs_for_large_objects_are_reported()
    {
        Run[] runs = [RuleInput.Run(1, 100), RuleInput.Run(2, 100), RuleInput.Run(3, 100, "Other"), RuleInput.Run(4, 100, "Other")];
        var input = RuleInput.Of(runs) with
        {
            Gcs = Gcs(
                Gc(1, 2, GcReason.AllocLarge, 5, runs[0]),
                Gc(2, 2, GcReason.AllocLarge, 9, runs[0]),
                Gc(3, 2, GcReason.OutOfSpaceLarge, 1, runs[1]),
                Gc(4, 2, GcReason.AllocSmall, 1, runs[2]),
                Gc(5, 2, GcReason.Induced, 1, runs[2]),
                Gc(6, 1, GcReason.AllocLarge, 1, runs[2]),
                Gc(7, 2, GcReason.AllocLarge, 1, runs[3]),
                Gc(8, 2, GcReason.AllocLarge, 1, null)
            ),
        };

        var finding = RuleInput.Only(new LargeObjectRule(), input);
        Assert.Contains("Json Serialize N=1000 (3 in 2 runs)", finding.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("Other", finding.Text, StringComparison.Ordinal);
        Assert.Equal([1.5, 7.5], finding.Evidence.Select(figure => figure.Value));
        Assert.Equal(
            (1, "GC 2 (Blocking, AllocLarge) in Json Serialize N=1000"),
            (finding.Locations[0].RunId!.Value, finding.Locations[0].What)
        );
        Assert.Empty(new LargeObjectRule().Check(RuleInput.Of(runs)));
    }

    [Fact]
    public void Long_pauses_without_samples_are_reported_but_not_their_causes()
    {
        var run = RuleInput.Run(1, 5000);
        var input = RuleInput.Of(run) with
        {
            Gcs = Gcs(
                Gc(1, 2, GcReason.AllocSmall, 1800, run),
                Gc(2, 1, GcReason.AllocSmall, 900, run),
                Gc(3, 2, GcReason.Induced, 2500, run)
            ),
        };

        var finding = RuleInput.Only(new LongPauseRule(), input);
        Assert.StartsWith(
            "1 GC of generation 2 stopped the program for over a second, at most 1.8 s; check what survives",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal(
            (1, 10_000.0, 11_800.0),
            (finding.Locations[0].RunId!.Value, finding.Locations[0].StartMs, finding.Locations[0].StopMs)
        );
        Assert.Empty(new LongPauseRule().Check(RuleInput.Of(run)));
    }

    private static GcRow Gc(int number, int generation, GcReason reason, double pauseMs, Run? run) =>
        new()
        {
            Process = new(string.Empty, 100),
            Number = number,
            Generation = generation,
            Reason = reason,
            Kind = GcKind.Blocking,
            StartMs = run?.StartMs ?? 1,
            StartTicks = run?.StartTicks ?? 1,
            ThreadId = 1,
            PauseMs = pauseMs,
            PauseInRunsMs = run is null ? 0 : pauseMs,
            BytesBefore = null,
            BytesAfter = null,
            PromotedBytes = null,
            Run = run,
        };

    private static GcResult Gcs(params GcRow[] rows) =>
        new(
            new()
            {
                Rows = rows,
                AllRows = rows,
                RowsTotal = rows.Length,
                Runs = 1,
                Processes = [],
                Problems = [],
            }
        )
        {
            Counts = default,
            Induced = 0,
            Background = 0,
            OutsideRuns = 0,
            PauseMs = 0,
            MaxPauseMs = 0,
            WallMs = 1,
            Overlaps = null,
        };
}
