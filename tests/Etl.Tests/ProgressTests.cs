namespace EtwSerializerProfiler.Etl.Tests;

public sealed class ProgressTests
{
    [Theory]
    [InlineData(100_000)]
    [InlineData(10)]
    public void A_reader_reports_its_begin_each_buffer_and_its_end_once(int read)
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("watched.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = 4096 }))
        {
            for (var number = 0; number < 10_000; number++)
                writer.Write(new EtlEventFields { HeaderType = EtlHeaderType.PerfInfo64, Timestamp = 10_000L * number }, new byte[8]);
        }

        var receiver = new Receiver();
        using (var reader = EtlReader.Open(path, new EtlReadOptions { DecodeThreads = 0, Progress = receiver }))
        {
            for (var number = 0; number < read && reader.TryRead(out _); number++) { }
        }

        Assert.Equal(new EtlProgress(path, 0, receiver.Reports[0].Bytes, IsEnd: false), receiver.Reports[0]);
        Assert.Equal(receiver.Reports.OrderBy(report => report.Done), receiver.Reports);
        Assert.Equal([receiver.Reports.Count - 1], receiver.Reports.Index().Where(pair => pair.Item.IsEnd).Select(pair => pair.Index));
        Assert.Equal(read > 10_000, receiver.Reports[^1].Done == receiver.Reports[0].Bytes);
    }

    private sealed class Receiver : IProgress<EtlProgress>
    {
        public List<EtlProgress> Reports { get; } = [];

        public void Report(EtlProgress value) => Reports.Add(value);
    }
}
