using System.Buffers;
using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>Hash of a trace's files: equal files give equal rows, independent of their location, if the same part is extracted.</summary>
/// <param name="Digest">SHA-256 over names, sizes and contents of the files and the named part, in hexadecimal digits.</param>
/// <param name="Bytes">Size of the files.</param>
public sealed record TraceContent(string Digest, long Bytes)
{
    /// <summary>Bytes per read.</summary>
    private const int BufferBytes = 1 << 20;

    /// <summary>Reads the files with a constant amount of memory.</summary>
    /// <exception cref="IOException">A file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to a file is denied.</exception>
    public static TraceContent Read(TraceUnit unit)
    {
        ArgumentNullException.ThrowIfNull(unit);
        var content = Read(UnitFiles.Of(unit));
        return unit.Part.Length == 0
            ? content
            : content with
            {
                Digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{content.Digest}\n{unit.Part}"))),
            };
    }

    /// <inheritdoc cref="Read(TraceUnit)"/>
    internal static TraceContent Read(IReadOnlyList<UnitFile> files)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
        try
        {
            Span<byte> number = stackalloc byte[sizeof(long)];
            var bytes = 0L;
            foreach (var file in files)
            {
                // Lengths precede what they measure, so that different sets of files cannot produce the same hashed bytes.
                var name = Encoding.UTF8.GetBytes(file.Name);
                Append(hash, number, name.Length);
                hash.AppendData(name);
                var length = AppendContent(hash, file, buffer);
                Append(hash, number, length);
                bytes += length;
            }

            return new TraceContent(Convert.ToHexStringLower(hash.GetHashAndReset()), bytes);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Hash of the content together with the other inputs of the rows: the schema's version and the requested tables.</summary>
    /// <param name="digest">Digest of the content.</param>
    /// <param name="tables">Requested tables, separated by commas; empty for all.</param>
    public static string Key(string digest, string tables) =>
        Convert.ToHexStringLower(
            SHA256.HashData(
                Encoding.UTF8.GetBytes(
                    string.Create(
                        System.Globalization.CultureInfo.InvariantCulture,
                        $"esp-trace {StoreSchema.Version}\n{tables}\n{digest}\n"
                    )
                )
            )
        );

    /// <summary>Name of a trace in all tables, derived from its key.</summary>
    public static string NameOf(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return key[..16];
    }

    private static long AppendContent(IncrementalHash hash, UnitFile file, byte[] buffer)
    {
        using var handle = File.OpenHandle(file.Path, share: FileShare.ReadWrite | FileShare.Delete, options: FileOptions.SequentialScan);
        var pass = ReadProgress.Current?.Begin(file.Path, file.Bytes);
        var offset = 0L;
        for (int read; (read = RandomAccess.Read(handle, buffer, offset)) > 0; offset += read)
        {
            hash.AppendData(buffer, 0, read);
            pass?.Advance(read);
        }

        pass?.End();
        return offset;
    }

    private static void Append(IncrementalHash hash, Span<byte> buffer, long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(buffer, value);
        hash.AppendData(buffer);
    }
}
