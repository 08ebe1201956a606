using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Checks the keywords of a provider where recording.json is read: the error then has their place in the file.</summary>
internal sealed class KeywordsConverter : JsonConverter<string>
{
    /// <inheritdoc/>
    public override string Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var text = reader.TokenType == JsonTokenType.String ? reader.GetString()! : "";
        return TryParse(text, out _) ? text : throw new JsonException("expected a provider's keywords in hexadecimal, as '0x1C011'");
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);

    /// <summary>Reads a bit mask in hexadecimal.</summary>
    public static bool TryParse(string text, out ulong mask)
    {
        mask = 0;
        return text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask);
    }
}
