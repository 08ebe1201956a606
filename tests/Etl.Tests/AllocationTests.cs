namespace EtwSerializerProfiler.Etl.Tests;

public sealed class AllocationTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Reading_an_event_allocates_nothing(bool compress)
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("events.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { Compress = compress }))
        {
            for (var number = 0; number < 400_000; number++)
                WrittenEvent
                    .Create(WrittenEvent.Types[number % WrittenEvent.Types.Length], number % 4, 10L * number, number % 50, number % 50)
                    .WriteTo(writer);
        }

        using var reader = EtlReader.Open(path, new EtlReadOptions { DecodeThreads = 0 });
        long sum = 0;
        for (var number = 0; number < 200_000 && reader.TryRead(out var read); number++)
            sum += Touch(read);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var count = 0;
        while (reader.TryRead(out var read))
        {
            sum += Touch(read);
            count++;
        }

        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(200_001, count);
        Assert.NotEqual(0, sum);
        // Less than a byte an event: buffers are reused, but one more may begin before another one ends.
        Assert.InRange(allocated, 0, count - 1);
    }

    private static long Touch(EtlEvent read)
    {
        var sum = read.Timestamp + read.Id + read.Opcode + read.ThreadId + read.Payload.Length + read.ProviderId.GetHashCode();
        foreach (var item in read.ExtendedItems)
            sum += item.Data.Length;
        return sum;
    }
}
