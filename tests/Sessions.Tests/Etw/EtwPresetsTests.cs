using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Running;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Runs;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Session;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>What each purpose records.</summary>
public class EtwPresetsTests
{
    [Fact]
    public void Runs_have_switches_ready_events_and_samples_with_stacks_and_two_user_sessions()
    {
        var plan = EtwPresets.Preset(EtwPurpose.Runs);

        Assert.Equal(
            KernelEvents.ProcessThread | KernelEvents.Loader | KernelEvents.Profile | KernelEvents.ContextSwitch | KernelEvents.Dispatcher,
            plan.Kernel.Events
        );
        Assert.Equal(KernelEvents.Profile | KernelEvents.ContextSwitch | KernelEvents.Dispatcher, plan.Kernel.StackEvents);
        Assert.Equal(10_000, plan.Kernel.SampleInterval);
        Assert.Equal(["esp-clr", "esp-code"], plan.UserSessions.Select(session => session.Name));
        Assert.Empty(plan.Warnings);

        // The same providers, keywords and levels as on EventPipe, and the rundown provider, which EventPipe has of its own.
        // BenchmarkDotNet's iterations are not recorded by ETW (docs/benchmarkdotnet.md). Some keywords differ, because others have not
        // been tried on Windows: session clr has Type, Threading, lock contention, and exceptions by Exception instead of Monitoring.
        var eventPipe = EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None);
        Assert.Equal(
            eventPipe.SelectMany(session =>
                session
                    .Providers.Where(provider => provider.Name != BenchmarkProvider.Name)
                    .Select(provider =>
                        (
                            session.Name,
                            provider.Name,
                            provider.Name == EventOrigins.RuntimeProvider
                                ? OnWindows(session.Name, provider.KeywordMask)
                                : provider.KeywordMask,
                            provider.Level
                        )
                    )
            ),
            plan.UserSessions.SelectMany(session =>
                session
                    .Providers.Where(provider => provider.Id != EtwProviders.Rundown)
                    .Select(provider => (session.Role, provider.Name, provider.Keywords, provider.Level.ToString()))
            )
        );
        Assert.Equal(0x138ul, plan.UserSessions[1].Providers.Single(provider => provider.Id == EtwProviders.Rundown).Keywords);

