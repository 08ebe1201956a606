using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>How lists inside a column are written.</summary>
internal static class StoreJson
{
    /// <summary>In one line, nulls left out, letters as they are; values that are no numbers by name.</summary>
    public static JsonSerializerOptions Options { get; } = new()
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };
}
