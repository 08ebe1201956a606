using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A provider of a session.</summary>
/// <param name="Name">Name of the provider, for example <c>Microsoft-Windows-DotNETRuntime</c>.</param>
/// <param name="Keywords">Keywords in hexadecimal, <c>0x1C011</c>.</param>
/// <param name="Level">Level by name: Critical, Error, Warning, Informational, Verbose.</param>
public sealed record PlannedProvider(string Name, [property: JsonConverter(typeof(KeywordsConverter))] string Keywords, string Level)
{
    /// <summary>The keywords as a bit mask.</summary>
    [JsonIgnore]
    public ulong KeywordMask => KeywordsConverter.TryParse(Keywords, out var mask) ? mask : throw new FormatException($"'{Keywords}' is no hexadecimal number that begins with 0x.");

    /// <summary>Makes a provider from a bit mask.</summary>
    public static PlannedProvider Create(string name, ulong keywords, string level) => new(name, $"0x{keywords:X}", level);
}
