using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests.Causes;

/// <summary>Made-up stacks against hand-assigned causes. A sample is 1 ms; the window of run 1 is 999 to 3001 µs.</summary>
public sealed class CauseMatrixTests
{
    private const ulong Entry = 0x1000;
    private const ulong Harness = 0x1100;
    private const ulong Library = 0x2000;
    private const ulong SetValue = 0x3000;
    private const ulong Invoke = 0x3100;
    private const ulong Create = 0x3200;
    private const ulong Cast = 0x3300;
    private const ulong List = 0x3400;
    private const ulong Number = 0x3500;
    private const ulong Setter = 0x4000;
    private const ulong Emitted = 0x5000;
    private const ulong Formatter = 0x5100;
    private const ulong Stub = 0x5200;
    private const ulong Libc = 0x7000_0000;
    private const ulong Runtime = 0x7100_0000;
    private const ulong Jit = 0x7200_0000;
    private const ulong Kernel = 0xffffffff81000000;
    private const int Other = 7;

    /// <summary>Code begins this many bytes before the addresses above: a return address is looked up a byte before it.</summary>
    private const int Into = 8;

    private static SyntheticTrace Trace(string serializer = "XmlSerializer", int thread = SyntheticTrace.Main) =>
        new SyntheticTrace()
            .Run(1, 1000, 3000, identity: SyntheticTrace.Identity(serializer))
            .Module("/app/esp-workload.dll", 1)
            .Module("/fx/System.Private.Xml.dll", 2)
            .Module("/fx/System.Private.CoreLib.dll", 3)
            .Module("MessagePack.Resolvers.DynamicObjectResolver", 4, dynamic: true)
            .Code(1, Entry - Into, "EtwSerializerProfiler.Workload.Serializers.XmlText", "Serialize", 1, module: 1)
            .Code(1, Harness - Into, "EtwSerializerProfiler.Workload.Data.BookShelfModel", "Touch", 2, module: 1)
            .Code(1, Library - Into, "System.Xml.XmlWriter", "WriteStartElement", 3, module: 2)
            .Code(1, SetValue - Into, "System.Reflection.FieldInfo", "SetValue", 4, module: 3)
            .Code(1, Invoke - Into, "System.Reflection.MethodBaseInvoker", "InvokeWithOneArg", 5, module: 3)
            .Code(1, Create - Into, "System.Activator", "CreateInstance", 6, module: 3)
            .Code(1, Cast - Into, "System.Runtime.CompilerServices.CastHelpers", "ChkCastAny", 7, module: 3)
            .Code(1, List - Into, "System.Collections.Generic.List`1[System.__Canon]", "Add", 8, module: 3)
            .Code(1, Number - Into, "System.Number", "Int32ToDecStr", 9, module: 3)
            .Code(1, Setter - Into, "EtwSerializerProfiler.Workload.Data.Book", "set_Title", 10, module: 1)
            .Code(1, Emitted - Into, "dynamicClass", "WriteBook", 11)
            .Code(1, Formatter - Into, "MessagePack.Formatters.BookFormatter1", "Serialize", 12, module: 4)
            .Code(1, Stub - Into, "dynamicClass", "InvokeStub_Book.set_Title", 13, module: 4)
            .Map(1, Libc - Into, "/lib/libc.so.6")
            .Map(1, Runtime - Into, "/lib/libcoreclr.so")
            .Map(1, Jit - Into, "/lib/libclrjit.so")
            .Named(1, thread, "worker");

    [Theory]
    [InlineData("own", Library, Entry, Libc)]
    [InlineData("own", Entry, Libc)]
    [InlineData("own", List, Library, Entry, Libc)]
    [InlineData("reflectionSet", SetValue, Library, Entry, Libc)]
    [InlineData("reflectionSet", List, SetValue, Library, Entry, Libc)]
    [InlineData("reflectionSet", Cast, SetValue, Library, Entry, Libc)]
    [InlineData("reflectionSet", Runtime, SetValue, Library, Entry, Libc)]
    [InlineData("casts", Cast, Library, Entry, Libc)]
    [InlineData("reflectionInvoke", Invoke, Library, Entry, Libc)]
    [InlineData("own", Setter, Invoke, Library, Entry, Libc)]
    [InlineData("text", Number, Setter, Invoke, Library, Entry, Libc)]
    [InlineData("activator", Create, Library, Entry, Libc)]
    [InlineData("activator", Create, Invoke, Library, Entry, Libc)]
    [InlineData("helpers", Runtime, Library, Entry, Libc)]
    [InlineData("helpers", Libc, Runtime, Library, Entry, Libc)]
    [InlineData("jit", Jit, Runtime, Library, Entry, Libc)]
    [InlineData("jit", Runtime, Jit, Runtime, SetValue, Entry, Libc)]
    [InlineData("emittedCode", Emitted, Library, Entry, Libc)]
    [InlineData("emittedCode", Emitted, Invoke, Library, Entry, Libc)]
    [InlineData("emittedCode", Formatter, Library, Entry, Libc)]
    [InlineData("emittedCode", List, Formatter, Invoke, Library, Entry, Libc)]
    [InlineData("own", Library, Formatter, Library, Entry, Libc)]
    [InlineData("casts", Cast, Formatter, Library, Entry, Libc)]
    [InlineData("reflectionInvoke", Stub, Library, Entry, Libc)]
    [InlineData("own", Library, Emitted, Library, Entry, Libc)]
    [InlineData("text", Number, Emitted, Library, Entry, Libc)]
    [InlineData("helpers", Runtime, Emitted, Library, Entry, Libc)]
    [InlineData("helpers", Runtime, Formatter, Library, Entry, Libc)]
    [InlineData("harness", Harness, Libc)]
    [InlineData("harness", SetValue, Harness, Libc)]
    [InlineData("broken", SetValue, Harness)]
    [InlineData("own", Library, Entry)]
    public void A_stack_has_its_cause(string expected, params ulong[] frames) =>
        Assert.Equal(expected, CauseOf(Trace().Sample(1500, SyntheticTrace.Main, 0, frames)));

