using System.Buffers.Binary;

namespace EtwSerializerProfiler.Etl.Tests;

public sealed class DamageTests
{
    private const int BufferSize = 4096;
    private const int Events = 1000;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_file_cut_anywhere_gives_the_events_before_the_cut(bool compress)
    {
        var whole = Write(compress);
        var complete = Numbers(whole, out _);
        Assert.Equal(Enumerable.Range(0, Events), complete);
        for (var length = whole.Length - 1; length > 0; length -= 97)
        {
            List<int> numbers;
            EtlStatistics statistics;
            try
            {
                numbers = Numbers(whole.AsMemory(0, length), out statistics);
            }
            catch (EtlFormatException error)
            {
                // The log file header itself is cut.
                Assert.True(length < 1024);
                Assert.Contains("offset", error.Message, StringComparison.Ordinal);
                continue;
            }

            // One processor, so the rest of the file is a prefix of its events.
            Assert.Equal(complete.Take(numbers.Count), numbers);
            Assert.InRange(statistics.DamageCount, 0, 1);
            if (statistics.DamageCount == 0)
                Assert.True(IsBufferEnd(whole, length));
            else
                Assert.Equal(("cut", true), (statistics.Damages[0].Path, statistics.Damages[0].Offset < length));
        }
    }

    [Fact]
    public void An_unclosed_file_says_which_values_are_missing()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("unclosed.etl");
        using var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = BufferSize });
        WriteEvents(writer, Events);
        writer.Flush();
        using var copy = new MemoryStream();
        using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite))
            file.CopyTo(copy);
        using var reader = EtlReader.Open(copy.ToArray(), "unclosed");
        Assert.False(reader.Header.IsClosed);
        Assert.Null(reader.Header.EndTimeUtc);
        Assert.Null(reader.Header.BuffersWritten);
        Assert.Null(reader.Statistics.EventsLost);
        Assert.Null(reader.Statistics.BuffersLost);
        Assert.Equal(["EndTimeUtc", "EventsLost", "BuffersLost", "BuffersWritten"], reader.Header.MissingValues);
        while (reader.TryRead(out _)) { }

        Assert.Equal(Events + 1, reader.Statistics.Events);
    }

    [Fact]
    public void Space_set_aside_and_never_written_is_not_damage()
    {
        var whole = Write(false);
        var buffers = whole.Length / BufferSize;
        Array.Resize(ref whole, whole.Length + 7 * BufferSize);
        Assert.Equal(Enumerable.Range(0, Events), Numbers(whole, out var statistics));
        Assert.Equal(0, statistics.DamageCount);
        Assert.Equal(7, statistics.EmptyBuffers);
        Assert.Equal(buffers + 7, statistics.Buffers);

        // Zeros between buffers: the buffers after them are found.
        var hole = Write(false);
        hole.AsSpan(3 * BufferSize, 2 * BufferSize).Clear();
        var numbers = Numbers(hole, out statistics);
        Assert.Equal(0, statistics.DamageCount);
        Assert.Equal(2, statistics.EmptyBuffers);
        Assert.Equal(Events - 1, numbers[^1]);
        Assert.True(numbers.Count < Events);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void A_circular_file_whose_newest_buffers_stand_before_the_oldest_comes_in_order(int newest)
    {
        var whole = Write(false);
        var buffers = whole.Length / BufferSize;
        var rotated = new byte[whole.Length];
        whole.AsSpan(0, BufferSize).CopyTo(rotated);
        for (var number = 1; number < buffers; number++)
        {
            var place = 1 + (number - 1 + newest) % (buffers - 1);
            whole.AsSpan(number * BufferSize, BufferSize).CopyTo(rotated.AsSpan(place * BufferSize));
        }

        Assert.Equal(Enumerable.Range(0, Events), Numbers(rotated, out var statistics));
        Assert.Equal(0, statistics.LateEvents);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Events_after_a_destroyed_buffer_header_are_found(bool compress)
    {
        var whole = Write(compress);
        var offsets = BufferOffsets(whole);
        var damaged = whole.ToArray();
        damaged.AsSpan(offsets[3], 60).Fill(0xAB);
        var numbers = Numbers(damaged, out var statistics);
        var damage = Assert.Single(statistics.Damages);
        Assert.Equal((offsets[3], offsets[4] - offsets[3]), ((int)damage.Offset, (int)damage.Bytes));
        var expected = Numbers(whole.AsMemory(0, offsets[3]), out _);
        Assert.Equal(expected, numbers.Take(expected.Count));
        Assert.Equal(Events - 1, numbers[^1]);
        Assert.Equal(numbers.Order(), numbers);
    }

    [Fact]
    public void A_buffer_is_read_up_to_its_damage_and_the_next_ones_whole()
    {
        var whole = Write(false);
        var expected = Numbers(whole, out _);
        // The fifth record of the fourth buffer claims 60,000 bytes.
        var record = 3 * BufferSize + 72 + 4 * 32;
        BinaryPrimitives.WriteUInt16LittleEndian(whole.AsSpan(record + 4), 60_000);
        var numbers = Numbers(whole, out var statistics);
        var damage = Assert.Single(statistics.Damages);
        Assert.Equal(3 * BufferSize, damage.Offset);
        Assert.Contains("larger than the rest", damage.Reason, StringComparison.Ordinal);
        var perBuffer = (BufferSize - 72) / 32;
        var first = 2 * perBuffer + 4;
        Assert.Equal(expected.Where(number => number < first || number >= 3 * perBuffer), numbers);
        Assert.Equal((perBuffer - 4) * 32, damage.Bytes);
    }

    [Theory]
    [InlineData(false, BufferSize)]
    [InlineData(false, 8)]
    [InlineData(true, 100)]
    [InlineData(true, 3000)]
    public void A_buffer_that_claims_too_many_bytes_swallows_no_other(bool compress, int more)
    {
        var whole = Write(compress);
        var offset = BufferOffsets(whole)[2];
        BinaryPrimitives.WriteInt32LittleEndian(whole.AsSpan(offset), BitConverter.ToInt32(whole, offset) + more);
        Assert.Equal(Enumerable.Range(0, Events), Numbers(whole, out var statistics));
        Assert.Equal((offset, 0), ((int)Assert.Single(statistics.Damages).Offset, (int)statistics.Damages[0].Bytes));
    }

    [Fact]
    public void Damaged_compressed_data_is_reported()
    {
        var whole = Write(true);
        var offsets = BufferOffsets(whole);
        // A first match that points before the begin of the data.
        whole.AsSpan(offsets[2] + 72, 6).Fill(0xFF);
        var numbers = Numbers(whole, out var statistics);
        Assert.Equal(offsets[2], Assert.Single(statistics.Damages).Offset);
        Assert.Equal(Events - 1, numbers[^1]);
    }

    [Fact]
    public void No_trace_at_all_is_an_error_that_names_file_and_offset()
    {
        foreach (
            var content in (byte[][])
                [
                    [],
                    new byte[50],
                    new byte[5000],
                    [.. Enumerable.Repeat((byte)'x', 5000)],
                ]
        )
        {
            var error = Assert.Throws<EtlFormatException>(() => EtlReader.Open(content, "file.etl"));
            Assert.Equal(("file.etl", 0L), (error.TraceFile, error.Offset));
        }

        using var folder = new TempFolder();
        Assert.Throws<FileNotFoundException>(() => EtlReader.Open(folder.PathOf("absent.etl")));
        Assert.Throws<ArgumentOutOfRangeException>(() => EtlReader.Open([]));
        using (var archive = System.IO.Compression.ZipFile.Open(folder.PathOf("empty.zip"), System.IO.Compression.ZipArchiveMode.Create))
            archive.CreateEntry("readme.txt");
        Assert.Contains(
            ".etl",
            Assert.Throws<EtlFormatException>(() => EtlReader.Open(folder.PathOf("empty.zip"))).Message,
            StringComparison.Ordinal
        );
        File.WriteAllBytes(folder.PathOf("cut.zip"), File.ReadAllBytes(folder.PathOf("empty.zip"))[..40]);
        Assert.Throws<EtlFormatException>(() => EtlReader.Open(folder.PathOf("cut.zip")));
    }

    [Fact]
    public void An_archive_that_unpacks_to_more_than_allowed_is_refused()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("large.zip");
        using (var archive = System.IO.Compression.ZipFile.Open(path, System.IO.Compression.ZipArchiveMode.Create))
        {
            using var content = archive.CreateEntry("a.etl").Open();
            content.Write(Write(false));
        }

        using (var reader = EtlReader.Open(path))
            Assert.Equal($"{path}!a.etl", reader.Files[0].Path);
        Assert.Throws<EtlFormatException>(() => EtlReader.Open(path, new EtlReadOptions { MaxExtractedBytes = 10_000 }));
    }

    [Fact]
    public void A_member_that_does_not_begin_as_a_trace_is_refused_before_it_is_unpacked()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("zeros.etl.zip");
        using (var archive = System.IO.Compression.ZipFile.Open(path, System.IO.Compression.ZipArchiveMode.Create))
        {
            using var content = archive.CreateEntry("a.etl").Open();
            content.Write(new byte[1 << 20]);
        }

        // Its data ends after the size of the first buffer; reading on gives an error of the archive.
        var bytes = File.ReadAllBytes(path);
        bytes.AsSpan(bytes.AsSpan().IndexOf("a.etl"u8) + 5 + 200, 500).Fill(0xFF);
        File.WriteAllBytes(path, bytes);

        var error = Assert.Throws<EtlFormatException>(() => EtlReader.Open(path));

        Assert.Equal(($"{path}!a.etl", "the header of an .etl file's first buffer"), (error.TraceFile, error.Expected));
    }

    [Fact]
    public void An_archive_that_needs_more_space_than_there_is_says_how_much()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("large.zip");
        var trace = Write(false);
        using (var archive = System.IO.Compression.ZipFile.Open(path, System.IO.Compression.ZipArchiveMode.Create))
        {
            foreach (var name in (string[])["a.etl", "b.etl"])
            {
                using var content = archive.CreateEntry(name).Open();
                content.Write(trace);
            }
        }

        var error = Assert.Throws<EtlFormatException>(() =>
            EtlReader.Open(path, new EtlReadOptions { FreeBytes = _ => (2L * trace.Length) - 1 })
        );
        Assert.Contains($"room for {2 * trace.Length} bytes", error.Expected, StringComparison.Ordinal);
        Assert.Contains($"{(2 * trace.Length) - 1} bytes left", error.Found, StringComparison.Ordinal);
        using var reader = EtlReader.Open(path, new EtlReadOptions { FreeBytes = _ => 2L * trace.Length });
        Assert.Equal(2, reader.Files.Count);
    }

    [Fact]
    public void Of_a_member_no_more_is_unpacked_than_its_archive_says()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("lie.zip");
        using (var archive = System.IO.Compression.ZipFile.Open(path, System.IO.Compression.ZipArchiveMode.Create))
        {
            using var content = archive.CreateEntry("a.etl").Open();
            content.Write(Write(false));
        }

        // The size before compression, in the central directory.
        const int SizeAt = 24;
        var bytes = File.ReadAllBytes(path);
        BitConverter.TryWriteBytes(bytes.AsSpan(bytes.AsSpan().IndexOf("PK\u0001\u0002"u8) + SizeAt), BufferSize);
        File.WriteAllBytes(path, bytes);

        using var reader = EtlReader.Open(path);
        Assert.Equal(BufferSize, reader.Files[0].Bytes);
    }

    private static byte[] Write(bool compress)
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("written.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = BufferSize, Compress = compress }))
            WriteEvents(writer, Events);
        return File.ReadAllBytes(path);
    }

    private static void WriteEvents(EtlWriter writer, int count)
    {
        for (var number = 0; number < count; number++)
            writer.Write(
                new EtlEventFields
                {
                    HeaderType = EtlHeaderType.PerfInfo64,
                    Timestamp = 100 + number,
                    Group = 0xF,
                    Opcode = 46,
                },
                [.. BitConverter.GetBytes(number), .. BitConverter.GetBytes(number * 7919L), 1, 2, 3]
            );
    }

    /// <summary>Numbers that the events' payloads carry.</summary>
    private static List<int> Numbers(ReadOnlyMemory<byte> content, out EtlStatistics statistics)
    {
        using var reader = EtlReader.Open(content, "cut");
        var numbers = new List<int>();
        while (reader.TryRead(out var read))
        {
            if (read.Group == 0xF)
                numbers.Add(BitConverter.ToInt32(read.Payload));
        }

        statistics = reader.Statistics;
        return numbers;
    }

    private static List<int> BufferOffsets(byte[] content)
    {
        var offsets = new List<int>();
        for (var offset = 0; offset < content.Length; offset += BitConverter.ToInt32(content, offset))
            offsets.Add(offset);
        return offsets;
    }

    private static bool IsBufferEnd(byte[] content, int length) =>
        BufferOffsets(content)
            .Any(offset =>
                // After the valid bytes of a buffer only padding is missing.
                offset == length
                || (
                    offset < length
                    && offset + BitConverter.ToInt32(content, offset + 0x30) <= length
                    && BitConverter.ToInt32(content, offset) > length - offset
                )
            );
}
