using System.IO.Compression;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Opens .etl files and the .etl members of archives.</summary>
internal static class TraceFiles
{
    /// <summary>Opens all files of a trace; of an archive all members that end in .etl, in the order of their names.</summary>
    public static List<TraceBytes> Open(IReadOnlyList<string> paths, EtlReadOptions options)
    {
        var files = new List<TraceBytes>();
        try
        {
            foreach (var path in paths)
            {
                if (IsArchive(path))
                    Extract(path, options.MaxExtractedBytes, files);
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

    /// <summary>A zip archive is told by its first bytes, not by its name: .zip, .etl.zip, .diagsession.</summary>
    private static bool IsArchive(string path)
    {
        using var handle = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        Span<byte> magic = stackalloc byte[4];
        return RandomAccess.Read(handle, magic, 0) == 4 && magic.SequenceEqual("PK\u0003\u0004"u8);
    }

    private static void Extract(string path, long limit, List<TraceBytes> files)
    {
        try
        {
            using var archive = ZipFile.OpenRead(path);
            var members = archive.Entries
                .Where(entry => entry.Name.EndsWith(".etl", StringComparison.OrdinalIgnoreCase))
                .OrderBy(entry => entry.FullName, StringComparer.Ordinal)
                .ToList();
            if (members.Count == 0)
                throw new EtlFormatException(path, 0, "an archive with a member that ends in .etl", $"it has {archive.Entries.Count} other members", "name the .etl file itself");
            foreach (var member in members)
            {
                files.Add(ExtractMember(path, member, limit, out var bytes));
                limit -= bytes;
            }
        }
        catch (InvalidDataException error)
        {
            throw new EtlFormatException(path, 0, "a zip archive", $"it cannot be decompressed ({error.Message})", "copy it again", error);
        }
    }

    /// <summary>Writes a member to a temporary file that the system deletes with its last handle.</summary>
    private static TraceBytes ExtractMember(string path, ZipArchiveEntry member, long limit, out long bytes)
    {
        var temporary = Path.Combine(Path.GetTempPath(), $"esp-etl-{Guid.NewGuid():N}.tmp");
        var handle = File.OpenHandle(temporary, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, FileOptions.DeleteOnClose);
        try
        {
            // Elsewhere an open file outlives its name, so that nothing stays behind when this process is killed.
            if (!OperatingSystem.IsWindows())
                File.Delete(temporary);
            using var content = member.Open();
            var buffer = new byte[128 << 10];
            bytes = 0;
            for (int read; (read = content.Read(buffer)) > 0; bytes += read)
            {
                if (bytes + read > limit)
                    throw new EtlFormatException(path, 0, $"at most {limit} bytes more of .etl files in the archive", $"{member.FullName} is larger", "unpack it yourself and name the .etl file");
                RandomAccess.Write(handle, buffer.AsSpan(0, read), bytes);
            }

            return new TraceBytes(handle, $"{path}!{member.FullName}");
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }
}
