using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using ZstdSharp;
using ZstdSharp.Unsafe;

namespace EtwSerializerProfiler.Traces.Packing;

/// <summary>Files that are compressed after the recording: the method names of a process take a sixth of their space.</summary>
/// <remarks>
/// <c>zstd -d</c> restores them. Every 128 KB are a zstd frame of its own with its size and checksum, so that <see cref="PackedStream"/>
/// can read from any place and a damaged frame damages no other.
/// </remarks>
public static class PackedFile
{
    /// <summary>Follows the name of the uncompressed file.</summary>
    public const string Extension = ".zst";

    /// <summary>The fastest level; level 3 saves 4 % more.</summary>
    private const int Level = 1;

    private const int FrameBytes = 128 << 10;

    /// <summary>Replaces a file by a compressed one. The file stays as it is until the new one is complete.</summary>
    /// <param name="path">The file.</param>
    /// <param name="index">
    /// What a reader would else have to find by reading all content; empty for none. Other tools skip it (a skippable frame of RFC 8878).
    /// </param>
    /// <returns>Path of the new file; the same when it stays as it is, because the disk is full.</returns>
    internal static string Pack(string path, byte[] index) =>
        PackedCopy.TryReplace(path, path + Extension, (source, copy) => Write(source, copy, index)) ? path + Extension : path;

    /// <summary>
    /// The file of this name, compressed or not: the user may unpack files, and a recorder may have been killed while it packed.
    /// </summary>
    public static string Find(string path)
    {
        var other = path.EndsWith(Extension, StringComparison.Ordinal) ? path[..^Extension.Length] : path + Extension;
        return !File.Exists(path) && File.Exists(other) ? other : path;
    }

    /// <summary>Opens a file's content, uncompressed. The stream can seek.</summary>
    /// <param name="path">The file, compressed or not.</param>
    /// <param name="bufferBytes">Buffer of the stream; 0 for none.</param>
    /// <param name="options">How it is read.</param>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static Stream OpenRead(string path, int bufferBytes, FileOptions options = FileOptions.None)
    {
        var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferBytes, options);
        try
        {
            return PackedStream.IsPacked(file) ? new PackedStream(file) : file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private static bool Write(SafeFileHandle source, FileStream target, byte[] index)
    {
        using var compressor = new Compressor(Level);
        compressor.SetParameter(ZSTD_cParameter.ZSTD_c_checksumFlag, 1);
        var content = new byte[FrameBytes];
        var frame = new byte[Compressor.GetCompressBound(FrameBytes)];
        long position = 0;
        while (RandomAccess.Read(source, content, position) is > 0 and var read)
        {
            position += read;
            target.Write(frame, 0, compressor.Wrap(content.AsSpan(0, read), frame));
        }

        if (index.Length > 0)
        {
            var packed = compressor.Wrap(index);
            Span<byte> header = stackalloc byte[2 * sizeof(uint)];
            BinaryPrimitives.WriteUInt32LittleEndian(header, PackedStream.IndexMagic);
            BinaryPrimitives.WriteInt32LittleEndian(header[sizeof(uint)..], packed.Length);
            target.Write(header);
            target.Write(packed);
        }

        return position > 0;
    }
}
