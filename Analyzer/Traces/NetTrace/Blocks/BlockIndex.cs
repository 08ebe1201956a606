using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Packing;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>
/// The blocks of a complete .nettrace file as an index of its compressed form, so that opening it does not decompress all of it.
/// </summary>
public static class BlockIndex
{
    private const int NoKind = -1;

    /// <summary>Compresses a .nettrace file (see <see cref="PackedFile"/>).</summary>
    /// <param name="path">The file.</param>
    /// <returns>Path of the new file; the same when it stays as it is, because the disk is full.</returns>
    public static string Pack(string path)
    {
        try
        {
            var layout = NetTraceLayout.Scan(path);
            return PackedFile.Pack(path, layout.Damage is null && layout.Header.Version < 6 ? Of(layout) : []);
        }
        catch (Exception exception) when (exception is TraceFormatException or IOException)
        {
            return path; // readers will say what is wrong with it
        }
    }

    /// <summary>Reads an index; false when it does not fit the file.</summary>
    /// <param name="index">What <see cref="Of"/> returned.</param>
    /// <param name="start">Offset after the first object.</param>
    /// <param name="fileBytes">Size of the content.</param>
    /// <param name="blocks">Receives the blocks.</param>
    /// <param name="validBytes">Offset after the last one.</param>
    internal static bool TryRead(byte[] index, long start, long fileBytes, List<NetTraceBlockPlace> blocks, out long validBytes)
    {
        validBytes = start;
        var places = MemoryMarshal.Cast<byte, Entry>(index);
        foreach (var place in places)
        {
            if (
                place.Start != validBytes
                || place.ContentAt < place.Start
                || place.ContentBytes < 0
                || place.End < place.ContentAt + place.ContentBytes
                || place.End > fileBytes
            )
            {
                blocks.Clear();
                return false;
            }

            blocks.Add(
                new NetTraceBlockPlace(
                    place.Kind == NoKind ? null : (NetTraceBlockKind)place.Kind,
                    place.Start,
                    place.ContentAt,
                    place.ContentBytes
                )
            );
            validBytes = place.End;
        }

        return places.Length > 0;
    }

    internal static byte[] Of(NetTraceLayout layout)
    {
        var blocks = layout.Blocks;
        var entries = new Entry[blocks.Count];
        for (var i = 0; i < entries.Length; i++)
            entries[i] = new Entry(
                blocks[i].Start,
                blocks[i].ContentAt,
                i + 1 < blocks.Count ? blocks[i + 1].Start : layout.ValidBytes,
                blocks[i].ContentBytes,
                (int?)blocks[i].Kind ?? NoKind
            );
        return MemoryMarshal.AsBytes(entries.AsSpan()).ToArray();
    }

    /// <summary>A block; little-endian, as all machines with .NET are.</summary>
    private readonly record struct Entry(long Start, long ContentAt, long End, int ContentBytes, int Kind);
}