        static ulong OnWindows(string session, ulong keywords) =>
            session == "clr"
                ? (keywords & ~(ulong)RuntimeKeywords.Monitoring)
                    | (ulong)(RuntimeKeywords.Exception | RuntimeKeywords.Type | RuntimeKeywords.Threading | RuntimeKeywords.Contention)
                : keywords & ~(ulong)RuntimeKeywords.Contention;
    }

    [Fact]
    public void A_provider_stands_once_in_a_session()
    {
        foreach (var steps in EtwCases.All())
            Assert.All(steps.Plan.AllUserSessions, session => Assert.Distinct(session.Providers.Select(provider => provider.Id)));
    }

    [Fact]
    public void Guids_are_those_of_the_providers()
    {
        Assert.Equal(ClrTraceEventParser.ProviderGuid, EtwProviders.Runtime);
        Assert.Equal(Microsoft.Diagnostics.Tracing.Parsers.Clr.ClrRundownTraceEventParser.ProviderGuid, EtwProviders.Rundown);
        Assert.Equal(ClrPrivateTraceEventParser.ProviderGuid, EtwProviders.Private);
        Assert.Equal(TraceEventProviders.GetEventSourceGuidFromName("EtwSerializerProfiler-Runs"), EtwProviders.Runs);
    }

    [Fact]
    public void Allocation_ticks_are_in_a_session_of_their_own_and_nothing_else_is()
    {
        var plan = EtwPresets.Preset(EtwPurpose.Allocation);

        var ticks = Assert.Single(plan.UserSessions[2].Providers);

        Assert.Equal(["clr", "code", "alloc"], plan.UserSessions.Select(session => session.Role));
        Assert.Equal((0x1ul, EtwLevel.Verbose), (ticks.Keywords, ticks.Level));
        Assert.Equal(EtwEventFilter.Only(10), ticks.EventFilter);
        Assert.Equal(EtwEventFilter.Only(10), ticks.StackFilter);
        Assert.Equal(KernelEvents.None, plan.Kernel.StackEvents);
    }

    [Fact]
    public void Sampled_allocations_join_the_session_for_GCs_with_stacks()
    {
        var plan = EtwPresets.Create(EtwCases.Of(EtwPurpose.Allocation) with { Allocation = AllocationEvents.Sampled }, EtwMachine.Typical);

        Assert.Equal(2, plan.UserSessions.Count);
        Assert.Equal(0x80000000000ul, plan.UserSessions[0].Providers[0].Keywords & 0x80000000000ul);
        Assert.Contains(303, plan.UserSessions[0].Providers[0].StackFilter!.Ids);
    }

    [Fact]
    public void First_calls_have_the_registry_with_stacks_and_the_binder_keyword()
    {
        var plan = EtwPresets.Preset(EtwPurpose.FirstCall);

        Assert.True(plan.Kernel.Events.HasFlag(KernelEvents.Registry));
        Assert.True(plan.Kernel.StackEvents.HasFlag(KernelEvents.Registry));
        // Binder, TypeDiagnostic, CompilationDiagnostic.
        Assert.Equal(0xA000000004ul, plan.UserSessions[1].Providers[0].Keywords & 0xA000000004ul);
    }

    [Fact]
    public void Exceptions_only_records_neither_samples_nor_switches_nor_other_stacks()
    {
        var plan = EtwPresets.Preset(EtwPurpose.Exceptions);

        Assert.Equal(KernelEvents.ProcessThread | KernelEvents.Loader, plan.Kernel.Events);
        Assert.Equal(KernelEvents.None, plan.Kernel.StackEvents);
        var exceptions = plan.UserSessions[0].Providers[0];
        Assert.Equal((0x8000ul, EtwEventFilter.Only(80)), (exceptions.Keywords, exceptions.StackFilter));
        Assert.DoesNotContain(plan.UserSessions[1].Providers, provider => provider.Stacks);
    }

    /// <summary>MethodILToNativeMap is an event of level Verbose, which the session of exceptions does not use.</summary>
    [Theory]
    [InlineData(EtwPurpose.Runs, false, true)]
    [InlineData(EtwPurpose.Runs, true, true)]
    [InlineData(EtwPurpose.Allocation, false, true)]
    [InlineData(EtwPurpose.Exceptions, false, false)]
    public void Lines_need_a_keyword_of_the_runtime_and_of_each_rundown(EtwPurpose purpose, bool single, bool session)
    {
        var without = EtwPresets.Create(EtwCases.Of(purpose) with { SingleSession = single }, EtwMachine.Typical);
        var with = EtwPresets.Create(EtwCases.Of(purpose) with { SingleSession = single, Lines = true }, EtwMachine.Typical);
        var code = with.UserSessions.ToList().FindIndex(each => each.Providers.Any(provider => provider.Id == EtwProviders.Rundown));
        var added = without
            .AllUserSessions.Zip(
                with.AllUserSessions,
                (before, after) =>
                    before.Providers.Zip(
                        after.Providers,
                        (old, provider) => (after.Role, provider, Added: provider.Keywords ^ old.Keywords)
                    )
            )
            .SelectMany(each => each)
            .Where(each => each.Added != 0)
            .ToList();

        Assert.All(added, each => Assert.Equal((0x20000ul, EtwLevel.Verbose), (each.Added, each.provider.Level)));
        Assert.All(added, each => Assert.EndsWith("source lines of their code", each.provider.Purpose, StringComparison.Ordinal));
        Assert.Equal(
            [
                .. session ? [(with.UserSessions[code].Role, EtwProviders.Runtime)] : ((string, Guid)[])[],
                (with.UserSessions[code].Role, EtwProviders.Rundown),
                ("rundown", EtwProviders.Rundown),
            ],
            added.Select(each => (each.Role, each.provider.Id))
        );
    }

    [Fact]
    public void One_session_drops_allocation_ticks_unless_they_are_asked_for()
    {
        var without = Assert
            .Single(EtwPresets.Create(EtwCases.Of(EtwPurpose.Runs) with { SingleSession = true }, EtwMachine.Typical).UserSessions)
            .Providers[0];
        var with = Assert
            .Single(
                EtwPresets
                    .Create(
                        EtwCases.Of(EtwPurpose.Runs) with
                        {
                            SingleSession = true,
                            Allocation = AllocationEvents.Ticks,
                        },
                        EtwMachine.Typical
                    )
                    .UserSessions
            )
            .Providers[0];

        Assert.Equal((EtwLevel.Verbose, EtwEventFilter.Without(10)), (without.Level, without.EventFilter));
        Assert.Null(with.EventFilter);
        Assert.Contains(10, with.StackFilter!.Ids);
        Assert.Equal(0x4400009C039ul, without.Keywords);
    }

    [Theory]
    [InlineData(2, 2, 16, 64, 8, 32)] // GB, processors, kernel minimum and maximum, user minimum and maximum
    [InlineData(4, 4, 32, 128, 16, 64)]
    [InlineData(8, 8, 64, 256, 32, 128)]
    [InlineData(16, 8, 128, 512, 64, 256)]
    [InlineData(64, 96, 384, 768, 384, 768)]
    public void Buffers_go_by_memory_and_processors(int gigabytes, int processors, int kernelMin, int kernelMax, int userMin, int userMax)
    {
        var machine = new EtwMachine(((long)gigabytes << 30) - (100 << 20), processors); // minus the firmware's memory

        var kernel = EtwBufferRule.File(machine, kernel: true);
        var user = EtwBufferRule.File(machine, kernel: false);

        Assert.Equal((kernelMin, kernelMax), (kernel.Minimum, kernel.Maximum));
        Assert.Equal((userMin, userMax), (user.Minimum, user.Maximum));
        Assert.Equal(1024, kernel.SizeKB);
    }

    [Fact]
    public void Circular_memory_is_shared_by_all_sessions()
    {
        var plan = EtwPresets.Create(
            EtwCases.Of(EtwPurpose.Allocation) with
            {
                Mode = RecordingMode.Circular(1 << 30),
            },
            EtwMachine.Typical
        );

        var total = plan.UserSessions.Sum(session => session.Buffers.MaxBytes) + plan.Kernel.Buffers.MaxBytes;

        Assert.InRange(total, 1000L << 20, 1L << 30);
        Assert.Equal(716, plan.Kernel.Buffers.Maximum); // 70 % of 1024 MB
        Assert.All(plan.UserSessions, session => Assert.Equal(session.Buffers.Minimum, session.Buffers.Maximum));
    }

    /// <summary>Where the kernel session only names processes, the other sessions get the memory.</summary>
    [Fact]
    public void Circular_memory_goes_to_the_sessions_that_have_the_events()
    {
        var runs = EtwPresets.Create(EtwCases.Of(EtwPurpose.Runs) with { Mode = RecordingMode.Circular(1 << 30) }, EtwMachine.Typical);
        var exceptions = EtwPresets.Create(
            EtwCases.Of(EtwPurpose.Exceptions) with
            {
                Mode = RecordingMode.Circular(1 << 30),
            },
            EtwMachine.Typical
        );

        Assert.True(runs.Kernel.Buffers.MaxBytes > 2 * runs.UserSessions.Sum(session => session.Buffers.MaxBytes));
        Assert.True(exceptions.UserSessions.Sum(session => session.Buffers.MaxBytes) > 3 * exceptions.Kernel.Buffers.MaxBytes);
    }

    [Theory]
    [InlineData(64, 8, 1024, 512)] // 44.8 MB for the kernel session make 44 buffers of 1 MB; 9.6 MB for each other one would make too few
    [InlineData(16, 8, 512, 128)]
    public void Little_circular_memory_is_divided_into_smaller_buffers(int megabytes, int processors, int kernelKB, int userKB)
    {
        var machine = new EtwMachine(16L << 30, processors);

        var kernel = EtwBufferRule.Circular(machine, (long)megabytes << 20, kernel: true, userSessions: 2, KernelEvents.Profile);
        var user = EtwBufferRule.Circular(machine, (long)megabytes << 20, kernel: false, userSessions: 2, KernelEvents.Profile);

        Assert.True(kernel.SizeKB >= kernelKB && user.SizeKB >= userKB, $"{kernel.SizeKB} {user.SizeKB}");
        Assert.All([kernel, user], buffers => Assert.True(buffers.Maximum >= 2 * processors));
        Assert.True(kernel.MaxBytes + (2 * user.MaxBytes) <= (long)megabytes << 20);
    }

    [Fact]
    public void Circular_memory_that_is_too_little_for_its_buffers_is_warned_about()
    {
        var plan = EtwPresets.Create(EtwCases.Of(EtwPurpose.Runs) with { Mode = RecordingMode.Circular(1 << 20) }, EtwMachine.Typical);

        Assert.Contains(
            plan.Warnings,
            warning => warning.StartsWith("the buffers take 3 MB instead of circular:1MB", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(
            EtwPresets.Create(EtwCases.Of(EtwPurpose.Runs) with { Mode = RecordingMode.Circular(64 << 20) }, EtwMachine.Typical).Warnings,
            warning => warning.StartsWith("the buffers", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void A_coarse_interval_and_too_much_memory_are_warned_about()
    {
        var plan = EtwPresets.Create(
            EtwCases.Of(EtwPurpose.Runs) with
            {
                SampleInterval = 100_000,
                Mode = RecordingMode.Circular(8L << 30),
            },
            EtwMachine.Typical
        );

        Assert.Contains(
            plan.Warnings,
            warning => warning.StartsWith("a sample every 10 ms: a run of 30 ms has 3 samples", StringComparison.Ordinal)
        );
        Assert.Contains(plan.Warnings, warning => warning.Contains("applies to the whole machine", StringComparison.Ordinal));
        Assert.Contains(
            plan.Warnings,
            warning => warning.StartsWith("circular:8GB is more than a quarter of this machine's 16 GB", StringComparison.Ordinal)
        );
        Assert.Empty(EtwPresets.Create(EtwCases.Of(EtwPurpose.Exceptions) with { SampleInterval = 100_000 }, EtwMachine.Typical).Warnings);
    }

    [Theory]
    [InlineData("in:80", true, new[] { 80 })]
    [InlineData("80,81,80", true, new[] { 80, 81 })]
    [InlineData("out:10, 9", false, new[] { 10, 9 })]
    public void Filters_are_read(string text, bool include, int[] ids)
    {
        Assert.True(EtwEventFilter.TryParse(text, out var filter, out var error), error);
        Assert.Equal(new EtwEventFilter(include, ids), filter);
        Assert.True(EtwEventFilter.TryParse(filter!.ToString(), out var again, out _));
        Assert.Equal(filter, again);
    }

    [Theory]
    [InlineData("")]
    [InlineData("in:")]
    [InlineData("in:x")]
    [InlineData("in:-1")]
    [InlineData("out:70000")]
    public void Wrong_filters_are_refused_with_an_example(string text)
    {
        Assert.False(EtwEventFilter.TryParse(text, out _, out var error));
        Assert.Contains("in:80", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Windows_takes_64_ids_in_a_filter()
    {
        Assert.True(EtwEventFilter.TryParse(string.Join(',', Enumerable.Range(1, 64)), out _, out _));
        Assert.False(EtwEventFilter.TryParse(string.Join(',', Enumerable.Range(1, 65)), out _, out var error));
        Assert.Contains("64", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_of_kernel_events_are_TraceEvents()
    {
        var all = KernelEventNames.All.Aggregate(KernelEvents.None, (events, name) => events | name.Events);

        var keywords = TraceEventStepExecutor.Keywords(all); // parses each

        Assert.True(
            keywords.HasFlag(
                KernelTraceEventParser.Keywords.ContextSwitch
                    | KernelTraceEventParser.Keywords.Dispatcher
                    | KernelTraceEventParser.Keywords.Profile
                    | KernelTraceEventParser.Keywords.ImageLoad
            )
        );
        Assert.Equal(Enum.GetValues<KernelEvents>().Length - 1, KernelEventNames.All.Count);
    }

    [Fact]
    public void TraceEvent_gets_filters_as_its_options_have_them()
    {
        var provider = EtwPresets.Preset(EtwPurpose.Allocation).UserSessions[2].Providers[0];

        var included = TraceEventStepExecutor.Options(provider);
        var excluded = TraceEventStepExecutor.Options(
            provider with
            {
                StackFilter = EtwEventFilter.Without(9),
                EventFilter = EtwEventFilter.Without(10),
            }
        );

        Assert.False(included.StacksEnabled);
        Assert.Equal([10], included.EventIDStacksToEnable);
        Assert.Equal([10], included.EventIDsToEnable);
        Assert.Null(included.EventIDsToDisable);
        Assert.True(excluded.StacksEnabled);
        Assert.Equal([9], excluded.EventIDStacksToDisable);
        Assert.Equal([10], excluded.EventIDsToDisable);
        Assert.Null(excluded.EventIDsToEnable);
    }
}
