using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>One planned tracing session: data that can be printed, tested and compared with the session that was started.</summary>
/// <param name="Name">Name of the session, also the stem of its file: <c>clr</c>, <c>code</c>, <c>alloc</c>.</param>
/// <param name="Providers">Providers, each at one level: naming a provider twice in a session silently keeps its first entry.</param>
/// <param name="Rundown">Whether the session ends with a rundown of all method names.</param>
/// <param name="BufferMegabytes">Size of the session's buffer in the recorded process.</param>
/// <param name="Purpose">Purpose of the session, one line.</param>
public sealed record PlannedSession(
    string Name,
    IReadOnlyList<PlannedProvider> Providers,
    bool Rundown,
    int BufferMegabytes,
    string Purpose
)
{
    /// <summary>Major version of the first runtime that does not need the session; null when every runtime needs it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? RuntimesBefore { get; init; }

    /// <summary>Major version of the first runtime that can open the session; null when every runtime can.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? RuntimesFrom { get; init; }

    /// <summary>Whether the runtime writes the events without their stacks.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool HasNoStacks { get; init; }

    /// <summary>Whether the session is opened in a runtime.</summary>
    /// <param name="majorVersion">Major version of the runtime.</param>
    public bool IsFor(int majorVersion) =>
        (RuntimesBefore is not { } before || majorVersion < before) && (RuntimesFrom is not { } from || majorVersion >= from);
}

/// <summary>A provider of a session.</summary>
/// <param name="Name">Name of the provider, for example <c>Microsoft-Windows-DotNETRuntime</c>.</param>
/// <param name="Keywords">Keywords in hexadecimal, <c>0x1C011</c>.</param>
/// <param name="Level">Level by name: Critical, Error, Warning, Informational, Verbose.</param>
public sealed record PlannedProvider(string Name, [property: JsonConverter(typeof(KeywordsConverter))] string Keywords, string Level)
{
    /// <summary>The keywords as a bit mask.</summary>
    [JsonIgnore]
    public ulong KeywordMask =>
        KeywordsConverter.TryParse(Keywords, out var mask)
            ? mask
            : throw new FormatException($"'{Keywords}' is not a hexadecimal number that starts with 0x.");

    /// <summary>Arguments by name; null for none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, string>? Arguments { get; init; }

    /// <summary>Creates a provider from a bit mask.</summary>
    public static PlannedProvider Create(string name, ulong keywords, string level) => new(name, $"0x{keywords:X}", level);
}

/// <summary>Checks the keywords while recording.json is read, so that the error has their position in the file.</summary>
internal sealed class KeywordsConverter : JsonConverter<string>
{
    /// <inheritdoc/>
    public override string Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var text = reader.TokenType == JsonTokenType.String ? reader.GetString()! : "";
        return TryParse(text, out _) ? text : throw new JsonException("expected a provider's keywords in hexadecimal, such as '0x1C011'");
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);

    /// <summary>Reads a bit mask in hexadecimal.</summary>
    public static bool TryParse(string text, out ulong mask)
    {
        mask = 0;
        return text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask);
    }
}
