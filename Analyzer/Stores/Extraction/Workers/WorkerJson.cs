using System.Text.Json;
using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>How lines between a worker and its coordinator are written.</summary>
internal static class WorkerJson
{
    private static readonly JsonSerializerOptions s_options = new() { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault, Converters = { new JsonStringEnumConverter() } };

    /// <summary>One line.</summary>
    public static string Write<T>(T value) => JsonSerializer.Serialize(value, s_options);

    /// <summary>What a line says.</summary>
    /// <exception cref="JsonException">It is no such line.</exception>
    public static T Read<T>(string line) => JsonSerializer.Deserialize<T>(line, s_options) ?? throw new JsonException("null");
}
