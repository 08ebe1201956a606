using System.Text.Json;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A value of the file.</summary>
/// <param name="Kind">JSON kind of the value.</param>
/// <param name="At">Position of the value.</param>
/// <param name="Text">Text of a string, or a number as written; empty for others.</param>
/// <param name="Items">Values of a list.</param>
/// <param name="Members">Members of an object, in the order of the file.</param>
public sealed record ConfigurationNode(
    JsonValueKind Kind,
    TextPosition At,
    string Text,
    IReadOnlyList<ConfigurationNode> Items,
    IReadOnlyList<ConfigurationMember> Members
)
{
    /// <summary>Describes the value for messages.</summary>
    public string KindText =>
        Kind switch
        {
            JsonValueKind.Object => "an object",
            JsonValueKind.Array => "a list",
            JsonValueKind.String => $"the text \"{Text}\"",
            JsonValueKind.Number => $"the number {Text}",
            JsonValueKind.True => "true",
            JsonValueKind.False => "false",
            _ => "null",
        };
}
