using EtwSerializerProfiler.TestSupport;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// CPU samples without reading costs: one every 10 µs in 20 runs, with stacks like a serializer's: 16 common frames, then up to 24 from a
/// walk through 400 methods, mostly the same as in the previous sample.
/// </summary>
/// <param name="count">Samples.</param>
internal sealed class MadeSamples(int count) : ITraceSource
{
    private const int Runs = 20;
    private const int Methods = 400;
    private const int CommonFrames = 16;
    private const int DeepestWalk = 24;
    private const ulong FirstMethod = 0x10_0000;
    private const int Microseconds = 10;

    public string Name => "made-up samples";

    public TraceClock Clock { get; } = new(0, 1_000_000_000);

    public int ProcessId => SyntheticTrace.Process;

    public EventKinds Kinds => EventKinds.CpuSamples;

    public EventDetails Details => EventDetails.None;

    /// <summary>A process with these samples and their methods.</summary>
    public static TraceInput Input(int count)
    {
        var marks = new SyntheticTrace { Kinds = EventKinds.RunMarks | EventKinds.MethodCode | EventKinds.Waits }.Module(
            "/app/esp-workload.dll"
        );
        var length = (double)count * Microseconds / Runs;
        for (var run = 0; run < Runs; run++)
            marks.Run(
                run + 1,
                1000 + (run * (length + 2000)),
                1000 + (run * (length + 2000)) + length,
                identity: SyntheticTrace.Identity("SystemTextJson", objects: 1000 << (run % 5), number: run)
            );
        for (var method = 0; method < Methods; method++)
            marks.Code(
                1,
                FirstMethod + ((ulong)method * 0x100),
                method == CommonFrames - 1
                    ? "EtwSerializerProfiler.Workload.Serializers.SystemTextJson"
                    : $"System.Text.Json.Part{method / 8}",
                method == CommonFrames - 1 ? "Serialize" : $"Method{method}",
                method + 1
            );
        return new TraceInput(
            ["made-up"],
            [new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [marks, new MadeSamples(count)], [])],
            [],
            false,
            [],
            ["made-up"]
        );
    }

    public TraceReadResult Read(EventHub hub)
    {
        if (!hub.Wants<CpuSample>())
            return new TraceReadResult(0, 0, 0, 0, null);
        var random = new Random(1);
        var walk = new List<ulong>();
        var frames = new ulong[CommonFrames + DeepestWalk];
        var (perRun, gap) = (count / Runs, 2_000_000L);
        for (var sample = 0; sample < count; sample++)
        {
            for (var steps = random.Next(6); steps > 0 && walk.Count > 0; steps--)
                walk.RemoveAt(walk.Count - 1);
            for (var steps = random.Next(6); steps > 0 && walk.Count < DeepestWalk; steps--)
                walk.Add(FirstMethod + ((ulong)(CommonFrames + ((walk.Count * 16) + random.Next(3))) * 0x100) + 8);
            for (var i = 0; i < walk.Count; i++)
                frames[i] = walk[walk.Count - 1 - i];
            for (var i = 0; i < CommonFrames; i++)
                frames[walk.Count + i] = FirstMethod + ((ulong)(CommonFrames - 1 - i) * 0x100) + 8;
            var time =
                1_000_000L
                + ((long)(sample / perRun) * (((long)perRun * Microseconds * 1000) + gap))
                + ((sample % perRun) * Microseconds * 1000L)
                + 500;
            hub.Publish(
                new CpuSample(
                    new EventAt(time, ProcessId, SyntheticTrace.Main),
                    Microseconds * 1000,
                    isKernel: false,
                    frames.AsSpan(0, walk.Count + CommonFrames),
                    0
                )
                {
                    IsCut = false,
                }
            );
        }

        return new TraceReadResult(count, 0, 1_000_000, 2_000_000, null);
    }
}
