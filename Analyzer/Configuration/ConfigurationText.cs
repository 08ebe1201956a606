using System.Text;
using System.Text.Json;

namespace EtwSerializerProfiler.Configuration;

/// <summary>Parses JSON with comments and trailing commas into values with positions.</summary>
internal ref struct ConfigurationText
{
    /// <summary>Maximum depth of nested values; the file needs three.</summary>
    private const int DeepestNesting = 16;

    /// <summary>Path of the file, for errors.</summary>
    private readonly string _path;

    /// <summary>The text in UTF-8.</summary>
    private readonly ReadOnlySpan<byte> _utf8;

    private Utf8JsonReader _reader;

    private ConfigurationText(string path, ReadOnlySpan<byte> utf8)
    {
        _path = path;
        _utf8 = utf8;
        _reader = new Utf8JsonReader(
            utf8,
            new JsonReaderOptions
            {
                AllowTrailingCommas = true,
                CommentHandling = JsonCommentHandling.Skip,
                MaxDepth = DeepestNesting,
            }
        );
    }

    /// <summary>Parses the file's only value.</summary>
    /// <param name="path">Path of the file, for errors.</param>
    /// <param name="utf8">The text, which is valid UTF-8, without a byte order mark.</param>
    /// <exception cref="ConfigurationException">The text is not JSON, or has a duplicate key.</exception>
    public static ConfigurationNode Read(string path, ReadOnlySpan<byte> utf8)
    {
        var text = new ConfigurationText(path, utf8);
        try
        {
            text._reader.Read();
            var value = text.Value();
            text._reader.Read(); // anything after the value is an error
            return value;
        }
        catch (JsonException exception)
        {
            // Position of the reader as bytes from 0 in the line.
            var at = text.Position(text.Offset((int)(exception.LineNumber ?? 0), (int)(exception.BytePositionInLine ?? 0)));
            throw new ConfigurationException(path, at, $"no JSON: {exception.Message.Split(" LineNumber:")[0].TrimEnd('.', ' ')}");
        }
        catch (InvalidOperationException)
        {
            throw new ConfigurationException(
                path,
                text.Position((int)text._reader.TokenStartIndex),
                "not JSON: half of a surrogate pair in a string"
            );
        }
    }

    private ConfigurationNode Value()
    {
        var at = Position((int)_reader.TokenStartIndex);
        switch (_reader.TokenType)
        {
            case JsonTokenType.StartObject:
                return new ConfigurationNode(JsonValueKind.Object, at, "", [], Members());
            case JsonTokenType.StartArray:
                var items = new List<ConfigurationNode>();
                while (_reader.Read() && _reader.TokenType != JsonTokenType.EndArray)
                    items.Add(Value());
                return new ConfigurationNode(JsonValueKind.Array, at, "", items, []);
            case JsonTokenType.String:
                return new ConfigurationNode(JsonValueKind.String, at, _reader.GetString()!, [], []);
            case JsonTokenType.Number:
                return new ConfigurationNode(JsonValueKind.Number, at, Encoding.UTF8.GetString(_reader.ValueSpan), [], []);
            default:
                return new ConfigurationNode(
                    _reader.TokenType switch
                    {
                        JsonTokenType.True => JsonValueKind.True,
                        JsonTokenType.False => JsonValueKind.False,
                        _ => JsonValueKind.Null,
                    },
                    at,
                    "",
                    [],
                    []
                );
        }
    }

    private List<ConfigurationMember> Members()
    {
        var members = new List<ConfigurationMember>();
        while (_reader.Read() && _reader.TokenType != JsonTokenType.EndObject)
        {
            var at = Position((int)_reader.TokenStartIndex);
            var key = _reader.GetString()!;
            if (members.Find(member => member.Key == key) is { } first)
                throw new ConfigurationException(_path, at, $"\"{key}\" already exists in line {first.At.Line}", "remove one of them");
            _reader.Read();
            members.Add(new ConfigurationMember(key, at, Value()));
        }

        return members;
    }

    /// <summary>Byte offset of a position in a line, from 0; the end of the text when the line is shorter.</summary>
    private readonly int Offset(int line, int byteInLine)
    {
        var start = 0;
        for (; line > 0 && _utf8[start..].IndexOf((byte)'\n') is >= 0 and var end; line--)
            start += end + 1;
        return Math.Min(start + byteInLine, _utf8.Length);
    }

    private readonly TextPosition Position(int offset)
    {
        var before = _utf8[..offset];
        var lineStart = before.LastIndexOf((byte)'\n') + 1;
        return new TextPosition(before.Count((byte)'\n') + 1, Encoding.UTF8.GetCharCount(before[lineStart..]) + 1);
    }
}
