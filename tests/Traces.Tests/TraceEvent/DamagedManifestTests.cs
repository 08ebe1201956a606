using System.Diagnostics.Tracing;
using System.Text;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

/// <summary>
/// Manifests of event sources on which TraceEvent's parser would never terminate: it gets them twice here, as from an EventSource that
/// writes one at start and end.
/// </summary>
public sealed class DamagedManifestTests : IDisposable
{
    private const int Thread = 11;

    private static readonly Guid s_provider = EventSource.GetGuid(typeof(Sample));
    private static readonly string s_manifest = EventSource.GenerateManifest(typeof(Sample), null)!;

    private readonly TempFolder _folder = new();

    public static TheoryData<string, string, string> Damages =>
        new()
        {
            { "template=\"PaintedArgs\"", "template=\"PaintedArgz\"", "the template 'PaintedArgz' is not defined" },
            { "task=\"Painted\"", "task=\"Painter\"", "the task 'Painter' is not defined" },
            { "map=\"Colour\"", "map=\"Colout\"", "the map 'Colout' is not defined" },
            { "</provider>", "</providex>", "not valid XML" },
            { "name=\"Colour\"", "nama=\"Colour\"", "the map 'Colour' is not defined" },
            { "message=\"$(string.map_Colour", "messaga=\"$(string.map_Colour", "Value cannot be null" },
            { s_provider.ToString(), Guid.Empty.ToString(), $"it belongs to provider '{{{Guid.Empty}}}'" },
        };

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Damages))]
    public void A_damaged_manifest_is_left_out_and_said_and_all_events_are_counted(string text, string damaged, string reason)
    {
        Assert.Contains(text, s_manifest, StringComparison.Ordinal);
        var path = Write(
            pieces: 1,
            s_manifest.Replace(text, damaged, StringComparison.Ordinal),
            s_manifest.Replace(text, damaged, StringComparison.Ordinal)
        );

        var contents = TraceContentsReader.Read([path], byProcess: false);
        var decoded = new List<DecodedEvent>();
        var listed = EventDecoder.Read([path], new EventQuery(), decoded.Add);

        foreach (var found in (TraceContents[])[contents, listed])
        {
            Assert.Equal(2, found.DamagedManifests.Count);
            Assert.All(found.DamagedManifests, manifest => Assert.Equal((s_provider, 10), (manifest.Provider, manifest.ProcessId)));
            Assert.Contains(reason, found.DamagedManifests.First().Reason, StringComparison.Ordinal);
        }

        Assert.Equal(contents.Events, decoded.Count);
        Assert.DoesNotContain(decoded, item => item.Event == "Painted");
    }

    [Fact]
    public void The_source_for_TraceEvent_comes_to_an_end_too()
    {
        var damaged = s_manifest.Replace("template=\"PaintedArgs\"", "template=\"PaintedArgz\"", StringComparison.Ordinal);
        using var source = EtlTraceEventSource.Open(Write(pieces: 1, damaged, damaged));
        var events = 0;
        source.Dynamic.All += _ => { };
        source.AllEvents += _ => events++;

        source.Process();

        Assert.Equal(4, events); // the log file header, two manifests, an event
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void A_whole_manifest_after_a_damaged_one_names_its_events(int pieces)
    {
        var path = Write(
            pieces,
            s_manifest.Replace("template=\"PaintedArgs\"", "template=\"PaintedArgz\"", StringComparison.Ordinal),
            s_manifest
        );
        var decoded = new List<DecodedEvent>();

        var contents = EventDecoder.Read([path], new EventQuery(), decoded.Add);

        Assert.Single(contents.DamagedManifests);
        Assert.Equal("(colour, 1) (number, 4711)", string.Join(' ', decoded.Single(item => item.Event == "Painted").Fields));
    }

    [Fact]
    public void A_manifest_many_buffers_behind_its_events_names_them()
    {
        var path = _folder.PathOf("late.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { StartTicks = 100, BufferSize = 16384 }))
        {
            Write(writer, 200, 1, 1, 0, [1, 0, 0, 0, .. BitConverter.GetBytes(4711)]);
            for (var filler = 0; filler < 2000; filler++)
                writer.Write(new EtlEventFields { HeaderType = EtlHeaderType.PerfInfo64, Timestamp = 300 + filler }, new byte[64]);
            Write(writer, 3000, 0xFFFE, 0xFFFE, 0xFE, [1, 1, 0, 0x5B, 1, 0, 0, 0, .. Encoding.UTF8.GetBytes(s_manifest)]);
        }

        var decoded = new List<DecodedEvent>();
        var contents = TraceContentsReader.Read([path], byProcess: false);
        EventDecoder.Read([path], new EventQuery { Events = ["Painted"] }, decoded.Add);

        Assert.True(contents.Etl!.Statistics.Buffers > 5);
        Assert.Equal(1, contents.Kinds.Single(kind => kind.EventName == "Painted").Count);
        Assert.Equal("(colour, 1) (number, 4711)", string.Join(' ', Assert.Single(decoded).Fields));
    }

    private string Write(int pieces, params string[] manifests)
    {
        var path = Path.Combine(_folder.Path, "trace.etl");
        using var writer = new EtlWriter(path, new EtlWriteOptions { StartTicks = 100 });
        var time = 200;
        foreach (var manifest in manifests.Select(Encoding.UTF8.GetBytes))
        {
            var length = (manifest.Length / pieces) + 1;
            for (var piece = 0; piece < pieces; piece++)
                Write(
                    writer,
                    time++,
                    0xFFFE,
                    0xFFFE,
                    0xFE,
                    [1, 1, 0, 0x5B, (byte)pieces, 0, (byte)piece, 0, .. manifest.Skip(piece * length).Take(length)]
                );
        }

        Write(writer, time, 1, 1, 0, [1, 0, 0, 0, .. BitConverter.GetBytes(4711)]);
        return path;
    }

    /// <summary>Writes an event of <see cref="Sample"/>.</summary>
    private static void Write(EtlWriter writer, long time, ushort id, ushort task, byte opcode, byte[] payload) =>
        writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Event64,
                Timestamp = time,
                ProcessId = 10,
                ThreadId = Thread,
                ProviderId = s_provider,
                Id = id,
                Task = task,
                Opcode = opcode,
            },
            payload
        );

    /// <summary>An event source with everything that a manifest can refer to.</summary>
    [EventSource(Name = "EtwSerializerProfiler-Tests-Sample")]
    private sealed class Sample : EventSource
    {
        [Event(1)]
        public void Painted(Colour colour, int number) => WriteEvent(1, (int)colour, number);
    }

    internal enum Colour
    {
        None,
        Red,
    }
}
