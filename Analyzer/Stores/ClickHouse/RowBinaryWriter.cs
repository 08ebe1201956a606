using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// Writes rows in ClickHouse's format RowBinary, compressed with gzip: little-endian numbers, texts preceded by their length (LEB128),
/// nullable values preceded by a byte (1 for null). Unlike a text format it transfers doubles exactly; old versions round the last digit
/// when they parse text.
/// </summary>
internal sealed class RowBinaryWriter : IDisposable
{
    private readonly MemoryStream _bytes = new();
    private readonly GZipStream _gzip;
    private byte[] _row = new byte[512];
    private int _length;

    /// <summary>Creates an empty writer.</summary>
    public RowBinaryWriter() => _gzip = new GZipStream(_bytes, CompressionLevel.Fastest, leaveOpen: true);

    /// <summary>Adds a row of a table.</summary>
    /// <param name="table">The table.</param>
    /// <param name="row">Its values.</param>
    /// <param name="load">Number of its load.</param>
    /// <param name="number">Number of the row in its trace and table.</param>
    public void Add(StoreTable table, IReadOnlyList<object?> row, ulong load, uint number)
    {
        _length = 0;
        Text((string)row[0]!);
        BinaryPrimitives.WriteUInt64LittleEndian(Space(sizeof(ulong)), load);
        BinaryPrimitives.WriteUInt32LittleEndian(Space(sizeof(uint)), number);
        for (var i = 1; i < table.Columns.Count; i++)
            Value(table.Columns[i], row[i]);
        _gzip.Write(_row, 0, _length);
    }

    /// <summary>Returns the compressed rows; no more can be added.</summary>
    public byte[] Finish()
    {
        _gzip.Dispose();
        return _bytes.ToArray();
    }

    /// <inheritdoc />
    public void Dispose()
    {
        _gzip.Dispose();
        _bytes.Dispose();
    }

    private void Value(StoreColumn column, object? value)
    {
        if (column.IsNullable)
            Space(1)[0] = value is null or double.NaN ? (byte)1 : (byte)0;
        switch (value)
        {
            case null when !column.IsNullable:
                throw new ArgumentException($"column {column.Name} has no value", nameof(value));
            case null or double.NaN when column.IsNullable:
                break;
            case string text:
                Text(text);
                break;
            case long whole:
                BinaryPrimitives.WriteInt64LittleEndian(Space(sizeof(long)), whole);
                break;
            case double number:
                BinaryPrimitives.WriteDoubleLittleEndian(Space(sizeof(double)), number);
                break;
            default:
                throw new ArgumentException($"column {column.Name} has a {value!.GetType().Name}", nameof(value));
        }
    }

    private void Text(string text)
    {
        var bytes = Encoding.UTF8.GetByteCount(text);
        var rest = (uint)bytes;
        for (; rest >= 0x80; rest >>= 7)
            Space(1)[0] = (byte)(rest | 0x80);
        Space(1)[0] = (byte)rest;
        Encoding.UTF8.GetBytes(text, Space(bytes));
    }

    private Span<byte> Space(int bytes)
    {
        if (_length + bytes > _row.Length)
            Array.Resize(ref _row, Math.Max(_row.Length * 2, _length + bytes));
        var space = _row.AsSpan(_length, bytes);
        _length += bytes;
        return space;
    }
}
