using System.Buffers.Binary;
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Security.Cryptography;
using System.Text;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>Reads the source files that a portable PDB names: those that it embeds, else those on disk that have its checksum (Portable PDB v1.0 of dotnet/runtime: Document table, Embedded Source).</summary>
internal static class SourceTextReader
{
    /// <summary>A larger file is not source code that a person reads.</summary>
    private const int MaxBytes = 64 << 20;

    private static readonly Guid s_embedded = new("0e8a571b-6926-466e-b4ad-8ab04611f5fe");
    private static readonly Guid s_sha1 = new("ff1816ec-aa5e-4d10-87f7-6f4963833460");
    private static readonly Guid s_sha256 = new("8829d00f-11b8-4213-878b-770e8597ac16");

    /// <summary>Reads a file.</summary>
    /// <param name="pdb">The PDB.</param>
    /// <param name="document">The file in it.</param>
    /// <param name="folder">Folder of the assembly.</param>
    /// <param name="program">The program's files that the recording keeps; null without a recording.</param>
    public static SourceText Read(MetadataReader pdb, DocumentHandle document, string folder, ProgramFiles? program)
    {
        try
        {
            var checksum = pdb.GetBlobBytes(pdb.GetDocument(document).Hash);
            return Read(pdb, document, folder, program?.Source(checksum)) with { Checksum = Convert.ToHexStringLower(checksum) };
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            return SourceText.None(exception.Message.TrimEnd('.'));
        }
    }

    private static SourceText Read(MetadataReader pdb, DocumentHandle document, string folder, string? kept)
    {
        try
        {
            var path = pdb.GetString(pdb.GetDocument(document).Name);
            if (Embedded(pdb, document) is { } embedded)
                return Text(embedded);
            var changed = "";
            if (Find(pdb, document, [.. Places(path, folder), .. kept is null ? (string[])[] : [kept]], ref changed) is { } bytes)
                return Text(bytes);
            return SourceText.None(changed.Length > 0 ? $"{changed} was changed since the program was built" : $"{path} does not exist here; run from the folder of the sources, or build with EmbedAllSources");
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            return SourceText.None(exception.Message.TrimEnd('.'));
        }
    }

    /// <summary>The file on this machine's disk; null when it is embedded, missing, or was changed since.</summary>
    /// <param name="pdb">The PDB.</param>
    /// <param name="document">The file in it.</param>
    /// <param name="folder">Folder of the assembly.</param>
    public static byte[]? OnDisk(MetadataReader pdb, DocumentHandle document, string folder)
    {
        try
        {
            var changed = "";
            return Embedded(pdb, document) is null ? Find(pdb, document, Places(pdb.GetString(pdb.GetDocument(document).Name), folder), ref changed) : null;
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            return null;
        }
    }

    /// <summary>The first file that has the document's checksum.</summary>
    /// <param name="pdb">The PDB.</param>
    /// <param name="document">The file in it.</param>
    /// <param name="places">Where it may be.</param>
    /// <param name="changed">The first file that has another checksum, unless there was one before.</param>
    private static byte[]? Find(MetadataReader pdb, DocumentHandle document, IEnumerable<string> places, ref string changed)
    {
        foreach (var place in places)
        {
            if (new FileInfo(place) is not { Exists: true, Length: <= MaxBytes })
                continue;
            var bytes = File.ReadAllBytes(place);
            if (IsRecorded(pdb, pdb.GetDocument(document), bytes))
                return bytes;
            changed = changed.Length > 0 ? changed : place;
        }

        return null;
    }

    /// <summary>
    /// Where a file may be: at its path, else where the end of its path names one, below the assembly's or the current folder or a parent of them. Builds of CI call the folder of the sources <c>/_/</c>,
    /// those of another machine as it was called there.
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

    /// <summary>The embedded file: i32 size, 0 for bytes as they are, else the size of what follows once it is inflated.</summary>
    private static byte[]? Embedded(MetadataReader pdb, DocumentHandle document)
    {
        foreach (var handle in pdb.GetCustomDebugInformation(document))
        {
            var information = pdb.GetCustomDebugInformation(handle);
            if (pdb.GetGuid(information.Kind) != s_embedded)
                continue;
            var blob = pdb.GetBlobBytes(information.Value);
            if (blob.Length < sizeof(int) || BinaryPrimitives.ReadInt32LittleEndian(blob) is not (>= 0 and <= MaxBytes and var size))
                throw new BadImageFormatException("the embedded source is damaged");
            if (size == 0)
                return blob[sizeof(int)..];
            var bytes = new byte[size];
            using var inflated = new DeflateStream(new MemoryStream(blob, sizeof(int), blob.Length - sizeof(int)), CompressionMode.Decompress);
            inflated.ReadExactly(bytes);
            return bytes;
        }

        return null;
    }

    /// <summary>Whether a file on disk is the one that was compiled. Line ends may differ: git changes them.</summary>
    private static bool IsRecorded(MetadataReader pdb, Document document, byte[] bytes)
    {
        var algorithm = pdb.GetGuid(document.HashAlgorithm);
        var expected = pdb.GetBlobBytes(document.Hash);
        return ((byte[][])[bytes, WithLineEnds(bytes, "\n"), WithLineEnds(bytes, "\r\n")]).Any(text => Hash(algorithm, text).SequenceEqual(expected));
    }

    private static byte[] Hash(Guid algorithm, byte[] bytes) => algorithm == s_sha256 ? SHA256.HashData(bytes) : algorithm == s_sha1 ? Sha1(bytes) : [];

    /// <summary>Tells files apart; nothing depends on nobody making two with one hash.</summary>
    private static byte[] Sha1(byte[] bytes)
    {
#pragma warning disable CA5350 // older compilers wrote it
        return SHA1.HashData(bytes);
#pragma warning restore CA5350
    }

    private static byte[] WithLineEnds(byte[] bytes, string end) => Encoding.Latin1.GetBytes(Encoding.Latin1.GetString(bytes).ReplaceLineEndings(end));

    private static SourceText Text(byte[] bytes)
    {
        using var reader = new StreamReader(new MemoryStream(bytes), Encoding.UTF8, detectEncodingFromByteOrderMarks: true);
        return new SourceText(reader.ReadToEnd().ReplaceLineEndings("\n").Split('\n'), "");
    }
}
