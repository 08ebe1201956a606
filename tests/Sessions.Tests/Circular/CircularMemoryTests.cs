using EtwSerializerProfiler.Sessions.Circular;
using EtwSerializerProfiler.Sessions.Recordings;
using FsCheck.Fluent;

namespace EtwSerializerProfiler.Sessions.Tests.Circular;

public sealed class CircularMemoryTests
{
    /// <summary>
    /// Two halves get chunks of sizes from 0 to more than a page, whose times rise but for a few, in a memory of 2 to 9 pages. Each half
    /// keeps its newest chunks, in a row and unchanged, among them all that are newer than the cut, and the memory keeps its limit.
    /// </summary>
    [Fact]
    public void Each_half_keeps_its_newest_chunks_whole_and_all_that_is_newer_than_the_cut() =>
        Prop.ForAll(
                ArbMap.Default.ArbFor<int>().Filter(seed => seed >= 0),
                seed =>
                {
                    var random = new Random(seed);
                    var pages = random.Next(2, 10);
                    var memory = new CircularMemory(pages * CircularMemory.PageBytes);
                    using var file = OnDisk(memory, isOnDisk: random.Next(2) == 0, pages);
                    var halves = new[] { new Half(memory, contiguous: false), new Half(memory, contiguous: true) };
                    var time = 0L;
                    for (var count = random.Next(1, 300); count > 0; count--)
                    {
                        time += random.Next(100);
                        var half = halves[random.Next(2)];
                        var length = random.Next(8) == 0 ? random.Next(half.Longest) : random.Next(12_000);
                        half.Append(time - random.Next(150), random, length);
                        Assert.True(memory.AllocatedBytes <= pages * CircularMemory.PageBytes);
                        foreach (var each in halves)
                            each.Check(memory.CutTime);
                    }
                }
            )
            .CheckRepeatably();

    [Fact]
    public void Nothing_is_dropped_before_the_memory_is_full()
    {
        var memory = new CircularMemory(4 * CircularMemory.PageBytes);
        var half = new Half(memory, contiguous: true);
        var random = new Random(1);
        for (var chunk = 0; chunk < 4; chunk++)
            half.Append(chunk, random, CircularMemory.PageBytes - CircularChunk.HeaderBytes);
        Assert.Equal((4, long.MinValue), (half.Log.Chunks, memory.CutTime));

        half.Append(4, random, 1);
        Assert.Equal((4, 0L), (half.Log.Chunks, memory.CutTime));
    }

    [Fact]
    public void A_chunk_larger_than_the_memory_is_dropped_with_all_that_is_older()
    {
        var memory = new CircularMemory(2 * CircularMemory.PageBytes);
        var half = new Half(memory, contiguous: false);
        half.Append(1, new Random(1), 100);
        half.Append(7, new Random(1), 3 * CircularMemory.PageBytes);

        Assert.Equal((0, 7L), (half.Log.Chunks, memory.CutTime));
        Assert.Equal(100 + (3 * CircularMemory.PageBytes), half.Log.DroppedBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Full_memory_is_used_again_without_allocating(bool isOnDisk)
    {
        var memory = new CircularMemory(4 * CircularMemory.PageBytes);
        using var file = OnDisk(memory, isOnDisk, 4);
        var log = memory.AddLog(new Unconcerned(), timed: true, contiguous: true);
        var content = new byte[8000];
        for (var time = 0; time < 100; time++)
            log.TryAppend(0, time, content);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var time = 100; time < 10_000; time++)
            log.TryAppend(0, time, content);
        // 2 bytes a chunk: what the runtime allocates once for itself, 6,128 bytes on a loaded machine.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20_000);
    }

    /// <summary>A file larger than the disk is refused before anything is recorded.</summary>
    [Fact]
    public void A_file_takes_its_space_at_the_start()
    {
        var path = TemporaryPath();
        var exception = Assert.ThrowsAny<IOException>(() => CircularFile.Create(path, RecordingMode.MaxOnDiskBytes / 2));

        Assert.NotEmpty(exception.Message);
        Assert.False(File.Exists(path));
    }

    private static CircularFile? OnDisk(CircularMemory memory, bool isOnDisk, int pages)
    {
        if (!isOnDisk)
            return null;
        var path = TemporaryPath();
        var file = CircularFile.Create(path, (long)pages * CircularMemory.PageBytes);
        Assert.Equal(OperatingSystem.IsWindows(), File.Exists(path));
        memory.StoreIn(file);
        return file;
    }

    private static string TemporaryPath() => Path.Combine(Path.GetTempPath(), $"esp-pages-{Guid.NewGuid():N}");

    private sealed class Unconcerned : ICircularOwner
    {
        public void OnDropping(CircularLog log, in CircularChunk chunk) { }
    }

    private sealed class Half : ICircularOwner
    {
        private readonly List<(long Newest, byte[] Content)> _appended = [];
        private readonly bool _contiguous;
        private int _dropped;

        public Half(CircularMemory memory, bool contiguous)
        {
            _contiguous = contiguous;
            Log = memory.AddLog(this, timed: true, contiguous);
        }

        public CircularLog Log { get; }

        public int Longest => _contiguous ? CircularMemory.PageBytes - CircularChunk.HeaderBytes : 3 * CircularMemory.PageBytes;

        public void Append(long newest, Random random, int length)
        {
            var content = new byte[length];
            random.NextBytes(content);
            _appended.Add((newest, content));
            if (!Log.TryAppend(_appended.Count - 1, newest, content))
                _dropped++;
        }

        public void OnDropping(CircularLog log, in CircularChunk chunk)
        {
            Assert.Equal(_dropped, chunk.Tag); // in order
            if (_contiguous)
                Assert.True(log.HeadContent.SequenceEqual(_appended[chunk.Tag].Content));
            _dropped++;
        }

        public void Check(long cutTime)
        {
            Assert.Equal(_appended.Count - _dropped, Log.Chunks);
            Assert.All(_appended.Take(_dropped), chunk => Assert.True(chunk.Newest <= cutTime));
            if (Log.Chunks > 0)
                Assert.True(Log.HeadNewest > cutTime);
            var reader = Log.Read();
            var index = _dropped;
            while (reader.TryNext(out var chunk))
            {
                var (newest, content) = _appended[index];
                Assert.Equal((index, newest, content.Length), (chunk.Tag, chunk.Newest, chunk.Length));
                var at = 0;
                while (reader.TryReadPiece(out var piece))
                {
                    Assert.True(piece.SequenceEqual(content.AsSpan(at, piece.Length)));
                    at += piece.Length;
                }

                Assert.Equal(content.Length, at);
                index++;
            }

            Assert.Equal(_appended.Count, index);
            Assert.Equal(_appended.Skip(_dropped).Sum(chunk => (long)chunk.Content.Length), Log.Bytes);
        }
    }
}
