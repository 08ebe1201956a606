using System.Buffers.Binary;
using System.IO.Pipes;
using EtwSerializerProfiler.Sessions.Ptrace;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Weights of ptrace's samples.</summary>
public sealed class SampleBufferTests
{
    private const int TimeAt = 32;
    private const int WeightAt = 48;
    private const int FramesAt = 56;

    public SampleBufferTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "ptrace samples on Linux");

    [Fact]
    public void The_samples_of_a_thread_share_its_CPU_time_of_the_window_equally() =>
        Assert.Equal([(1, 3), (2, 3), (3, 3)], WeightsOf(maxWeight: 10, [1, 2, 6]));

    /// <summary>The rest was not sampled: for 30 ns of CPU time before the first sample the code is unknown.</summary>
    [Fact]
    public void A_sample_represents_a_limited_time_and_the_rest_has_no_stack() =>
        Assert.Equal([(1, 10), (2, 10), (-100, 12)], WeightsOf(maxWeight: 10, [30, 2]));

    /// <summary>Adds samples of one thread and ends the window at 100.</summary>
    /// <param name="maxWeight">Limit of a sample's weight.</param>
    /// <param name="since">CPU time since the previous sample, for each sample.</param>
    /// <returns>Time and weight of each written sample; a negative time for one without a stack.</returns>
    private static List<(long Time, long Weight)> WeightsOf(long maxWeight, long[] since)
    {
        using var pipe = new AnonymousPipeServerStream(PipeDirection.In);
        using var buffer = new SampleBuffer((int)pipe.ClientSafePipeHandle.DangerousGetHandle(), eventId: 1) { MaxWeight = maxWeight };
        using var process = new SampledProcess(Environment.ProcessId, parent: 0);
        using var thread = new SampledThread(Environment.ProcessId, process);
        using var stop = new ThreadStop(stackBytes: 0);
        stop.ReadStack(thread); // its registers are 0: one frame
        var time = 0;
        foreach (var nanoseconds in since)
            buffer.AddSample(thread, stop, ++time, nanoseconds);
        buffer.SendAll(100);

        var bytes = new byte[4096];
        var length = pipe.Read(bytes);
        var samples = new List<(long, long)>();
        for (var at = 0; at < length; at += BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at + 6)))
        {
            var record = bytes.AsSpan(at);
            if ((PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(record) != PerfRecordType.Sample)
                continue;
            var hasStack = BinaryPrimitives.ReadInt64LittleEndian(record[FramesAt..]) > 1; // one is the marker of user mode
            samples.Add(
                (
                    BinaryPrimitives.ReadInt64LittleEndian(record[TimeAt..]) * (hasStack ? 1 : -1),
                    BinaryPrimitives.ReadInt64LittleEndian(record[WeightAt..])
                )
            );
        }

        return samples;
    }
}
