using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Events of BenchmarkDotNet's engine (0.11.2 and later), with the numbers and fields of its class EngineEventSource.</summary>
internal static class BenchmarkPayload
{
    /// <summary>BenchmarkStart: a name.</summary>
    public const int BenchmarkStart = 1;

    /// <summary>BenchmarkStop: the same name.</summary>
    public const int BenchmarkStop = 2;

    /// <summary>GUID that EventSource derives from <see cref="BenchmarkProvider.Name"/>.</summary>
    public static readonly Guid Provider = new("b72d0890-7a18-5b01-3bbd-89af5f3b954f");

    /// <summary>Reads a benchmark's name. Earlier versions had other events with this number, with more fields.</summary>
    public static bool TryReadName(ReadOnlySpan<byte> payload, out string name)
    {
        var reader = new PayloadReader(payload);
        name = reader.Text();
        return reader.Fits && reader.Left == 0 && name.Length > 0;
    }

    /// <summary>Reads start and stop of an iteration of the workload; iterations of the overhead do not count.</summary>
    public static bool TryReadIteration(int id, in EventAt at, ReadOnlySpan<byte> payload, out BenchmarkIteration iteration)
    {
        var reader = new PayloadReader(payload);
        var operations = reader.Int64();
        (BenchmarkStage Stage, bool IsStart)? known = id switch
        {
            5 or 6 => (BenchmarkStage.Jitting, id == 5),
            7 or 8 => (BenchmarkStage.Pilot, id == 7),
            13 or 14 => (BenchmarkStage.Warmup, id == 13),
            15 or 16 => (BenchmarkStage.Actual, id == 15),
            _ => null,
        };
        iteration = known is { } found ? new BenchmarkIteration(at, found.Stage, found.IsStart, operations) : default;
        return known is not null && reader.Fits && reader.Left == 0 && operations > 0;
    }
}
