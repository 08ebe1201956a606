using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.NativeAot;

/// <summary>
/// Writes a program like NativeAOT's: assembly App with the types App.Work, nested in it Inner`1, and App.Item; App.Work.Ser,
/// App.Work+Inner`1.Sum and an instance of it in the table of stack traces, the getter of App.Item in the lists of reflection only. Code
/// begins at 0x401000, 0x10 bytes a method.
/// </summary>
internal sealed class NativeAotBytes
{
    public const ulong Ser = 0x401000,
        Sum = 0x401010,
        SumOfInt32 = 0x401020,
        GetName = 0x401030,
        Unknown = 0x401040,
        Thunk = 0x401050,
        Lookup = 0x401180;

    private const ulong Start = 0x401000;
    private const int Modules = 0x200,
        Header = 0x210,
        Metadata = 0x400,
        Traces = 0x800;
    private const int NamespaceDefinition = 0x2f,
        ScopeDefinition = 0x38,
        ScopeReference = 0x39,
        NamespaceReference = 0x30,
        TypeDefinition = 0x3a,
        TypeInstantiation = 0x3c,
        TypeReference = 0x3d,
        TypeSpecification = 0x3e;

    private readonly List<byte> _metadata = [];
    private readonly int _kindBits;
    private readonly byte[] _content = new byte[0x1000];

    private NativeAotBytes(int kindBits) => _kindBits = kindBits;

    /// <summary>Makes the file.</summary>
    /// <param name="version">Version of its tables.</param>
    /// <param name="withSymbols">Whether it has symbols.</param>
    public static byte[] Make(int version = 16, bool withSymbols = true)
    {
        var bytes = new NativeAotBytes(version < 16 ? 8 : 7);
        bytes.Fill(version);
        const byte Function = 2;
        (string, ulong, ulong, byte)[] symbols =
        [
            ("App_App_Work__Ser", Ser, 0x10, Function),
            ("App_App_Work_Inner_1<System___Canon>__Sum", Sum, 0x10, Function),
            ("App_App_Work_Inner_1<Int32>__Sum", SumOfInt32, 0x10, Function),
            ("App_App_Item__get_Name", GetName, 0x10, Function),
            ("App_App_Item__get_Other", Unknown, 0x10, Function),
            ("App_App_Action__InvokeMulticastThunk", Thunk, 0x10, Function),
            ("__GenericLookupFromType_App_App_Work", Lookup, 0x10, Function),
        ];
        var file = ElfBytes.Make(withSymbols ? symbols : [("main", Lookup, 0x10, Function)]);
        bytes._content.CopyTo(file, 0x1000);
        return ElfBytes.WithSections(file, ("__managedcode", Start, new byte[0x100]), ("__modules", Start + Modules, new byte[8]));
    }