    [Fact]
    public void The_kernel_belongs_to_what_called_it()
    {
        Assert.Equal("kernel", CauseOf(Trace().Sample(1500, SyntheticTrace.Main, 1, Kernel, Library, Entry, Libc)));
        Assert.Equal("reflectionSet", CauseOf(Trace().Sample(1500, SyntheticTrace.Main, 1, Kernel, SetValue, Entry, Libc)));
        Assert.Equal("kernel", CauseOf(Trace().Sample(1500, SyntheticTrace.Main, 1, Kernel, Emitted, Library, Entry, Libc)));
        Assert.Equal("helpers", CauseOf(Trace().Sample(1500, SyntheticTrace.Main, 1, Kernel, Runtime, Library, Entry, Libc)));
    }

    [Fact]
    public void The_thread_that_suspended_the_others_collects()
    {
        var times = Times(
            Trace()
                .Pause(1400, 1600, thread: SyntheticTrace.Main)
                .Sample(1300, SyntheticTrace.Main, 0, Runtime, Library, Entry, Libc)
                .Sample(1500, SyntheticTrace.Main, 0, Runtime, Library, Entry, Libc)
                .Sample(1500, Other, 0, Runtime, Library, Entry, Libc)
        );

        Assert.Equal((1_000_000L, 2_000_000L), (Of(times, CauseCatalog.GcCollection), Of(times, "helpers")));
    }

    [Fact]
    public void Threads_outside_the_serializer_stand_beside_it()
    {
        var times = Times(
            Trace()
                .Named(2, 11, ".NET Server GC")
                .Named(2, 12, ".NET Tiered Com")
                .Named(2, 13, "pool")
                .Sample(1500, 11, 0, Runtime, Libc)
                .Sample(1500, 12, 0, Jit, Libc)
                .Sample(1500, 13, 0, List, Libc)
                .Sample(1500, 13, 0, Library, Entry, Libc)
        );

        Assert.Equal(
            (1_000_000L, 1_000_000L, 1_000_000L, 1_000_000L),
            (times.GcThreads, times.JitThreads, times.OtherThreads, times.Serializer)
        );
        Assert.Equal(4_000_000, times.Total);
    }

    [Fact]
    public void Other_processes_count_in_the_runs_window_and_not_as_part_of_the_process()
    {
        var times = Times(
            Trace()
                .Sample(1500, SyntheticTrace.Main, 0, Library, Entry, Libc)
                .OtherProcess(998, 77)
                .OtherProcess(1500, 77)
                .OtherProcess(2500, 78)
                .OtherProcess(3002, 77)
        );

        Assert.Equal((2_000_000L, 1_000_000L), (times.OtherProcesses!.Value, times.Total));
        Assert.Null(
            Synthetic
                .OnlyRun(new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.OtherProcesses }.Run(1, 1000, 3000))
                .Causes!.OtherProcesses
        );
        Assert.Equal(3, CauseTimes.Sum([Of(1), Of(2)])!.OtherProcesses);
        Assert.Null(CauseTimes.Sum([Of(1), Of(null), Of(2)])!.OtherProcesses);

