using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Payloads of method and module events, of the runtime's provider and of its rundown (ClrEtwAll.man of dotnet/runtime).</summary>
/// <remarks>
/// Method events: u64 method @0, u64 module @8, u64 start @16, u32 size @24, u32 token @28, u32 flags @32; verbose ones then namespace,
/// name and signature as UTF-16 with a zero each; of version 2 then u16 runtime instance and u64 id of the code (version 1, which dynamic
/// methods and generic instances get, ends with the instance). Module events: u64 module @0, u64 assembly @8, u32 flags @16, u32 reserved
/// @20, path of the assembly, path of its native image; since version 2 then u16 runtime instance, GUID of the assembly's PDB file.
/// </remarks>
internal static class MethodCodePayload
{
    /// <summary>Bytes before the texts of a method event.</summary>
    public const int FixedSize = 36;

    /// <summary>Bytes after the texts, with the id of the code.</summary>
    private const int NativeCodeIdSize = 10;

    /// <summary>MethodFlags: a dynamic method, without assembly.</summary>
    private const int DynamicFlag = 0x1;

    /// <summary>MethodFlags: the code was compiled at run time.</summary>
    private const int JittedFlag = 0x8;

    /// <summary>MethodFlags: position and mask of the tier.</summary>
    private const int TierShift = 7;
    private const int TierMask = 0x7;

    /// <summary>Whether the code was compiled at run time; the payload has at least <see cref="FixedSize"/> bytes.</summary>
    public static bool IsJitted(ReadOnlySpan<byte> payload) => (BinaryPrimitives.ReadInt32LittleEndian(payload[32..]) & JittedFlag) != 0;

    /// <summary>Flags for code of a tier. Omits the helper flag, because TraceEvent moves helpers to a separate module.</summary>
    public static int FlagsOf(CodeTier tier) => tier == CodeTier.ReadyToRun ? 0 : JittedFlag | ((int)tier << TierShift);

    /// <summary>Reads a verbose method event.</summary>
    public static bool TryRead(in EventAt at, ReadOnlySpan<byte> payload, bool isRundown, TextPool texts, out MethodCode code)
    {
        var reader = new PayloadReader(payload);
        var method = reader.Int64();
        var module = reader.Int64();
        var start = (ulong)reader.Int64();
        var size = (uint)reader.Int32();
        var token = reader.Int32();
        var flags = reader.Int32();
        var (type, name, signature) = (reader.Text(texts), reader.Text(texts), reader.Text(texts));
        code = new MethodCode(at, method, module, start, size, Tier(flags), isRundown, type, name, signature) { Token = token };
        if (!reader.Fits)
            return false;
        if (reader.Left >= NativeCodeIdSize)
        {
            reader.Bytes(2);
            code = code with { NativeCodeId = reader.Int64() };
        }

        return true;
    }

    /// <summary>
    /// Reads the map of a piece of code: u64 method @0, u64 number of its rejit @8, u8 extent @16, u16 count @17, then that many IL
    /// offsets, then that many offsets in the code.
    /// </summary>
    /// <param name="at">Time, process and thread.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="isOfLoaded">Whether the code was already loaded.</param>
    /// <param name="statements">The map.</param>
    /// <returns>False when the payload is too short for its count.</returns>
    public static bool TryReadStatements(in EventAt at, ReadOnlySpan<byte> payload, bool isOfLoaded, out CodeStatements statements)
    {
        var reader = new PayloadReader(payload);
        var method = reader.Int64();
        reader.Bytes(9);
        var count = reader.UInt16();
        statements = new CodeStatements
        {
            At = at,
            MethodId = method,
            IsOfLoaded = isOfLoaded,
            Instructions = reader.Items(count, sizeof(int)),
            Offsets = reader.Items(count, sizeof(uint)),
        };
        return reader.Fits;
    }

    /// <summary>Reads a method load; the payload has at least <see cref="FixedSize"/> bytes.</summary>
    public static MethodLoaded ReadLoad(in EventAt at, ReadOnlySpan<byte> payload, bool hasNames)
    {
        var rest = payload[FixedSize..];
        ReadOnlySpan<char> type = default,
            name = default;
        if (hasNames && PayloadReader.TryReadText(ref rest, out type))
            PayloadReader.TryReadText(ref rest, out name);
        return new MethodLoaded
        {
            At = at,
            MethodId = BinaryPrimitives.ReadInt64LittleEndian(payload),
            ModuleId = BinaryPrimitives.ReadInt64LittleEndian(payload[8..]),
            IsJitted = IsJitted(payload),
            IsDynamic = (BinaryPrimitives.ReadInt32LittleEndian(payload[32..]) & DynamicFlag) != 0,
            Tier = Tier(BinaryPrimitives.ReadInt32LittleEndian(payload[32..])),
            CodeBytes = BinaryPrimitives.ReadUInt32LittleEndian(payload[24..]),
            Namespace = type,
            Name = name,
        };
    }

    /// <summary>Reads a module event.</summary>
    /// <param name="at">Time, process and thread.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="texts">Has the paths.</param>
    /// <param name="module">The module.</param>
    /// <param name="pdb">GUID of its PDB file; empty when the event has none.</param>
    public static bool TryReadModule(in EventAt at, ReadOnlySpan<byte> payload, TextPool texts, out ModuleLoaded module, out Guid pdb)
    {
        var reader = new PayloadReader(payload);
        var id = reader.Int64();
        reader.Bytes(8);
        var flags = reader.Int32();
        reader.Bytes(4);
        module = new ModuleLoaded(at, id, reader.Text(texts)) { IsDynamic = LoaderPayload.IsDynamicModule(flags) };
        pdb = default;
        if (!reader.Fits)
            return false;
        reader.SkipText();
        reader.Bytes(2);
        pdb = reader.Guid();
        return true;
    }

    private static CodeTier Tier(int flags) =>
        (flags & JittedFlag) == 0 ? CodeTier.ReadyToRun : (CodeTier)((flags >> TierShift) & TierMask);
}