    private void Fill(int version)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_content.AsSpan(Modules), Start + Header);
        BinaryPrimitives.WriteUInt32LittleEndian(_content.AsSpan(Header), 0x0052_5452);
        BinaryPrimitives.WriteUInt16LittleEndian(_content.AsSpan(Header + 4), (ushort)version);
        BinaryPrimitives.WriteUInt16LittleEndian(_content.AsSpan(Header + 12), 2);
        _content[Header + 14] = 24;

        var (work, inner, instance) = MakeMetadata();
        _metadata.CopyTo(_content, Metadata);
        Table(0, 313, Metadata, _metadata.Count);

        var traces = new List<byte> { 3, 0, 0, 0 };
        Method(Ser, 1 | 2 | 4, work, "Ser");
        Method(Sum, 1 | 2, inner, "Sum");
        Method(SumOfInt32, 1, instance, "");
        traces.CopyTo(_content, Traces);
        Table(1, 327, Traces, traces.Count);

        void Method(ulong address, int change, int type, string name)
        {
            traces.Add((byte)change);
            traces.AddRange(BitConverter.GetBytes(type));
            if ((change & 2) != 0)
                traces.AddRange(Integer(_names[name]));
            if ((change & 4) != 0)
                traces.AddRange(Integer(0));
            traces.AddRange(BitConverter.GetBytes((int)(address - (Start + Traces + (ulong)traces.Count))));
        }

        void Table(int index, int kind, int at, int size)
        {
            var entry = _content.AsSpan(Header + 16 + 24 * index);
            BinaryPrimitives.WriteInt32LittleEndian(entry, kind);
            BinaryPrimitives.WriteUInt64LittleEndian(entry[8..], Start + (ulong)at);
            BinaryPrimitives.WriteUInt64LittleEndian(entry[16..], Start + (ulong)(at + size));
        }
    }

    private readonly Dictionary<string, int> _names = [];

    /// <summary>
    /// Writes the records, each after those that it refers to; where that is impossible, three bytes are reserved for the number.
    /// </summary>
    private (int Work, int Inner, int Instance) MakeMetadata()
    {
        _metadata.AddRange(BitConverter.GetBytes(0xDEAD_DFFD));
        _metadata.AddRange(Integer(1));
        var scopeAt = _metadata.Count;
        _metadata.AddRange([0, 0, 0]);
        foreach (
            var name in (string[])
                ["App", "Work", "Inner`1", "Item", "Ser", "Sum", "T", "get_Name", "System", "Int32", "System.Private.CoreLib"]
        )
        {
            _names.Add(name, _metadata.Count);
            _metadata.AddRange([.. Integer(Encoding.UTF8.GetByteCount(name)), .. Encoding.UTF8.GetBytes(name)]);
        }

        // Parents are referred to before they are written: their positions are filled in at the end.
        var getter = Record(0, 0, _names["get_Name"]);
        var inner = Record(0, 0, 0, _names["Inner`1"], 0, 0, Place, 0, 0);
        var work = Record(0, 0, Place, _names["Work"], 0, 0, 0, 1, inner, 0);
        var item = Record(0, 0, Place, _names["Item"], 0, 0, 0, 0, 1, getter);
        var space = Record(Place, _names["App"], 2, work, item, 0, 0);
        var root = Record(Place, 0, 0, 0, 1, space);
        var scope = Record(0, _names["App"], 0, 1, 0, 0, 0, 0, 0, root);
        Fix(scopeAt, scope);
        Fix(Field(inner, 6), work);
        Fix(Field(work, 2), space);
        Fix(Field(item, 2), space);
        Fix(Field(space, 0), Named(NamespaceDefinition, root));
        Fix(Field(root, 0), Named(ScopeDefinition, scope));

        var core = Record(0, _names["System.Private.CoreLib"]);
        var system = Record(Named(NamespaceReference, Record(Named(ScopeReference, core), 0)), _names["System"]);
        var int32 = Record(Named(NamespaceReference, system), _names["Int32"]);
        var instance = Record(Named(TypeInstantiation, Record(Named(TypeDefinition, inner), 1, Named(TypeReference, int32))));
        var parameter = Record(0, _names["T"]);
        var generic = Record(Named(TypeInstantiation, Record(Named(TypeDefinition, inner), 1, Named(TypeReference, parameter))));
        return (Token(TypeDefinition, work), Token(TypeSpecification, generic), Token(TypeSpecification, instance));
    }

    /// <summary>A three-byte number that is filled in later.</summary>
    private const int Place = 1 << 14;

    private int Record(params int[] values)
    {
        var at = _metadata.Count;
        foreach (var value in values)
            _metadata.AddRange(Integer(value));
        return at;
    }

    private int Field(int record, int index)
    {
        for (; index > 0; index--)
            record += 1 + System.Numerics.BitOperations.TrailingZeroCount(~_metadata[record]);
        return record;
    }

    private void Fix(int at, int value)
    {
        _metadata[at] = (byte)(value << 3 | 3);
        _metadata[at + 1] = (byte)(value >> 5);
        _metadata[at + 2] = (byte)(value >> 13);
    }

    private int Named(int kind, int offset) => offset << _kindBits | kind;

    private int Token(int kind, int offset) => kind << (32 - _kindBits) | offset;

    private static byte[] Integer(int value) =>
        value switch
        {
            < 1 << 7 => [(byte)(value << 1)],
            < 1 << 14 => [(byte)(value << 2 | 1), (byte)(value >> 6)],
            _ => [(byte)(value << 3 | 3), (byte)(value >> 5), (byte)(value >> 13)],
        };
}