        static CauseTimes Of(long? others) => new() { TicksPerSecond = 1, OtherProcesses = others };
    }

    [Fact]
    public void A_serializer_whose_entry_is_not_known_has_all_of_the_measuring_thread()
    {
        var times = Times(
            Trace("MyOwn")
                .Sample(1500, SyntheticTrace.Main, 0, SetValue, Harness, Libc)
                .Sample(1600, SyntheticTrace.Main, 0, Harness, Libc)
                .Sample(1700, Other, 0, Harness, Libc)
        );

        Assert.False(times.HasEntry);
        Assert.Equal((1_000_000L, 1_000_000L, 1_000_000L), (times.Own, Of(times, "reflectionSet"), times.OtherThreads));
    }

    [Fact]
    public void Threads_that_take_part_in_the_run_count_as_the_measuring_thread()
    {
        var times = Times(
            Trace("MyOwn")
                .Named(2, Other, "SuiteThread1")
                .Sample(1500, Other, 0, SetValue, Harness, Libc)
                .Sample(1600, SyntheticTrace.Main, 0, Harness, Libc)
        );
        Assert.Equal((1_000_000L, 1_000_000L, 0L), (times.Own, Of(times, "reflectionSet"), times.OtherThreads));

        var known = Times(
            Trace()
                .Named(2, Other, "SuiteThread1")
                .Sample(1500, Other, 0, Library, Entry, Libc)
                .Sample(1600, Other, 0, Harness, Libc)
                .Sample(1600, 9, 0, Harness, Libc)
        );
        Assert.Equal((1_000_000L, 1_000_000L, 1_000_000L), (known.Own, known.Harness, known.OtherThreads));
    }

    [Theory]
    [InlineData("FlatBuffers")]
    [InlineData("FlatSharp")]
    [InlineData("ZeroFormatter")]
    public void Touching_what_a_serializer_reads_lazily_is_its_work(string serializer)
    {
        var lazy = Times(
            Trace(serializer)
                .Sample(1500, SyntheticTrace.Main, 0, Library, Harness, Libc)
                .Sample(1600, SyntheticTrace.Main, 0, SetValue, Harness, Libc)
        );
        Assert.Equal((1_000_000L, 1_000_000L, 2_000_000L, 0L), (lazy.Own, Of(lazy, "reflectionSet"), lazy.LazyReads, lazy.Harness));

        var eager = Times(
            Trace().Sample(1500, SyntheticTrace.Main, 0, Library, Entry, Libc).Sample(1600, SyntheticTrace.Main, 0, Library, Harness, Libc)
        );
        Assert.Equal((1_000_000L, 0L, 1_000_000L), (eager.Own, eager.LazyReads, eager.Harness));
    }

    /// <summary>Every stack of up to five of the frames, in every order, is counted exactly once.</summary>
    [Fact]
    public void Own_and_causes_and_what_lies_outside_add_up()
    {
        ulong[] frames = [Entry, Harness, Library, SetValue, Invoke, Create, Cast, List, Number, Setter, Emitted, Libc, Runtime, Jit];
        var random = new Random(5);
        var trace = Trace().Pause(1400, 1600);
        const int Samples = 3000;
        for (var i = 0; i < Samples; i++)
            trace.Sample(
                1000 + random.Next(2000),
                random.Next(2) == 0 ? SyntheticTrace.Main : Other,
                0,
                [.. Enumerable.Range(0, random.Next(6)).Select(_ => frames[random.Next(frames.Length)])]
            );

        var times = Times(trace);
        Assert.Equal(Samples * 1_000_000L, times.Total);
        Assert.Equal(
            times.Total,
            times.Own + times.Causes.Sum() + times.Harness + times.Broken + times.GcThreads + times.JitThreads + times.OtherThreads
        );
        Assert.Equal(times.Serializer - times.Own, CauseCatalog.All.Select(cause => cause.Group).Distinct().Sum(times.Group));
        Assert.Equal(times.Serializer, times.Samples * 1_000_000L);
        Assert.All(
            [
                times.Own,
                times.Harness,
                times.Broken,
                times.OtherThreads,
                times.Group(CauseCatalog.ReflectionGroup),
                times.Group(CauseCatalog.ActivatorGroup),
            ],
            part => Assert.NotEqual(0, part)
        );
    }

    [Fact]
    public void Without_samples_or_names_nothing_was_recorded()
    {
        Assert.Null(Synthetic.OnlyRun(new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.CpuSamples }.Run(1, 1000, 3000)).Causes);
        Assert.Null(Synthetic.OnlyRun(new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.MethodCode }.Run(1, 1000, 3000)).Causes);
        Assert.Equal(0, Times(Trace()).Total);
    }

    private static CauseTimes Times(SyntheticTrace trace) => Synthetic.OnlyRun(trace).Causes!;

    private static long Of(CauseTimes times, string key) => times.Causes[CauseCatalog.All.ToList().FindIndex(cause => cause.Key == key)];

    private static string CauseOf(SyntheticTrace trace)
    {
        var times = Times(trace);
        Assert.Equal(1_000_000, times.Total);
        return times switch
        {
            { Own: > 0 } => "own",
            { Harness: > 0 } => "harness",
            { Broken: > 0 } => "broken",
            _ => CauseCatalog.All[Array.FindIndex(times.Causes, ticks => ticks > 0)].Key,
        };
    }
}
