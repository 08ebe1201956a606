using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

/// <summary>The bridge on a made-up trace.</summary>
public sealed class EventRecordFeedTests : IDisposable
{
    private static readonly Guid s_provider = new("11111111-2222-3333-4444-555555555555");

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void More_blocks_than_the_source_reads_headers_at_once_lose_nothing()
    {
        // The source reads 1 MiB of block headers, 8 bytes each; here every event is a block.
        const int Events = 140_000;
        var path = Write(trace =>
        {
            for (var i = 0; i < Events; i++)
                trace.Ready(i, i);
        });
        using var source = new EventRecordFeed(EtlReader.Open(path), new TraceLoggingSchemas(), null, null, blockBytes: 1).CreateSource();
        var expected = 0;
        source.Kernel.DispatcherReadyThread += data => expected += data.AwakenedThreadID == expected ? 1 : 0;

        source.Process();

        Assert.Equal(Events, expected);
    }

    [Fact]
    public void TraceLog_converts_it()
    {
        var path = Write(trace =>
        {
            trace.Process(10, "MyApp.exe");
            trace.Thread(11, 10);
            trace.Gc(1000, 10, 11, 1, 0, 50);
            trace.TraceLogging(2000, 10, 11, s_provider, "MyProvider", "Answer", "value", 42);
        });
        var etlx = Path.Combine(_folder.Path, "trace.etlx");
        using (var source = EtlTraceEventSource.Open(path))
            TraceLog.CreateFromEventTraceLogFile(source, etlx);

        using var log = new TraceLog(etlx);
        var answer = Assert.Single(log.Events, data => data.ProviderName == "MyProvider");
        Assert.Equal(
            ("Answer", 42, 10, 2.0),
            (answer.EventName, answer.PayloadByName("value"), answer.ProcessID, answer.TimeStampRelativeMSec)
        );
        Assert.Contains(log.Events, data => data.EventName == "GC/Start");
    }

    [Fact]
    public void A_trace_without_events_is_processed_to_its_end()
    {
        var path = Write(_ => { });
        using var source = EtlTraceEventSource.Open(path);
        var events = 0;
        source.AllEvents += _ => events++;

        Assert.True(source.Process());

        Assert.Equal(1, events); // the log file header
    }

    [Fact]
    public void A_file_that_is_not_a_trace_is_an_error() =>
        Assert.Throws<EtlFormatException>(() => EtlTraceEventSource.Open(_folder.Write("text.etl", "no trace")));

    [Fact]
    public void The_native_reader_exists_on_Windows_only()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "it exists here");
        Assert.Throws<PlatformNotSupportedException>(() =>
            EtlTraceEventSource.Open("x.etl", new EtlTraceEventSourceOptions { UseNativeReader = true })
        );
    }

    private string Write(Action<SyntheticEtl> write)
    {
        var path = Path.Combine(_folder.Path, "trace.etl");
        using var trace = new SyntheticEtl(path);
        write(trace);
        return path;
    }
}
