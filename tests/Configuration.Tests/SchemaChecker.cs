using System.Text.Json;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Configuration.Tests;

/// <summary>
/// Checks JSON by the keywords that our schema uses; an unknown keyword fails the test, so that nothing is left unchecked.
/// </summary>
internal static class SchemaChecker
{
    private static readonly string[] s_wordless =
    [
        "$schema",
        "title",
        "description",
        "default",
        "examples",
        "allowComments",
        "allowTrailingCommas",
    ];

    private static readonly JsonDocumentOptions s_options = new()
    {
        AllowTrailingCommas = true,
        CommentHandling = JsonCommentHandling.Skip,
    };

    /// <summary>The errors, a line each; empty when the text is valid.</summary>
    public static IReadOnlyList<string> Validate(string schema, string text)
    {
        using var rules = JsonDocument.Parse(schema);
        using var document = JsonDocument.Parse(text, s_options);
        return [.. Errors(rules.RootElement, document.RootElement, "$")];
    }

    private static IEnumerable<string> Errors(JsonElement schema, JsonElement value, string path)
    {
        foreach (var rule in schema.EnumerateObject())
        {
            var errors = rule.Name switch
            {
                "type" => TypesOf(rule.Value).Any(type => Is(value, type)) ? [] : [$"{path}: {value.ValueKind}, not {rule.Value}"],
                "enum" => rule.Value.EnumerateArray().Any(one => JsonElement.DeepEquals(one, value))
                    ? []
                    : [$"{path}: {value} is none of {rule.Value}"],
                "pattern" => value.ValueKind != JsonValueKind.String || Regex.IsMatch(value.GetString()!, rule.Value.GetString()!)
                    ? []
                    : [$"{path}: {value} does not match {rule.Value}"],
                "minItems" => value.ValueKind != JsonValueKind.Array || value.GetArrayLength() >= rule.Value.GetInt32()
                    ? []
                    : [$"{path}: too few"],
                "items" => value.ValueKind != JsonValueKind.Array
                    ? []
                    : value.EnumerateArray().SelectMany((item, i) => Errors(rule.Value, item, $"{path}[{i}]")),
                "anyOf" => rule.Value.EnumerateArray().Any(one => !Errors(one, value, path).Any())
                    ? []
                    : [$"{path}: {value} is of no form"],
                "properties" => value.ValueKind != JsonValueKind.Object
                    ? []
                    : value
                        .EnumerateObject()
                        .Where(member => rule.Value.TryGetProperty(member.Name, out _))
                        .SelectMany(member => Errors(rule.Value.GetProperty(member.Name), member.Value, $"{path}.{member.Name}")),
                "additionalProperties" when rule.Value.ValueKind == JsonValueKind.False => value.ValueKind != JsonValueKind.Object
                    ? []
                    : value
                        .EnumerateObject()
                        .Where(member => !schema.GetProperty("properties").TryGetProperty(member.Name, out _))
                        .Select(member => $"{path}: no {member.Name}"),
                var name when s_wordless.Contains(name) => [],
                var name => throw new NotSupportedException($"The schema has the keyword {name}, which this checker does not know."),
            };
            foreach (var error in errors)
                yield return error;
        }
    }

    private static IEnumerable<string> TypesOf(JsonElement types) =>
        types.ValueKind == JsonValueKind.Array ? types.EnumerateArray().Select(type => type.GetString()!) : [types.GetString()!];

    private static bool Is(JsonElement value, string type) =>
        type switch
        {
            "object" => value.ValueKind == JsonValueKind.Object,
            "array" => value.ValueKind == JsonValueKind.Array,
            "string" => value.ValueKind == JsonValueKind.String,
            "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
            "number" => value.ValueKind == JsonValueKind.Number,
            "integer" => value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out _),
            _ => throw new NotSupportedException($"type {type}"),
        };
}
