using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Text;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class BenchmarkPayloadTests
{
    [Fact]
    public void The_providers_GUID_is_what_EventSource_makes_of_its_name()
    {
        using var source = new EventSource(BenchmarkProvider.Name);

        Assert.Equal(source.Guid, BenchmarkPayload.Provider);
    }

    [Theory]
    [InlineData(3, null)]
    [InlineData(5, BenchmarkStage.Jitting)]
    [InlineData(8, BenchmarkStage.Pilot)]
    [InlineData(11, null)]
    [InlineData(14, BenchmarkStage.Warmup)]
    [InlineData(15, BenchmarkStage.Actual)]
    [InlineData(17, null)]
    public void Iterations_of_the_workload_are_read(int id, BenchmarkStage? stage)
    {
        var payload = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(payload, 128);

        Assert.Equal(stage is not null, BenchmarkPayload.TryReadIteration(id, default, payload, out var iteration));
        Assert.Equal(stage is null ? default : new BenchmarkIteration(default, stage.Value, id % 2 == 1, 128), iteration);
    }

    [Theory]
    [InlineData(7)]
    [InlineData(9)]
    public void A_payload_of_another_length_is_not_an_iteration(int bytes) =>
        Assert.False(BenchmarkPayload.TryReadIteration(15, default, Enumerable.Repeat((byte)1, bytes).ToArray(), out _));

    [Fact]
    public void A_name_fills_its_payload()
    {
        var payload = Encoding.Unicode.GetBytes("A.B\0");

        Assert.True(BenchmarkPayload.TryReadName(payload, out var name));
        Assert.Equal("A.B", name);
        Assert.False(BenchmarkPayload.TryReadName([.. payload, 0, 0, 0, 0], out _)); // IterationStart of versions before 0.11.2
        Assert.False(BenchmarkPayload.TryReadName(payload.AsSpan(..^2), out _));
        Assert.False(BenchmarkPayload.TryReadName([0, 0], out _));
    }
}
