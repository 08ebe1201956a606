using System.Globalization;

namespace EtwSerializerProfiler.Traces.PerfData.Tracepoints;

/// <summary>
/// Layout of a tracepoint's payload, from the kernel's text in <c>events/SYSTEM/NAME/format</c> of tracefs, which recorders copy into the
/// file.
/// </summary>
/// <remarks>
/// The text: <c>name: NAME</c>, <c>ID: NUMBER</c>, then one line per field, <c>field:TYPE NAME;\toffset:N;\tsize:N;\tsigned:N;</c>, where
/// NAME may end with <c>[LENGTH]</c>.
/// </remarks>
public sealed class TracepointFormat
{
    private readonly Dictionary<string, TracepointField> _fields;

    private TracepointFormat(string system, string name, int id, Dictionary<string, TracepointField> fields)
    {
        System = system;
        Name = name;
        Id = id;
        _fields = fields;
    }

    /// <summary>Group of tracepoints, for example <c>sched</c>.</summary>
    public string System { get; }

    /// <summary>Name, for example <c>sched_switch</c>.</summary>
    public string Name { get; }

    /// <summary>Number on the recorded machine; equal to the event's config.</summary>
    public int Id { get; }

    /// <summary>The fields.</summary>
    public IReadOnlyCollection<TracepointField> Fields => _fields.Values;

    /// <summary>Parses a description; null when invalid.</summary>
    public static TracepointFormat? Parse(string system, string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var name = "";
        int? id = null;
        var fields = new Dictionary<string, TracepointField>(StringComparer.Ordinal);
        foreach (var line in text.AsSpan().EnumerateLines())
        {
            var trimmed = line.Trim();
            if (trimmed.StartsWith("name:", StringComparison.Ordinal))
                name = trimmed[5..].Trim().ToString();
            else if (
                trimmed.StartsWith("ID:", StringComparison.Ordinal)
                && int.TryParse(trimmed[3..], NumberStyles.Integer, CultureInfo.InvariantCulture, out var number)
            )
                id = number;
            else if (trimmed.StartsWith("field:", StringComparison.Ordinal) && ParseField(trimmed.ToString()) is { } field)
                fields[field.Name] = field;
        }

        return name.Length == 0 || id is null ? null : new TracepointFormat(system, name, id.Value, fields);
    }

    /// <summary>Finds a field by name.</summary>
    public TracepointField? Find(string name) => _fields.GetValueOrDefault(name);

    private static TracepointField? ParseField(string line)
    {
        int? offset = null,
            size = null;
        var signed = false;
        var name = "";
        foreach (var part in line.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var colon = part.IndexOf(':', StringComparison.Ordinal);
            if (colon < 0)
                continue;
            var value = part[(colon + 1)..];
            switch (part[..colon])
            {
                case "field":
                    name = value[(value.LastIndexOfAny([' ', '*']) + 1)..];
                    var bracket = name.IndexOf('[', StringComparison.Ordinal);
                    if (bracket >= 0)
                        name = name[..bracket];
                    break;
                case "offset":
                    offset = Number(value);
                    break;
                case "size":
                    size = Number(value);
                    break;
                case "signed":
                    signed = value == "1";
                    break;
            }
        }

        return name.Length == 0 || offset is null || size is null ? null : new TracepointField(name, offset.Value, size.Value, signed);
    }

    private static int? Number(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
}
