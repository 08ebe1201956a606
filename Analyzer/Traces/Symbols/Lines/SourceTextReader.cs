using System.Buffers.Binary;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>Reads the source files of a PDB: embedded ones, else files on disk with the recorded checksum.</summary>
internal static class SourceTextReader
{
    /// <summary>Larger files are not hand-written source code.</summary>
    private const int MaxBytes = 64 << 20;

    /// <summary>The checksum of compilers before Roslyn.</summary>
    public static readonly Guid Md5 = new("406ea660-64cf-4c82-b6f0-42d48172a799");

    /// <summary>The checksum of .NET Framework's Roslyn.</summary>
    public static readonly Guid Sha1 = new("ff1816ec-aa5e-4d10-87f7-6f4963833460");

    /// <summary>The checksum of today's compilers.</summary>
    public static readonly Guid Sha256 = new("8829d00f-11b8-4213-878b-770e8597ac16");

    /// <summary>Reads a file.</summary>
    /// <param name="document">The file in the PDB.</param>
    /// <param name="folder">Folder of the assembly.</param>
    /// <param name="program">The program's files that the recording keeps; null without a recording.</param>
    public static SourceText Read(SourceDocument document, string folder, ProgramFiles? program) =>
        Read(document, folder, program?.Source(document.Checksum)) with
        {
            Checksum = Convert.ToHexStringLower(document.Checksum),
        };

    private static SourceText Read(SourceDocument document, string folder, string? kept)
    {
        try
        {
            if (Embedded(document) is { } embedded)
                return Text(embedded);
            if (document.Checksum.Length == 0)
                return SourceText.None($"the PDB has no checksum of {document.Path}, so that no file can be checked");
            var changed = "";
            if (Find(document, [.. Places(document.Path, folder), .. kept is null ? (string[])[] : [kept]], ref changed) is { } bytes)
                return Text(bytes);
            return SourceText.None(
                changed.Length > 0
                    ? $"{changed} was changed since the program was built"
                    : $"{document.Path} does not exist here; run from the folder of the sources, or build with EmbedAllSources"
            );
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            return SourceText.None(exception.Message.TrimEnd('.'));
        }
    }

    /// <summary>The file on this machine's disk; null when it is embedded, missing, or has changed since.</summary>
    /// <param name="document">The file in the PDB.</param>
    /// <param name="folder">Folder of the assembly.</param>
    public static byte[]? OnDisk(SourceDocument document, string folder)
    {
        try
        {
            var changed = "";
            return Embedded(document) is null ? Find(document, Places(document.Path, folder), ref changed) : null;
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            return null;
        }
    }

    /// <summary>The first file with the document's checksum.</summary>
    /// <param name="document">The file in the PDB.</param>
    /// <param name="places">Candidate paths.</param>
    /// <param name="changed">The first file with a different checksum, unless already set.</param>
    private static byte[]? Find(SourceDocument document, IEnumerable<string> places, ref string changed)
    {
        foreach (var place in places)
        {
            if (new FileInfo(place) is not { Exists: true, Length: <= MaxBytes })
                continue;
            var bytes = File.ReadAllBytes(place);
            if (IsRecorded(document, bytes))
                return bytes;
            changed = changed.Length > 0 ? changed : place;
        }

        return null;
    }

    /// <summary>
    /// Candidate paths of a file: its path, else a suffix of it below the assembly's or the current folder or one of their parents. CI
    /// builds name the source folder <c>/_/</c>, builds of another machine as it is named there.
    /// </summary>
    private static IEnumerable<string> Places(string path, string folder)
    {
        yield return path;
        string[] names = path.Split('/', '\\');
        foreach (var start in (string[])[folder, Environment.CurrentDirectory])
        {
            for (var parent = start; !string.IsNullOrEmpty(parent); parent = Path.GetDirectoryName(parent))
            {
                for (var from = 1; from < names.Length; from++)
                    yield return Path.Combine([parent, .. names[from..]]);
            }
        }
    }

    /// <summary>
    /// The embedded text: i32 size, 0 for bytes as they are, else the size of what follows once it is inflated (Portable PDB v1.0; Windows
    /// PDBs have the same bytes).
    /// </summary>
    private static byte[]? Embedded(SourceDocument document)
    {
        if (document.Embedded() is not { } blob)
            return null;
        if (blob.Length < sizeof(int) || BinaryPrimitives.ReadInt32LittleEndian(blob) is not (>= 0 and <= MaxBytes and var size))
            throw new BadImageFormatException("the embedded source is damaged");
        if (size == 0)
            return blob[sizeof(int)..];
        var bytes = new byte[size];
        using var inflated = new DeflateStream(new MemoryStream(blob, sizeof(int), blob.Length - sizeof(int)), CompressionMode.Decompress);
        inflated.ReadExactly(bytes);
        return bytes;
    }

    /// <summary>Whether a file on disk is the one that was compiled. Line ends may differ: git changes them.</summary>
    private static bool IsRecorded(SourceDocument document, byte[] bytes) =>
        document.Checksum.Length > 0
        && ((byte[][])[bytes, WithLineEnds(bytes, "\n"), WithLineEnds(bytes, "\r\n")]).Any(text =>
            Hash(document.Algorithm, text).SequenceEqual(document.Checksum)
        );

    /// <summary>Only distinguishes files; security does not depend on the hash.</summary>
    private static byte[] Hash(Guid algorithm, byte[] bytes)
    {
#pragma warning disable CA5350, CA5351 // older compilers wrote them
        return algorithm == Sha256 ? SHA256.HashData(bytes)
            : algorithm == Sha1 ? SHA1.HashData(bytes)
            : algorithm == Md5 ? MD5.HashData(bytes)
            : [];
#pragma warning restore CA5350, CA5351
    }

    private static byte[] WithLineEnds(byte[] bytes, string end) =>
        Encoding.Latin1.GetBytes(Encoding.Latin1.GetString(bytes).ReplaceLineEndings(end));

    private static SourceText Text(byte[] bytes)
    {
        using var reader = new StreamReader(new MemoryStream(bytes), Encoding.UTF8, detectEncodingFromByteOrderMarks: true);
        return new SourceText(reader.ReadToEnd().ReplaceLineEndings("\n").Split('\n'), "");
    }
}
