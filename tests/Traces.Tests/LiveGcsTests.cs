using System.Diagnostics;
using EtwSerializerProfiler.Traces.NetTrace;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class LiveGcsTests
{
    [Theory]
    [InlineData("net10/clr.nettrace")]
    [InlineData("unmarked/program.nettrace")]
    public void Gcs_and_pauses_are_those_that_TraceEvent_sees(string name)
    {
        var (count, pausesMs) = (0, 0.0);
        var began = new Dictionary<int, double>();
        using (var source = new EventPipeEventSource(TestFiles.Data(name)))
        {
            source.Clr.GCStart += _ => count++;
            source.Clr.GCSuspendEEStart += data =>
            {
                if (data.Reason is GCSuspendEEReason.SuspendForGC or GCSuspendEEReason.SuspendForGCPrep)
                    began[data.ThreadID] = data.TimeStampRelativeMSec;
            };
            source.Clr.GCRestartEEStop += data =>
                pausesMs += began.Remove(data.ThreadID, out var start) ? data.TimeStampRelativeMSec - start : 0;
            source.Process();
        }

        var gcs = new LiveGcs();
        var random = new Random(1);
        var bytes = File.ReadAllBytes(TestFiles.Data(name)).AsSpan();
        while (bytes.Length > 0)
        {
            var piece = bytes[..random.Next(1, Math.Min(bytes.Length, 40_000) + 1)];
            gcs.Append(piece);
            bytes = bytes[piece.Length..];
        }

        Assert.True(count > 0);
        Assert.Equal(count, gcs.Count);

        // A live stream has this machine's clock, the file that of Linux: nanoseconds.
        var pauses = gcs.Pauses.TotalMilliseconds * Stopwatch.Frequency / 1_000_000_000;
        Assert.Equal(pausesMs, pauses, tolerance: 0.001 * count);
    }

    [Fact]
    public void A_stream_of_another_format_is_not_counted_and_no_error()
    {
        var gcs = new LiveGcs();
        gcs.Append(new byte[1000]);
        gcs.Append(new byte[1000]);

        Assert.Null(gcs.Count);
    }
}
