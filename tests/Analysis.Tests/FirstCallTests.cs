using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Parts of made-up first calls. The clock of each runs from 1000 to 3000 µs.</summary>
public sealed class FirstCallTests
{
    private const int Worker = 77;

    [Fact]
    public void Compilation_and_rest_add_up_to_the_programs_own_clock()
    {
        // 200 µs before the clock, 400 in it, 100 of them nested, 50 overlap the start, 25 overlap the end.
        var row = Only(
            Trace()
                .Compile(700, 900, 1)
                .Compile(950, 1050, 2)
                .JitStart(1200, 3)
                .Compile(1300, 1400, 4)
                .MethodLoad(1600, 3)
                .Compile(2975, 3100, 5)
                .Compile(1500, 2500, 6, CodeTier.Tier1, thread: Worker)
        );

        Assert.Equal((2.0, 0.475, 1.525), (row.MedianMs, Math.Round(row.JitMs!.Value, 6), Math.Round(row.RestMs!.Value, 6)));
        Assert.Equal((1.0, 0.25), (row.BackgroundJitMs, row.LaunchJitMs));
        Assert.Equal((4, 1, 1), (row.Methods, row.BackgroundMethods, row.LaunchMethods)); // by the end of their compilation
    }

    [Fact]
    public void Type_loads_have_neither_the_compilations_in_them_nor_those_around_them()
    {
        // 100 with one inside counts once; one within a compilation not at all; a compilation of 40 within a load of 200 goes.
        var row = Only(
            Trace()
                .TypeLoad(1100, 1200, 1, 501)
                .TypeLoad(1120, 1150, 2, 502)
                .JitStart(1300, 1)
                .TypeLoad(1320, 1380, 3, 503)
                .MethodLoad(1400, 1)
                .TypeLoad(1500, 1700, 4, 501)
                .Compile(1550, 1590, 2)
                .TypeLoad(2000, 2100, 5, 504, Worker)
                .TypeLoad(2200, 2210, 6, 0)
        );

        Assert.Equal((0.27, 0.14), (Math.Round(row.TypeMs!.Value, 6), Math.Round(row.JitMs!.Value, 6)));
        Assert.Equal((6, 4), (row.TypeLoads, row.Types));
    }

    [Fact]
    public void Methods_are_counted_by_what_their_code_is()
    {
        var row = Only(
            Trace()
                .Assembly(1010, 9, "Made.In.Memory, Version=0.0.0.0", dynamic: true)
                .Compile(1100, 1110, 1, module: 90)
                .Compile(1110, 1120, 2, CodeTier.Optimized, dynamic: true, name: "lambda_method")
                .Compile(1120, 1130, 3, CodeTier.Optimized, dynamic: true, name: "IL_STUB_PInvoke")
                .Compile(1130, 1140, 4)
                .Compile(1140, 1150, 5, CodeTier.Tier0Instrumented)
                .Compile(1150, 1160, 6, CodeTier.Tier1Osr)
                .Compile(1160, 1170, 7, CodeTier.MinOpt)
                .Precompiled(1200)
                .Precompiled(1210, found: false)
                .Precompiled(900)
                .Precompiled(1220)
        );

        Assert.Equal((7, 2, 1), (row.Methods, row.Emitted, row.Stubs));
        Assert.Equal((3, 1, 3), (row.Tier0, row.Tier1, row.OtherTiers));
        Assert.Equal((2, 1), (row.Precompiled, row.LaunchPrecompiled));
        Assert.Equal("Made.In.Memory", row.Generated);
    }

    [Fact]
    public void Assemblies_are_those_loaded_in_the_call_and_failed_loads_those_not_found()
    {
        var result = Analyze(
            Trace()
                .Assembly(500, 1, "Early, Version=1.0.0.0")
                .Assembly(1100, 2, "Lib, Version=1.0.0.0")
                .Assembly(1200, 3, "Facade, Version=1.0.0.0", precompiled: false)
                .Assembly(1300, 4, "App.XmlSerializers, Version=1.0.0.0")
                .AssemblyBind(1050, "Lib, Version=1.0.0.0", found: true)
                .AssemblyBind(1250, "App.Missing, Version=1.0.0.0", found: false)
                .Assembly(3100, 5, "Late")
        );

        var row = Assert.Single(result.Rows);
        Assert.Equal((3, 2, 1, 1), (row.Assemblies, row.PrecompiledAssemblies, row.FailedLoads, row.LaunchAssemblies));
        Assert.Equal("App.XmlSerializers (pregenerated)", row.Generated);
        Assert.Equal(
            [
                ("Lib", AssemblyOutcome.Loaded, true),
                ("Facade", AssemblyOutcome.Loaded, false),
                ("App.XmlSerializers", AssemblyOutcome.Loaded, true),
                ("App.Missing", AssemblyOutcome.NotFound, null),
            ],
            result.Assemblies.Select(assembly => (assembly.Name, assembly.Outcome, assembly.IsPrecompiled))
        );
    }

