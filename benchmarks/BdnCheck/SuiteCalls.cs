using BenchmarkDotNet.Attributes;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.BdnCheck;

/// <summary>
/// One call of the suite as a benchmark: the same graph, stream and method. Clock, warm-up, order and statistics are BenchmarkDotNet's.
/// </summary>
/// <remarks>As in the suite, one call is one iteration, and a full GC precedes it.</remarks>
#pragma warning disable CA1001 // BenchmarkDotNet calls Close
public class SuiteCalls
#pragma warning restore CA1001
{
    /// <summary>Objects of a settling call: enough to make every method of a serializer hot.</summary>
    private const int SettlingObjects = 10_000;

    private const int MinSettlingCalls = 4;
    private const int MaxSettlingCalls = 40;

    /// <summary>Longer than the 100 ms without new code after which the runtime counts calls.</summary>
    private static readonly TimeSpan s_settlingPause = TimeSpan.FromMilliseconds(120);

    /// <summary>The calls; set before BenchmarkDotNet reads them.</summary>
    internal static Calls Chosen { get; set; } = new("", "1");

    private RunWorkload _workload = null!;

    [ParamsSource(nameof(Names))]
    public string Serializer { get; set; } = "";

    [ParamsSource(nameof(Counts))]
    public int Objects { get; set; }

    [ParamsSource(nameof(Operations))]
    public string Operation { get; set; } = "";

    public static IEnumerable<string> Names => Chosen.Names;

    public static IEnumerable<int> Counts => Chosen.Counts;

    public static IEnumerable<string> Operations => Calls.Operations;

    /// <summary>
    /// Prepares the call, and repeats it until nothing more is compiled: single calls are too close together for the next tier to start.
    /// </summary>
    [GlobalSetup]
    public void Prepare()
    {
        var serializer = SerializerRegistry.All.Single(serializer => serializer.Name == Serializer);
        using (var settling = new RunWorkload(serializer, Operation, SettlingObjects, payloadBytes: 0, StreamKind.Memory))
        {
            var jit = new JitActivity();
            for (var call = 1; call <= MaxSettlingCalls && !(jit.HasComeToRest() && call > MinSettlingCalls); call++)
            {
                settling.Reset();
                settling.Operation();
                Thread.Sleep(s_settlingPause);
            }
        }

        _workload = new RunWorkload(serializer, Operation, Objects, payloadBytes: 0, StreamKind.Memory);
    }

    [IterationSetup]
    public void Reset() => _workload.Reset();

    [Benchmark]
    public long Call() => _workload.Operation();

    [GlobalCleanup]
    public void Close() => _workload.Dispose();
}
