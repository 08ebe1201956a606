using System.Text;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>
/// Reads an answer in ClickHouse's format TabSeparatedWithNamesAndTypes: a line of names, a line of types, then one line per row. <c>\N</c>
/// is null, and tabs, line ends, backslashes and zeros in texts are escaped. Doubles have enough digits to restore the same double.
/// </summary>
internal sealed class TabSeparatedReader : IStoreReader
{
    private const int BufferSize = 1 << 16;

    // The server as formatted for errors.
    private readonly string _server;

    private readonly Stream _stream;

    // Resources of the answer: its response.
    private readonly IDisposable _owner;

    private byte[] _buffer = new byte[BufferSize];

    // Unread bytes in the buffer.
    private int _start;
    private int _end;

    // A field after unescaping.
    private byte[] _unescaped = new byte[256];

    /// <summary>Reads the first two lines.</summary>
    /// <exception cref="ServerFailure">The answer is truncated, or has another format.</exception>
    public TabSeparatedReader(string server, Stream stream, IDisposable owner)
    {
        _server = server;
        _stream = stream;
        _owner = owner;
        Columns = Header();
    }

    /// <inheritdoc />
    public IReadOnlyList<StoreColumn> Columns { get; }

    /// <inheritdoc />
    public object?[]? Next()
    {
        try
        {
            if (!Line(out var from, out var length))
                return null;
            var row = new object?[Columns.Count];
            var line = _buffer.AsSpan(from, length);
            for (var i = 0; i < row.Length; i++)
            {
                var field = Field(ref line, isLast: i == row.Length - 1);
                row[i] = field.SequenceEqual("\\N"u8) ? null : ClickHouseTypes.Value(Text(field), Columns[i].Type);
            }

            return row;
        }
        catch (ServerFailure failure)
        {
            throw failure.AsStoreException();
        }
    }

    /// <inheritdoc />
    public void Dispose()
    {
        _stream.Dispose();
        _owner.Dispose();
    }

    private StoreColumn[] Header()
    {
        // A statement without a result has no lines.
        var names = Fields();
        var types = Fields();
        if (names.Length != types.Length)
            throw OtherFormat();
        return [.. names.Select((name, i) => ClickHouseTypes.Column(name, types[i]) ?? throw OtherFormat())];
    }

    private string[] Fields()
    {
        if (!Line(out var from, out var length))
            return [];
        var fields = new List<string>();
        var line = _buffer.AsSpan(from, length);
        while (true)
        {
            var tab = line.IndexOf((byte)'\t');
            fields.Add(Text(tab < 0 ? line : line[..tab]));
            if (tab < 0)
                return [.. fields];
            line = line[(tab + 1)..];
        }
    }

    private ReadOnlySpan<byte> Field(ref Span<byte> line, bool isLast)
    {
        var tab = line.IndexOf((byte)'\t');
        if (tab < 0 != isLast)
            throw OtherFormat();
        var field = isLast ? line : line[..tab];
        line = isLast ? [] : line[(tab + 1)..];
        return field;
    }

    // Moves to the next line in the buffer; false after the last one.
    private bool Line(out int from, out int length)
    {
        var searched = 0;
        while (true)
        {
            var at = _buffer.AsSpan(_start + searched, _end - _start - searched).IndexOf((byte)'\n');
            if (at >= 0)
            {
                from = _start;
                length = searched + at;
                _start += length + 1;
                return true;
            }

            searched = _end - _start;
            if (Fill())
                continue;
            from = length = 0;
            return _end == _start
                ? false
                : throw ServerErrors.BrokenAnswer(_server, new EndOfStreamException("the last line is incomplete"));
        }
    }

    private bool Fill()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        if (_end == _buffer.Length)
            Array.Resize(ref _buffer, _buffer.Length * 2);
        try
        {
            var read = _stream.Read(_buffer, _end, _buffer.Length - _end);
            _end += read;
            return read > 0;
        }
        catch (Exception exception)
            when (exception is IOException or HttpRequestException or InvalidDataException or OperationCanceledException)
        {
            throw ServerErrors.BrokenAnswer(_server, exception);
        }
    }

    private string Text(ReadOnlySpan<byte> field)
    {
        if (!field.Contains((byte)'\\'))
            return Encoding.UTF8.GetString(field);
        if (_unescaped.Length < field.Length)
            _unescaped = new byte[field.Length];
        var length = 0;
        for (var i = 0; i < field.Length; i++)
            _unescaped[length++] = field[i] == '\\' && i + 1 < field.Length ? Unescaped(field[++i]) : field[i];
        return Encoding.UTF8.GetString(_unescaped.AsSpan(0, length));
    }

    private static byte Unescaped(byte letter) =>
        (char)letter switch
        {
            'b' => (byte)'\b',
            'f' => (byte)'\f',
            'r' => (byte)'\r',
            'n' => (byte)'\n',
            't' => (byte)'\t',
            '0' => 0,
            _ => letter,
        };

    private ServerFailure OtherFormat() =>
        new(
            new Problem(
                "the server's answer has an unexpected format",
                _server,
                "remove FORMAT from the query; use --format for the output format"
            ),
            isTransient: false,
            code: 0
        );
}
