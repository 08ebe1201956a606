using System.Text.Json;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A value of the file.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="At">Where it begins.</param>
/// <param name="Text">Text of a string, or a number as it is written; empty for others.</param>
/// <param name="Items">Values of a list.</param>
/// <param name="Members">Members of an object, in the order of the file.</param>
public sealed record ConfigurationNode(JsonValueKind Kind, TextPosition At, string Text, IReadOnlyList<ConfigurationNode> Items, IReadOnlyList<ConfigurationMember> Members)
{
    /// <summary>What it is, in words.</summary>
    public string KindText => Kind switch
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
