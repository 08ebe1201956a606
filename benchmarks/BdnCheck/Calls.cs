using System.Globalization;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.BdnCheck;

/// <summary>What is measured: serialize and deserialize of each serializer and object count.</summary>
/// <param name="Serializers">Full names, separated by commas.</param>
/// <param name="Objects">Object counts, separated by commas.</param>
internal sealed record Calls(string Serializers, string Objects)
{
    /// <summary>Names of the serializers.</summary>
    public IReadOnlyList<string> Names => Serializers.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Object counts.</summary>
    public IReadOnlyList<int> Counts => [.. Objects.Split(',').Select(text => int.Parse(text, CultureInfo.InvariantCulture))];

    /// <summary>Both operations.</summary>
    public static IReadOnlyList<string> Operations { get; } = [RunOperation.Serialize, RunOperation.Deserialize];

    /// <summary>The suite's arguments for these calls.</summary>
    public IReadOnlyList<string> SuiteArguments =>
        ["-serializer", string.Join(',', Names.Select(name => "#" + name)), "-test", "serialize,deserialize", "-n", Objects, "-runs", "20"];
}
