using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Writes and reads the JSON files of recordings.</summary>
internal static class RecordingFileJson
{
    /// <summary>
    /// The contract. Apostrophes and angle brackets of command lines are not escaped, because the files are never embedded in HTML.
    /// </summary>
    public static RecordingJson Contract { get; } =
        new(new JsonSerializerOptions(RecordingJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    /// <summary>Reads a file's text. Rejects nulls in lists and NULs in texts, which the contract does not detect.</summary>
    /// <exception cref="JsonException">It does not follow the contract; the message has line and byte.</exception>
    public static T? Read<T>(ReadOnlySpan<byte> json, JsonTypeInfo<T> type)
    {
        if (json.StartsWith(Encoding.UTF8.Preamble))
            json = json[Encoding.UTF8.Preamble.Length..];
        Check(json);
        return JsonSerializer.Deserialize(json, type);
    }

    private static void Check(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json);
        var isList = new Stack<bool>();
        while (reader.Read())
        {
            if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
                isList.Push(reader.TokenType == JsonTokenType.StartArray);
            else if (reader.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray)
                isList.Pop();
            else if (reader.TokenType == JsonTokenType.Null && isList.TryPeek(out var inList) && inList)
                throw Error(json, reader.TokenStartIndex, "expected an element of the list, not null");
            else if (
                reader is { TokenType: JsonTokenType.String, ValueIsEscaped: true }
                && reader.GetString()!.Contains('\0', StringComparison.Ordinal)
            )
                throw Error(json, reader.TokenStartIndex, "expected a string without NUL characters");
        }
    }

    private static JsonException Error(ReadOnlySpan<byte> json, long at, string message)
    {
        var before = json[..(int)at];
        return new JsonException(message, path: null, before.Count((byte)'\n'), at - before.LastIndexOf((byte)'\n') - 1);
    }
}
