using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Methods of managed code and their lines.</summary>
public sealed partial class SyntheticPdb
{
    private readonly List<byte> _names = [0]; // the first one is empty
    private readonly List<(string Name, byte[] Bytes)> _streams = [];
    private readonly List<int> _numbers = [];

    /// <summary>Adds a module with methods; each of its lines has the method's place.</summary>
    /// <param name="methods">Token and place of each.</param>
    /// <param name="files">Path, kind of checksum and checksum of each source file.</param>
    /// <param name="lines">Place, whether columns follow, source file, and IL offset with line of each statement there.</param>
    public SyntheticPdb Managed(
        (int Token, int Section, int Offset)[] methods,
        (string Path, byte Kind, byte[] Checksum)[] files,
        params (int Section, int Offset, bool Columns, int File, (int Start, int Line)[] Statements)[] lines
    )
    {
        var stream = new MemoryStream();
        stream.Write([4, 0, 0, 0]);
        foreach (var (token, section, offset) in methods)
        {
            var record = Record(stream.Length % 8 == 4 ? (ushort)0x112A : (ushort)0x112B, 41, "");
            Put(record, 28, token);
            Put(record, 32, offset);
            BinaryPrimitives.WriteUInt16LittleEndian(record.AsSpan(36), (ushort)section);
            stream.Write(record);
            stream.Write([2, 0, 6, 0]); // S_END
        }

        var symbols = (int)stream.Length;
        var checksums = new MemoryStream();
        var entries = new List<int>();
        foreach (var (path, kind, checksum) in files)
        {
            entries.Add((int)checksums.Length);
            checksums.Write([.. BitConverter.GetBytes(Name(path)), (byte)checksum.Length, kind, .. checksum]);
            checksums.SetLength((checksums.Length + 3) & ~3);
            checksums.Position = checksums.Length;
        }

        // A part of unknown kind comes first, and the checksums after the lines: readers must not depend on the order.
        WritePart(stream, 0xF1, [1, 2, 3]);
        foreach (var (section, offset, columns, file, statements) in lines)
        {
            var size = 12 + (statements.Length * (columns ? 12 : 8));
            WritePart(
                stream,
                0xF2,
                [
                    .. BitConverter.GetBytes(offset),
                    .. BitConverter.GetBytes((ushort)section),
                    (byte)(columns ? 1 : 0),
                    0,
                    .. BitConverter.GetBytes(0x100),
                    .. BitConverter.GetBytes(entries[file]),
                    .. BitConverter.GetBytes(statements.Length),
                    .. BitConverter.GetBytes(size),
                    .. statements.SelectMany(statement =>
                        (byte[])[.. BitConverter.GetBytes(statement.Start), .. BitConverter.GetBytes(statement.Line | (1 << 31))]
                    ),
                    .. columns ? new byte[4 * statements.Length] : [],
                ]
            );
        }

        WritePart(stream, 0xF4, checksums.ToArray());
        _modules.Add((stream.ToArray(), symbols));
        return this;
    }

    /// <summary>Adds a stream with a name.</summary>
    public SyntheticPdb Named(string name, byte[] bytes)
    {
        _streams.Add((name, bytes));
        return this;
    }

    /// <summary>Renumbers the methods: the number of each, from 0.</summary>
    public SyntheticPdb Numbered(params int[] numbers)
    {
        _numbers.AddRange(numbers);
        return this;
    }

    private List<(string Name, byte[] Bytes)> NamedStreams()
    {
        var names = _names.ToArray();
        return [("/names", [0xFE, 0xEF, 0xFE, 0xEF, 1, 0, 0, 0, .. BitConverter.GetBytes(names.Length), .. names]), .. _streams];
    }

    private byte[] NamesOfStreams(IEnumerable<string> names)
    {
        var table = new MemoryStream();
        var entries = new List<byte>();
        var stream = 8 + _modules.Count;
        foreach (var name in names)
        {
            entries.AddRange([.. BitConverter.GetBytes((int)table.Length), .. BitConverter.GetBytes(stream++)]);
            table.Write([.. Encoding.UTF8.GetBytes(name), 0]);
        }

        var count = BitConverter.GetBytes(entries.Count / 8);
        return
        [
            .. BitConverter.GetBytes((int)table.Length),
            .. table.ToArray(),
            .. count,
            .. count,
            1,
            0,
            0,
            0,
            (byte)((1 << (entries.Count / 8)) - 1),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            .. entries,
            0,
            0,
            0,
            0,
        ];
    }

    private int Name(string name)
    {
        var at = _names.Count;
        _names.AddRange([.. Encoding.UTF8.GetBytes(name), 0]);
        return at;
    }

    private static void WritePart(MemoryStream stream, int kind, byte[] content)
    {
        stream.Write([.. BitConverter.GetBytes(kind), .. BitConverter.GetBytes(content.Length), .. content]);
        stream.Write(new byte[-content.Length & 3]);
    }
}
