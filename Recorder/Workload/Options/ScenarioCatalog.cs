namespace EtwSerializerProfiler.Options;

/// <summary>The scenarios by name. Separate from their code, so that the recorder can list and check them without the suite.</summary>
public static class ScenarioCatalog
{
    /// <summary>Value of <c>-scenario</c> that lists the scenarios.</summary>
    public const string List = "list";

    /// <summary>All scenarios in the order of the list.</summary>
    public static readonly IReadOnlyList<ScenarioEntry> All =
    [
        new(
            "base64-crlf",
            "Reads a byte[] from base64 text with and without line breaks: the reader threw and caught an exception at each line break.",
            []
        )
        {
            Serializers = ["DataContract"],
        },
        new(
            "contention",
            "Writes 20,000 objects with one DataContractSerializer on 1 to 16 threads: an internal lock prevented parallel execution.",
            [SuiteOptionSet.ObjectCountName, SuiteOptionSet.ThreadsName, SuiteOptionSet.SecondsName]
        )
        {
            Serializers = ["DataContract", "DataContractBinaryXml", "DataContractJson"],
        },
        new(
            "quadratic",
            "Writes and reads growing graphs with BinaryFormatter: the reading time grew with the square of the number of objects.",
            [SuiteOptionSet.ObjectCountName]
        )
        {
            Serializers = ["BinaryFormatter"],
        },
        new(
            "graph",
            "Writes and reads long chains and cycles with every serializer, each in a separate process, because some crash it.",
            [SuiteOptionSet.SerializerName, SuiteOptionSet.ObjectCountName]
        ),
        new(
            "large",
            "Goes to the limits of 2 GB and of 13.2 million objects, as far as free memory permits, and reports what happens there.",
            [SuiteOptionSet.SecondsName]
        ),
        new(
            "gc-heavy",
            "Reads graphs while many objects are alive: the pauses of generation-1 GCs grew with their number.",
            [SuiteOptionSet.RunsName, SuiteOptionSet.SurvivorsName]
        ),
        new(
            "exceptions",
            "Reads values with int.Parse and catch, and with TryParse: the cost of an exception inside a serializer.",
            [SuiteOptionSet.ObjectCountName, SuiteOptionSet.RunsName]
        ),
    ];

    /// <summary>The scenario with this name, ignoring case; null when there is none.</summary>
    public static ScenarioEntry? Find(string name) =>
        All.FirstOrDefault(entry => entry.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Writes the list of scenarios, a line each.</summary>
    public static void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        var width = All.Max(entry => entry.Name.Length);
        foreach (var entry in All)
            output.WriteLine(
                $"{entry.Name.PadRight(width)}  {entry.Sentence}{(entry.Options.Count > 0 ? $" Reads {string.Join(", ", entry.Options)}." : "")}"
            );
    }
}

/// <summary>A scenario on the command line.</summary>
/// <param name="Name">Value of <c>-scenario</c>.</param>
/// <param name="Sentence">Description for lists.</param>
/// <param name="Options">Canonical names of the other options that it uses; all others cannot be combined with it.</param>
public sealed record ScenarioEntry(string Name, string Sentence, IReadOnlyList<string> Options)
{
    /// <summary>The only serializers that the case is about; empty when it is about the runtime, or about any serializer.</summary>
    public IReadOnlyList<string> Serializers { get; init; } = [];
}
