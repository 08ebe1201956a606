using System.Collections;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.CommandLine.Help;

namespace EtwSerializerProfiler.Configuration;

/// <summary>Writes the file's JSON schema (draft 7, which editors support) from the options.</summary>
public static partial class SchemaWriter
{
    private static readonly JsonWriterOptions s_options = new()
    {
        Indented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Writes the schema.</summary>
    /// <param name="sections">All sections of both tools.</param>
    public static string Write(IEnumerable<ConfigurationSection> sections)
    {
        ArgumentNullException.ThrowIfNull(sections);
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, s_options))
        {
            json.WriteStartObject();
            json.WriteString("$schema", "http://json-schema.org/draft-07/schema#");
            json.WriteString("title", "Configuration of esp-record and of esp-analyze gate");
            json.WriteString(
                "description",
                "Options of both tools. The command line overrides each of them. A relative path is relative to this file."
            );
            json.WriteString("type", "object");
            json.WriteBoolean("additionalProperties", false);
            json.WriteBoolean("allowComments", true);
            json.WriteBoolean("allowTrailingCommas", true);
            json.WriteStartObject("properties");
            WriteSchemaKey(json);
            WriteCommand(json);
            foreach (var section in sections)
                Write(json, section);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(stream.ToArray()) + "\n";
    }

    private static void WriteSchemaKey(Utf8JsonWriter json)
    {
        json.WriteStartObject(ConfigurationSchema.SchemaKey);
        json.WriteString("type", "string");
        json.WriteString("description", "Location of this schema, for editors.");
        json.WriteEndObject();
    }

    private static void WriteCommand(Utf8JsonWriter json)
    {
        json.WriteStartObject(ConfigurationSchema.CommandKey);
        json.WriteString(
            "description",
            "A program of your own to record instead of the built-in suite, with its arguments, as after -- on the command line. It runs in this file's folder."
        );
        json.WriteString("type", "array");
        json.WriteStartObject("items");
        json.WriteString("type", "string");
        json.WriteEndObject();
        json.WriteNumber("minItems", 1);
        WriteValues(json, "examples", ["dotnet", "run", "--project", "../MyApp"], json.WriteStringValue, wrapped: true);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, ConfigurationSection section)
    {
        json.WriteStartObject(section.Name);
        json.WriteString("description", section.Description);
        json.WriteString("type", "object");
        json.WriteBoolean("additionalProperties", false);
        json.WriteStartObject("properties");
        foreach (var key in section.Keys)
        {
            json.WriteStartObject(key.Name);
            json.WriteString("description", HelpNotes.DescriptionOf(key.Option));
            WriteShape(json, key.Shape);
            var values = DefaultOf(key);
            WriteValues(
                json,
                values is null ? "examples" : "default",
                values ?? [Example(key)],
                text => WriteText(json, key.Shape, text),
                wrapped: values is null && key.Shape.IsList,
                list: key.Shape.IsList || values is null
            );
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteShape(Utf8JsonWriter json, ValueShape shape)
    {
        if (!shape.IsList)
        {
            WriteSingle(json, shape);
            return;
        }

        json.WriteStartArray("anyOf");
        json.WriteStartObject();
        WriteSingle(json, shape);
        json.WriteEndObject();
        json.WriteStartObject();
        json.WriteString("type", "array");
        json.WriteStartObject("items");
        WriteSingle(json, shape);
        json.WriteEndObject();
        json.WriteNumber("minItems", 1);
        json.WriteEndObject();
        json.WriteEndArray();
    }

    private static void WriteSingle(Utf8JsonWriter json, ValueShape shape)
    {
        switch (shape.Kind)
        {
            case ValueKind.Choice:
                WriteValues(json, "enum", shape.Words, json.WriteStringValue);
                break;
            case ValueKind.Percent:
                WriteValues(json, "type", ["number", "string"], json.WriteStringValue);
                json.WriteString("pattern", "^[0-9]+(\\.[0-9]+)? ?%?$");
                break;
            case ValueKind.Whole or ValueKind.Number when shape.Words.Count > 0:
                WriteValues(json, "type", [TypeOf(shape.Kind), "string"], json.WriteStringValue);
                json.WriteString("pattern", $"^({string.Join('|', shape.Words)})$");
                break;
            default:
                json.WriteString("type", TypeOf(shape.Kind));
                break;
        }
    }

    private static string TypeOf(ValueKind kind) =>
        kind switch
        {
            ValueKind.Flag => "boolean",
            ValueKind.Whole => "integer",
            ValueKind.Number => "number",
            _ => "string",
        };

    /// <summary>Writes a value, or a list of them.</summary>
    private static void WriteValues(
        Utf8JsonWriter json,
        string name,
        IReadOnlyList<string> values,
        Action<string> write,
        bool wrapped = false,
        bool list = true
    )
    {
        json.WritePropertyName(name);
        if (wrapped)
            json.WriteStartArray();
        if (list)
            json.WriteStartArray();
        foreach (var value in values)
            write(value);
        if (list)
            json.WriteEndArray();
        if (wrapped)
            json.WriteEndArray();
    }

    private static void WriteText(Utf8JsonWriter json, ValueShape shape, string text)
    {
        if (shape.Kind == ValueKind.Flag)
            json.WriteBooleanValue(text == "true");
        else if (shape.Kind is ValueKind.Whole or ValueKind.Number && double.TryParse(text, CultureInfo.InvariantCulture, out _))
            json.WriteRawValue(text);
        else
            json.WriteStringValue(text);
    }

    /// <summary>
    /// Default of an option; null when it depends on others. A description with "Default: 1,2." takes precedence over the option's own.
    /// </summary>
    private static string[]? DefaultOf(ConfigurationKey key)
    {
        var description = key.Option.Description ?? "";
        if (Default().Match(description) is { Success: true } said && !said.Groups[1].Value.Contains(' ', StringComparison.Ordinal))
            return said.Groups[1].Value.Split(',');
        if (description.Contains("efault: ", StringComparison.Ordinal) || description.Contains("when not given", StringComparison.Ordinal))
            return null;
        if (key.Shape.Kind == ValueKind.Flag)
            return ["false"];
        var value =
            key.Option.HasDefaultValue ? key.Option.GetDefaultValue()
            : key.Option.ValueType.IsEnum ? Activator.CreateInstance(key.Option.ValueType)
            : null;
        return value switch
        {
            null => null,
            string text => text.Length > 0 ? [text] : null,
            IEnumerable list => list.Cast<object>().Select(Text).ToArray() is { Length: > 0 } texts ? texts : null,
            double share when key.Shape.Kind == ValueKind.Percent => [string.Create(CultureInfo.InvariantCulture, $"{share * 100:0.##}%")],
            _ => [Text(value)],
        };
    }

    private static string Text(object value) =>
        value is Enum ? value.ToString()!.ToLowerInvariant() : Convert.ToString(value, CultureInfo.InvariantCulture)!;

    /// <summary>Placeholder for a key without a default: the value's name in help.</summary>
    private static string Example(ConfigurationKey key) =>
        key.Shape.Kind switch
        {
            ValueKind.Whole or ValueKind.Number => "1",
            ValueKind.Choice => key.Shape.Words[0],
            _ => key.Option.HelpName ?? "…",
        };

    [GeneratedRegex(@"Default: ([^.;]+)[.;]")]
    private static partial Regex Default();
}
