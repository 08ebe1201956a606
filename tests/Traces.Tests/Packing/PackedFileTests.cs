using System.Diagnostics;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using EtwSerializerProfiler.Traces.Packing;
using ZstdSharp;

namespace EtwSerializerProfiler.Traces.Tests.Packing;

/// <summary>Compressed .nettrace files: the same content, also where they are damaged.</summary>
public sealed class PackedFileTests : IDisposable
{
    private readonly TempFolder _folder = new();
    private readonly byte[] _content = File.ReadAllBytes(TestFiles.Data("net10/code.nettrace"));

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_content_is_the_same_from_any_place()
    {
        var path = Pack();
        Assert.EndsWith("code.nettrace.zst", path, StringComparison.Ordinal);
        Assert.Equal([path], Directory.GetFiles(_folder.Path));
        Assert.InRange(new FileInfo(path).Length, _content.Length / 20, _content.Length / 4);

        using var stream = PackedFile.OpenRead(path, 0);
        Assert.Equal(_content.Length, stream.Length);
        var all = new byte[_content.Length];
        stream.ReadExactly(all);
        Assert.Equal(_content, all);
        Assert.Equal(0, stream.Read(all));
        var random = new Random(1);
        for (var round = 0; round < 100; round++)
        {
            var (start, length) = (random.Next(_content.Length), random.Next(1, 10_000));
            var part = new byte[Math.Min(length, _content.Length - start)];
            stream.Seek(start, SeekOrigin.Begin);
            stream.ReadExactly(part);
            Assert.Equal(_content[start..(start + part.Length)], part);
        }
    }

    [Fact]
    public void The_index_names_the_blocks_that_a_scan_finds()
    {
        var scanned = NetTraceLayout.Scan(TestFiles.Data("net10/code.nettrace"));
        using var content = new MemoryStream(_content);
        var indexed = NetTraceLayout.Scan("x", content, BlockIndex.Of(scanned));
        Assert.Equal(scanned.Blocks, indexed.Blocks);
        Assert.Equal((scanned.ValidBytes, scanned.FileBytes, scanned.Header), (indexed.ValidBytes, indexed.FileBytes, indexed.Header));

        using var stream = (PackedStream)PackedFile.OpenRead(Pack(), 0);
        Assert.Equal(BlockIndex.Of(scanned), stream.Index);

        // An index of another file does not fit; then the blocks are searched.
        using var other = new MemoryStream(File.ReadAllBytes(TestFiles.Data("net10/clr.nettrace")));
        var found = NetTraceLayout.Scan("x", other, stream.Index);
        Assert.Equal(NetTraceLayout.Scan(TestFiles.Data("net10/clr.nettrace")).Blocks, found.Blocks);
    }

    [Fact]
    public void Zstd_restores_the_file()
    {
        const string Zstd = "/usr/bin/zstd";
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Zstd), "zstd is not installed (Debian: apt-get install zstd)");
        using var process = Process.Start(new ProcessStartInfo(Zstd, ["-d", "-q", Pack()]))!;
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        Assert.Equal(_content, File.ReadAllBytes(_folder.PathOf("code.nettrace")));
    }

    [Fact]
    public void A_recording_has_the_same_data_whether_the_file_is_compressed_or_not()
    {
        foreach (var file in Directory.GetFiles(TestFiles.Recording))
            File.Copy(file, _folder.PathOf(Path.GetFileName(file)));
        var plain = Events();
        Pack();
        Assert.False(File.Exists(_folder.PathOf("code.nettrace")));

        Assert.Equal(plain, Events());

        long[] Events() =>
            [
                .. TraceInputReader
                    .Open([_folder.Path])
                    .Processes.SelectMany(process => process.Sources)
                    .Select(source => source.Read(new EventCounter()).Events),
            ];
    }

    [Fact]
    public void A_file_cut_anywhere_is_read_up_to_the_cut_and_says_so()
    {
        var packed = File.ReadAllBytes(Pack());
        long last = 0;
        for (var part = 1; part <= 60; part++)
        {
            var length = packed.Length * part / 60;
            var path = _folder.Write("cut.nettrace.zst", packed[..length]);
            TraceReadResult result;
            try
            {
                result = NetTraceSource.Open(path).Read(new EventCounter());
            }
            catch (TraceFormatException exception)
            {
                Assert.Equal((path, 0L), (exception.TraceFile, last)); // not even the header
                continue;
            }

            Assert.True(result.Events >= last, $"part {part}");
            last = result.Events;

            // A part of the index only is as good as none.
            using var whole = PackedFile.OpenRead(path, 0);
            if (whole.Length == _content.Length)
                Assert.Null(result.Damage);
            else
                Assert.Matches("^the zstd frame at offset [0-9]+ of the file is cut off$", result.Damage!.Reason);
        }

        Assert.True(last > 500);
    }

    [Fact]
    public void A_damaged_frame_ends_the_events_and_is_named()
    {
        var packed = File.ReadAllBytes(Pack());
        var plain = NetTraceSource.Open(TestFiles.Data("net10/code.nettrace")).Read(new EventCounter());
        var random = new Random(2);
        var named = 0;
        for (var round = 0; round < 300; round++)
        {
            var bytes = packed.ToArray();
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            var path = _folder.Write("x.nettrace.zst", bytes);
            try
            {
                var result = NetTraceSource.Open(path).Read(new EventCounter());
                Assert.True(result.Damage is not null ? result.Events <= plain.Events : result.Events == plain.Events);
                named += result.Damage?.Reason.StartsWith("the zstd frame at offset ", StringComparison.Ordinal) == true ? 1 : 0;
                TraceEventPass.Read(NetTraceLayout.Scan(path), (_, _) => { });
            }
            catch (TraceFormatException exception)
            {
                Assert.Equal(path, exception.TraceFile);
            }
        }

        Assert.InRange(named, 50, 300);
    }

    [Fact]
    public void Files_of_other_tools_are_read_when_their_frames_have_a_size()
    {
        using var compressor = new Compressor(3);
        var whole = NetTraceSource.Open(_folder.Write("x.nettrace.zst", compressor.Wrap(_content).ToArray())).Read(new EventCounter());
        Assert.True(whole.Events > 500);
        Assert.Null(whole.Damage);

        using var bytes = new MemoryStream();
        using (var stream = new CompressionStream(bytes, 3, leaveOpen: true))
            stream.Write(_content);
        var unknown = _folder.Write("y.nettrace.zst", bytes.ToArray());
        using var file = (PackedStream)PackedFile.OpenRead(unknown, 0);
        Assert.Contains("unpack the file with 'zstd -d'", file.Problem, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_does_not_fit_on_the_disk_stays()
    {
        var path = _folder.Write("code.nettrace", _content);
        Directory.CreateDirectory(path + PackedFile.Extension);
        File.WriteAllText(Path.Combine(path + PackedFile.Extension, "x"), ""); // the new name is taken

        Assert.Equal(path, BlockIndex.Pack(path));
        Assert.Equal(_content, File.ReadAllBytes(path));
        Assert.Equal([path], Directory.GetFiles(_folder.Path));
    }

    private string Pack() => BlockIndex.Pack(_folder.Write("code.nettrace", _content));
}
