using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Etw;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

/// <summary>Damaged payloads, on which TraceEvent's parsers throw, lose only their own event.</summary>
public sealed class DamagedEtlTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void An_event_that_cannot_be_decoded_is_counted_and_the_others_are_decoded()
    {
        var path = Path.Combine(_folder.Path, "short.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { StartTicks = 100 }))
        {
            // Every tenth is a map of a method's addresses (id 190) that claims 1,000 entries and has none.
            var map = new byte[25];
            map[17] = 0xE8;
            map[18] = 0x03;
            for (var i = 0; i < 1000; i++)
            {
                if (i % 10 == 5)
                    writer.Write(
                        new EtlEventFields
                        {
                            HeaderType = EtlHeaderType.Event64,
                            Timestamp = 200 + i,
                            ProviderId = ClrTraceEventParser.ProviderGuid,
                            Id = 190,
                        },
                        map
                    );
                else
                    writer.Write(
                        new EtlEventFields
                        {
                            HeaderType = EtlHeaderType.System64,
                            Timestamp = 200 + i,
                            Group = EtlKernelGroups.Thread,
                            Opcode = 50,
                            Version = 2,
                        },
                        new byte[8]
                    );
            }
        }

        var decoded = new List<string>();
        var contents = EventDecoder.Read(
            [path],
            new EventQuery { Events = ["Dispatcher/ReadyThread", "190"] },
            item => decoded.Add(item.Event)
        );

        Assert.Equal(100, contents.Undecodable);
        Assert.Equal(Enumerable.Repeat("Dispatcher/ReadyThread", 900), decoded);
        Assert.Equal(1001, contents.Events);
    }

    [Fact]
    public void Two_hundred_damaged_copies_are_read_or_refused()
    {
        var path = Path.Combine(_folder.Path, "whole.etl");
        using (var trace = new SyntheticEtl(path))
        {
            trace.Process(10, "MyApp.exe");
            trace.Thread(11, 10);
            for (var i = 0; i < 100; i++)
            {
                trace.Gc(1000 * i, 10, 11, i, 0, 100);
                trace.Sample((1000 * i) + 500, 10, 11, 0x1000, 0x2000);
                trace.TraceLogging(
                    (1000 * i) + 600,
                    10,
                    11,
                    new Guid(i % 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
                    "MyProvider",
                    "Answer",
                    "value",
                    i
                );
            }
        }

        var whole = File.ReadAllBytes(path);
        var damaged = Path.Combine(_folder.Path, "damaged.etl");
        var outcomes = new int[2];
        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            var bytes = (byte[])whole.Clone();
            for (var flips = random.Next(1, 30); flips > 0; flips--)
                bytes[random.Next(20_000)] = (byte)random.Next(256);
            File.WriteAllBytes(damaged, bytes);
            try
            {
                foreach (var source in EtwTrace.Open([damaged]).Sources)
                    source.Read(new EventCounter());
                EventDecoder.Read([damaged], new EventQuery(), _ => { });
                outcomes[0]++;
            }
            catch (TraceFormatException exception)
            {
                Assert.Contains(damaged, exception.Message, StringComparison.Ordinal);
                outcomes[1]++;
            }
        }

        Assert.True(outcomes[0] > 100, $"{outcomes[0]} read, {outcomes[1]} refused");
    }
}
