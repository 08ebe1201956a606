using BenchmarkDotNet.Attributes;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.BdnCheck;

/// <summary>One call of the suite as a benchmark: the same graph, stream and method. Clock, warm-up, order and statistics are BenchmarkDotNet's.</summary>
/// <remarks>As in the suite one call is one iteration, with a heap without garbage before it.</remarks>
#pragma warning disable CA1001 // BenchmarkDotNet calls Close
public class SuiteCalls
#pragma warning restore CA1001
{
    /// <summary>The calls; set before BenchmarkDotNet asks for them.</summary>
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

    [GlobalSetup]
    public void Prepare()
        => _workload = new RunWorkload(SerializerRegistry.All.Single(serializer => serializer.Name == Serializer), Operation, Objects, payloadBytes: 0, StreamKind.Memory);

    [IterationSetup]
    public void Reset() => _workload.Reset();

    [Benchmark]
    public long Call() => _workload.Operation();

    [GlobalCleanup]
    public void Close() => _workload.Dispose();
}
