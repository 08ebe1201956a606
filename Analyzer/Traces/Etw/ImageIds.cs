using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// PDB files of a trace's images. Merging a trace on the recorded machine adds an event for each image, at the time of the image's own
/// (kernel trace control, ImageID/DbgID_RSDS): pointer to the image's first byte, u32 process, GUID, u32 age, name of the file.
/// </summary>
internal sealed class ImageIds
{
    private const byte Rsds = 36;
    private const int GuidSize = 16;

    private static readonly Guid s_provider = new("b3e675d7-2554-4f18-830b-2762732560de");

    /// <summary>By process and first address; several when images followed each other at the same address.</summary>
    private readonly Dictionary<(int Process, ulong Start), List<(long Time, PdbReference Pdb)>> _ids = [];

    /// <summary>Distinct files, because many processes share them.</summary>
    private readonly Dictionary<PdbReference, PdbReference> _files = [];

    /// <summary>Adds an event if it has an image id.</summary>
    /// <returns>Whether the event is from this provider.</returns>
    public bool TryAdd(in EtlEvent item)
    {
        if (item.ProviderId != s_provider)
            return false;
        var payload = item.Payload;
        var pointerSize = item.PointerSize;
        if (item.Opcode != Rsds || payload.Length <= pointerSize + 8 + GuidSize)
            return true;
        var start = KernelPayload.Pointer(payload, pointerSize);
        var fields = payload[pointerSize..];
        var name = fields[(8 + GuidSize)..];
        var end = name.IndexOf((byte)0);
        var pdb = new PdbReference(
            Encoding.UTF8.GetString(end < 0 ? name : name[..end]),
            new Guid(fields.Slice(4, GuidSize)),
            BinaryPrimitives.ReadInt32LittleEndian(fields[(4 + GuidSize)..])
        );
        if (!_files.TryAdd(pdb, pdb))
            pdb = _files[pdb];
        ref var ids = ref CollectionsMarshal.GetValueRefOrAddDefault(_ids, (BinaryPrimitives.ReadInt32LittleEndian(fields), start), out _);
        ids ??= [];
        if (ids.Count == 0 || ids[^1].Pdb != pdb)
            ids.Add((item.Timestamp, pdb));
        return true;
    }

    /// <summary>PDB file of the image at a time; null when the trace lacks it.</summary>
    public PdbReference? Find(int process, ulong start, long time) =>
        _ids.TryGetValue((process, start), out var ids) ? ids.MinBy(id => Math.Abs(id.Time - time)).Pdb : null;
}
