using System.Globalization;

namespace EtwSerializerProfiler.Workload.Results;

/// <summary>Texts in JSON. Uses no JSON library, because the libraries are what is measured.</summary>
internal static class JsonText
{
    /// <summary>The text as a JSON value; null becomes <c>null</c>.</summary>
    public static string Of(string? text) => text is null ? "null" : "\"" + string.Concat(text.Select(Escape)) + "\"";

    private static string Escape(char character) =>
        character switch
        {
            '"' => "\\\"",
            '\\' => "\\\\",
            < ' ' => string.Create(CultureInfo.InvariantCulture, $"\\u{(int)character:x4}"),
            _ => character.ToString(),
        };
}
