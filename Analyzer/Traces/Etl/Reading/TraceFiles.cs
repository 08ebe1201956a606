using System.IO.Compression;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Opens .etl files and the .etl members of archives.</summary>
internal static class TraceFiles
{
    /// <summary>Opens all files of a trace; for an archive, all members ending in .etl, ordered by name.</summary>
    public static List<TraceBytes> Open(IReadOnlyList<string> paths, EtlReadOptions options)
    {
        var files = new List<TraceBytes>();
        try
        {
            foreach (var path in paths)
            {
                if (IsArchive(path))
                    Extract(path, options, files);
                else
                    files.Add(TraceBytes.Open(path));
            }

            return files;
        }
        catch
        {
            foreach (var file in files)
                file.Dispose();
            throw;
        }
    }

    /// <summary>Recognizes a zip archive by its first bytes, because names vary: .zip, .etl.zip, .diagsession.</summary>
    private static bool IsArchive(string path)
    {
        using var handle = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        Span<byte> magic = stackalloc byte[4];
        return RandomAccess.Read(handle, magic, 0) == 4 && magic.SequenceEqual("PK\u0003\u0004"u8);
    }

    private static void Extract(string path, EtlReadOptions options, List<TraceBytes> files)
    {
        try
        {
            using var archive = ZipFile.OpenRead(path);
            var members = archive
                .Entries.Where(entry => entry.Name.EndsWith(".etl", StringComparison.OrdinalIgnoreCase))
                .OrderBy(entry => entry.FullName, StringComparer.Ordinal)
                .ToList();
            if (members.Count == 0)
                throw new EtlFormatException(
                    path,
                    0,
                    "an archive with a member that ends in .etl",
                    $"it has only {archive.Entries.Count} other members",
                    "name the .etl file itself"
                );
            CheckSize(path, members, options);
            foreach (var member in members)
                files.Add(ExtractMember(path, member));
        }
        catch (InvalidDataException error)
        {
            throw new EtlFormatException(path, 0, "a zip archive", $"it cannot be decompressed ({error.Message})", "copy it again", error);
        }
    }

    /// <summary>Checks the sizes in the archive; a member is never extracted beyond its stated size.</summary>
    private static void CheckSize(string path, List<ZipArchiveEntry> members, EtlReadOptions options)
    {
        var needed = members.Sum(member => (decimal)member.Length);
        if (needed > options.MaxExtractedBytes)
            throw new EtlFormatException(
                path,
                0,
                $"at most {options.MaxExtractedBytes} bytes of .etl files in the archive",
                $"they have {needed} bytes",
                "unpack it manually and name the .etl file"
            );
        var folder = Path.GetTempPath();
        var free = options.FreeBytes(folder);
        if (needed > free)
            throw new EtlFormatException(
                path,
                0,
                $"room for {needed} bytes of .etl files in the folder for temporary files",
                $"{folder} has {free} bytes left",
                "free some space, set TMPDIR (TEMP on Windows) to a folder of a larger disk, or unpack it manually and name the .etl file"
            );
    }

    /// <summary>
    /// Extracts a member to a temporary file that the system deletes with its last handle. Stops early if the start is not that of an .etl
    /// file.
    /// </summary>
    private static TraceBytes ExtractMember(string path, ZipArchiveEntry member)
    {
        var name = $"{path}!{member.FullName}";
        using var content = member.Open();
        var buffer = new byte[FirstBuffer.MaxBytes];
        var read = content.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
        FirstBuffer.ReadHeader(new TraceBytes(buffer.AsMemory(0, read), name));

        var temporary = Path.Combine(Path.GetTempPath(), $"esp-etl-{Guid.NewGuid():N}.tmp");
        var handle = File.OpenHandle(
            temporary,
            FileMode.CreateNew,
            FileAccess.ReadWrite,
            FileShare.ReadWrite | FileShare.Delete,
            FileOptions.DeleteOnClose
        );
        try
        {
            // On other systems, an open file outlives its name, so nothing remains if this process is killed.
            if (!OperatingSystem.IsWindows())
                File.Delete(temporary);
            for (var bytes = 0L; read > 0; bytes += read, read = content.Read(buffer))
                RandomAccess.Write(handle, buffer.AsSpan(0, read), bytes);

            return new TraceBytes(handle, name);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }
}

/// <summary>A time range in the trace's ticks, inclusive.</summary>
internal readonly record struct TraceRange(long From, long To)
{
    public static TraceRange All { get; } = new(long.MinValue, long.MaxValue);

    public bool Contains(long time) => time >= From && time <= To;
}
