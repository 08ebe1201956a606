using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A file with every key as a comment, which has no effect until a comment is removed.</summary>
public static class ConfigurationTemplate
{
    /// <summary>Maximum characters of a line.</summary>
    private const int Width = 120;

    private static readonly JsonSerializerOptions s_compact = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Writes the template.</summary>
    /// <param name="schema">The schema with keys, descriptions and defaults.</param>
    /// <param name="schemaFile">Value of <c>$schema</c>.</param>
    public static string Write(ConfigurationSchema schema, string schemaFile)
    {
        ArgumentNullException.ThrowIfNull(schema);
        var text = new StringBuilder();
        Comment(
            text,
            "",
            "Configuration of esp-record and of esp-analyze gate. Each key corresponds to an option: sampleRate is --sample-rate. The command line overrides the file. "
                + "Each key is here as a comment, with its default or the kind of its value. A relative path is relative to this file."
        );
        text.Append("{\n");
        text.Append($"  \"{ConfigurationSchema.SchemaKey}\": {JsonSerializer.Serialize(schemaFile, s_compact)},\n");
        foreach (
            var property in schema
                .Root.GetProperty("properties")
                .EnumerateObject()
                .Where(property => property.Name != ConfigurationSchema.SchemaKey)
        )
        {
            text.Append('\n');
            Comment(text, "  ", property.Value.GetProperty("description").GetString()!);
            if (!property.Value.TryGetProperty("properties", out var keys))
            {
                Key(text, "  ", property);
                continue;
            }

            text.Append($"  \"{property.Name}\": {{\n");
            var first = true;
            foreach (var key in keys.EnumerateObject())
            {
                if (!first)
                    text.Append('\n');
                first = false;
                Comment(text, "    ", key.Value.GetProperty("description").GetString()!);
                Key(text, "    ", key);
            }

            text.Append("  },\n");
        }

        return text.Append("}\n").ToString();
    }

    private static void Key(StringBuilder text, string indent, JsonProperty key)
    {
        var value = key.Value.TryGetProperty("default", out var standard) ? standard : key.Value.GetProperty("examples")[0];
        text.Append($"{indent}// \"{key.Name}\": {Compact(value)},\n");
    }

    private static string Compact(JsonElement value) =>
        value.ValueKind == JsonValueKind.Array
            ? $"[{string.Join(", ", value.EnumerateArray().Select(Compact))}]"
            : JsonSerializer.Serialize(value, s_compact);

    /// <summary>Writes a comment in lines of at most <see cref="Width"/> characters.</summary>
    private static void Comment(StringBuilder text, string indent, string comment)
    {
        var line = new StringBuilder(indent + "//");
        foreach (var word in comment.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (line.Length + 1 + word.Length > Width)
            {
                text.Append(line).Append('\n');
                line.Clear().Append(indent + "//");
            }

            line.Append(' ').Append(word);
        }

        text.Append(line).Append('\n');
    }
}
