using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Sessions.Tests;

public class EventPipePlanTests
{
    [Fact]
    public void Default_plan_is_the_two_sessions_with_their_keywords_and_levels()
    {
        var plan = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None);

        Assert.Equal(["clr", "code"], plan.Select(session => session.Name));

        // GC 0x1, Monitoring (exceptions) 0x200000000
        Assert.Equal(
            [
                "Microsoft-Windows-DotNETRuntime:0x200000001:Informational",
                "EtwSerializerProfiler-Runs:0xFFFFFFFFFFFFFFFF:Informational",
                "BenchmarkDotNet.EngineEventSource:0xFFFFFFFFFFFFFFFF:Informational",
            ],
            plan[0].Providers.Select(provider => $"{provider.Name}:{provider.Keywords}:{provider.Level}")
        );
        Assert.False(plan[0].Rundown);

        // Loader 0x8, JIT 0x10, NGEN 0x20, Contention 0x4000, Type 0x80000, MethodDetails 0x4000000000, WaitHandle 0x40000000000
        Assert.Equal(
            ["Microsoft-Windows-DotNETRuntime:0x44000084038:Verbose", "Microsoft-Windows-DotNETRuntimePrivate:0x40000:Verbose"],
            plan[1].Providers.Select(provider => $"{provider.Name}:{provider.Keywords}:{provider.Level}")
        );
        Assert.True(plan[1].Rundown);
    }

    [Fact]
    public void Lock_contention_joins_the_clr_session_where_no_code_is_recorded()
    {
        var clr = Assert.Single(EventPipePlan.Create([EventPipePlan.ClrSession], AllocationEvents.None));

        Assert.Equal("0x200004001", clr.Providers[0].Keywords);
        Assert.Contains("lock contention", clr.Purpose, StringComparison.Ordinal);
    }

    [Fact]
    public void Waits_of_pool_workers_are_recorded_on_demand()
    {
        var code = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, inlineInfo: false, workerWaits: true)[1];

        // Threading 0x10000
        Assert.Equal("0x40000014038", Assert.Single(code.Providers).Keywords);
    }

    [Fact]
    public void Without_inline_info_its_keywords_and_provider_are_left_out()
    {
        var code = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, inlineInfo: false)[1];

        Assert.Equal(
            ["Microsoft-Windows-DotNETRuntime:0x40000004038:Verbose"],
            code.Providers.Select(provider => $"{provider.Name}:{provider.Keywords}:{provider.Level}")
        );
        Assert.False(EventPipePlan.HasInlineTrees([code]));
    }

    [Fact]
    public void Without_types_what_was_inlined_is_still_recorded()
    {
        var code = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, inlineeTypes: false)[1];

        Assert.Equal("0x44000004038", code.Providers[0].Keywords);
        Assert.True(EventPipePlan.HasInlineTrees([code]));
    }

    [Fact]
    public void Requests_join_the_clr_session_with_what_is_wanted_of_them()
    {
        var clr = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, requests: true)[0];

        Assert.Equal(
            ("Microsoft-Diagnostics-DiagnosticSource", "0x2", "Informational"),
            (clr.Providers[^1].Name, clr.Providers[^1].Keywords, clr.Providers[^1].Level)
        );
        Assert.Equal(5, Assert.Single(clr.Providers[^1].Arguments!).Value.Split('\n').Length);
        Assert.EndsWith("HTTP requests", clr.Purpose, StringComparison.Ordinal);
        Assert.All(clr.Providers.SkipLast(1), provider => Assert.Null(provider.Arguments));
    }

    [Fact]
    public void Events_of_first_calls_join_the_session_for_code_at_its_level()
    {
        var plan = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, startup: StartupEvents.All);

        // The default plan's, AssemblyLoader 0x4, CompilationDiagnostic 0x2000000000, TypeDiagnostic 0x8000000000
        Assert.Equal(["clr", "code"], plan.Select(session => session.Name));
        Assert.Equal(
            "Microsoft-Windows-DotNETRuntime:0x4E00008403C:Verbose",
            $"{plan[1].Providers[0].Name}:{plan[1].Providers[0].Keywords}:{plan[1].Providers[0].Level}"
        );
        Assert.EndsWith("assembly binds, type loads, used precompiled methods", plan[1].Purpose, StringComparison.Ordinal);
        Assert.Equal("Informational", plan[0].Providers[0].Level);
    }

    [Fact]
    public void Sampled_allocations_join_the_clr_session_without_raising_its_level()
    {
        var plan = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.Sampled);

        Assert.Equal(["clr", "code", "alloc"], plan.Select(session => session.Name));
        Assert.Equal(0x80000000000UL, plan[0].Providers[0].KeywordMask & 0x80000000000UL);
        Assert.Equal("Informational", plan[0].Providers[0].Level);
    }

    [Fact]
    public void Ticks_take_the_place_of_samples_in_runtimes_that_have_none()
    {
        var plan = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.Sampled);

        Assert.Equal(
            "Microsoft-Windows-DotNETRuntime:0x1:Verbose",
            $"{plan[2].Providers[0].Name}:{plan[2].Providers[0].Keywords}:{plan[2].Providers[0].Level}"
        );
        Assert.True(plan[2].IsFor(9));
        Assert.False(plan[2].IsFor(10));
        Assert.All(plan.Take(2), session => Assert.True(session.IsFor(9) && session.IsFor(10)));
        Assert.Equal(["code"], EventPipePlan.Create(["code"], AllocationEvents.Sampled).Select(session => session.Name));
    }

    [Fact]
    public void Allocation_ticks_get_a_session_of_their_own_at_Verbose()
    {
        var plan = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.Ticks);

        Assert.Equal(["clr", "code", "alloc"], plan.Select(session => session.Name));
        Assert.Equal(
            "Microsoft-Windows-DotNETRuntime:0x1:Verbose",
            $"{plan[2].Providers[0].Name}:{plan[2].Providers[0].Keywords}:{plan[2].Providers[0].Level}"
        );
        Assert.True(plan[2].IsFor(10));
    }

    [Fact]
    public void Steps_of_async_methods_get_a_session_without_stacks_from_NET_8_on()
    {
        var session = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, asyncCallers: true)[^1];

        Assert.Equal((EventPipePlan.AsyncSession, true, false), (session.Name, session.HasNoStacks, session.Rundown));
        Assert.Equal((false, true), (session.IsFor(7), session.IsFor(8)));
        Assert.Equal(EventKinds.AsyncSteps, SessionKinds.Of(session, ".NET 8.0.1"));
    }

    [Fact]
    public void The_sample_profiler_gets_a_session_of_its_own_that_says_what_its_samples_are()
    {
        var sample = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, sampleProfiler: true)[^1];

        Assert.Equal("sample", sample.Name);
        Assert.Equal("Microsoft-DotNETCore-SampleProfiler", sample.Providers[0].Name);
        Assert.True(sample.Rundown);
        Assert.Contains("managed frames at safe points", sample.Purpose, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(AllocationEvents.None)]
    [InlineData(AllocationEvents.Sampled)]
    [InlineData(AllocationEvents.Ticks)]
    public void No_session_names_a_provider_twice(AllocationEvents allocation)
    {
        foreach (var session in EventPipePlan.Create(EventPipePlan.SessionNames, allocation))
            Assert.Equal(session.Providers.Count, session.Providers.Select(provider => provider.Name).Distinct().Count());
    }
}
