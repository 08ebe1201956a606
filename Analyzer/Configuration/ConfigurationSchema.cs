using System.Text.Json;

namespace EtwSerializerProfiler.Configuration;

/// <summary>
/// The JSON schema that ships with the tools: all keys of both tools, written by <see cref="SchemaWriter"/> from their options.
/// </summary>
public sealed class ConfigurationSchema
{
    /// <summary>Name of the file beside the tools.</summary>
    public const string FileName = "esp.schema.json";

    /// <summary>Key with the location of the schema, for editors.</summary>
    public const string SchemaKey = "$schema";

    /// <summary>Key of a user's program.</summary>
    public const string CommandKey = "command";

    private static readonly Lazy<ConfigurationSchema> s_shipped = new(() =>
    {
        using var stream = typeof(ConfigurationSchema).Assembly.GetManifestResourceStream(FileName)!;
        using var reader = new StreamReader(stream);
        return new ConfigurationSchema(reader.ReadToEnd());
    });

    private ConfigurationSchema(string text)
    {
        Text = text;
        Root = JsonDocument.Parse(text).RootElement;
    }

    /// <summary>The schema of this version.</summary>
    public static ConfigurationSchema Shipped => s_shipped.Value;

    /// <summary>The schema as text.</summary>
    public string Text { get; }

    /// <summary>The schema.</summary>
    internal JsonElement Root { get; }

    /// <summary>All top-level keys except <c>$schema</c>, in order.</summary>
    public IEnumerable<string> SectionNames => KeysOf(Root).Where(name => name != SchemaKey);

    /// <summary>Keys of a section; empty for a key that is not a section.</summary>
    public IEnumerable<string> KeysOf(string section) =>
        Root.GetProperty("properties").TryGetProperty(section, out var schema) ? KeysOf(schema) : [];

    /// <summary>The sections with a key.</summary>
    public IEnumerable<string> SectionsWith(string key) => SectionNames.Where(section => KeysOf(section).Contains(key));

    private static IEnumerable<string> KeysOf(JsonElement schema) =>
        schema.TryGetProperty("properties", out var properties) ? properties.EnumerateObject().Select(property => property.Name) : [];
}