    [Fact]
    public void The_launch_ends_with_the_clocks_start_and_lacks_what_the_recorder_took()
    {
        var process = Process(Trace().Launched(-49_000, 3010)) with { HeldMs = 20 };

        var row = Assert.Single(Analyze([process]).Rows);

        Assert.Equal((30.0, 20.0), (row.LaunchMs, row.HeldMs));
        Assert.Null(Only(Trace()).LaunchMs);
    }

    [Fact]
    public void What_was_not_recorded_is_null()
    {
        var row = Only(Trace(EventKinds.All & ~(EventKinds.Jit | EventKinds.Startup)).Compile(1100, 1200, 1));
        Assert.Equal(2.0, row.MedianMs);
        Assert.All([row.JitMs, row.RestMs, row.TypeMs, row.BackgroundJitMs, row.LaunchJitMs, row.LaunchMs], Assert.Null);
        Assert.All(
            [row.Methods, row.Emitted, row.Tier0, row.Precompiled, row.Types, row.Assemblies, row.FailedLoads, row.LaunchTypes],
            value => Assert.Null(value)
        );
        Assert.Null(row.Generated);

        var result = Analyze(Trace(EventKinds.All & ~EventKinds.TypeLoads));
        Assert.Null(result.Rows[0].Types);
        Assert.Equal(0, result.Rows[0].FailedLoads);
        Assert.Equal(["type loads were not recorded in 1 of 1 process: --startup all records them"], result.Problems);
    }

    [Fact]
    public void Rows_are_medians_over_processes_and_counts_are_ones_that_a_run_had()
    {
        TracedProcess[] processes =
        [
            Process(Trace(process: 1).Compile(1100, 1200, 1)),
            Process(Trace(process: 2).Compile(1100, 1400, 1).Compile(1500, 1600, 2).Compile(1700, 1800, 3)),
            Process(Trace(process: 3, operation: RunOperation.Construct, objects: 0)),
            Process(Trace(process: 4, error: "System.Exception: no")),
            Process(Trace(process: 5, serializer: "Broken", error: "System.Exception: no")),
            Process(Trace(process: 6, serializer: "(runtime)", operation: RunOperation.StartRuntime, objects: 0)),
        ];

        var rows = Analyze(processes).Rows;

        Assert.Equal(
            [
                ("(runtime)", "StartRuntime", 1, 0),
                ("Json", "Construct", 1, 0),
                ("Json", "FirstSerialize", 2, 1),
                ("Broken", "FirstSerialize", 0, 1),
            ],
            rows.Select(row => (row.Key.Serializer, row.Key.Operation, row.Runs, row.FailedRuns))
        );
        Assert.Equal((0.3, 1), (Math.Round(rows[2].JitMs!.Value, 6), rows[2].Methods));
        Assert.Null(rows[3].MedianMs);
        Assert.Equal(["Json"], Analyze(processes, new RunFilter { Serializer = "json" }).Rows.Select(row => row.Key.Serializer).Distinct());
        Assert.Throws<NoRunMatchesException>(() => Analyze(processes, new RunFilter { Serializer = "nobody" }));
    }

    private static SyntheticTrace Trace(
        EventKinds capabilities = EventKinds.All,
        int process = SyntheticTrace.Process,
        string serializer = "Json",
        string operation = RunOperation.FirstSerialize,
        int objects = 1,
        string error = ""
    ) =>
        new SyntheticTrace { Kinds = capabilities, ProcessId = process }.Run(
            1,
            1000,
            3000,
            identity: SyntheticTrace.Identity(serializer, operation, RunKind.FirstCall, objects),
            measurement: SyntheticTrace.Measurement(1000, 3000, error: error)
        );

    private static TracedProcess Process(SyntheticTrace trace) => new(trace.ProcessId, "program", ".NET 10.0", [trace], []);

    private static FirstCallRow Only(SyntheticTrace trace) => Assert.Single(Analyze(trace).Rows);

    private static FirstCallResult Analyze(SyntheticTrace trace) => Analyze([Process(trace)]);

    private static FirstCallResult Analyze(IReadOnlyList<TracedProcess> processes, RunFilter? filter = null) =>
        FirstCallAnalysis.Run(processes, RunAnalysis.Run(processes, []).Runs, filter ?? new RunFilter());
}
