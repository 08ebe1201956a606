namespace EtwSerializerProfiler.Options;

/// <summary>The scenarios by name. Here and not with their code, so that the recorder can list and check them without the suite.</summary>
public static class ScenarioCatalog
{
    /// <summary>Value of <c>-scenario</c> that lists the scenarios.</summary>
    public const string List = "list";

    /// <summary>All scenarios, in the order in which they are listed.</summary>
    public static readonly IReadOnlyList<ScenarioEntry> All =
    [
        new("base64-crlf", "Reads a byte[] whose base64 text has line breaks, and one without: the reader threw and caught an exception at each.", []),
        new("contention", "Writes 20,000 objects with one DataContractSerializer on 1 to 16 threads: a lock inside kept them from running side by side.", [SuiteOptionSet.ObjectCountName, SuiteOptionSet.ThreadsName, SuiteOptionSet.SecondsName]),
        new("quadratic", "Writes and reads growing graphs with BinaryFormatter: the time to read them grew with the square of the objects.", [SuiteOptionSet.ObjectCountName]),
        new("graph", "Writes and reads long chains and cycles with every serializer, each in a process of its own: some end the process.", [SuiteOptionSet.SerializerName, SuiteOptionSet.ObjectCountName]),
        new("large", "Goes to the limits of 2 GB and of 13.2 million objects, within the memory that is free, and says what stands there.", [SuiteOptionSet.SecondsName]),
        new("gc-heavy", "Reads graphs while many objects live: pauses of generation-1 collections grew with them.", [SuiteOptionSet.RunsName, SuiteOptionSet.SurvivorsName]),
        new("exceptions", "Reads values with int.Parse and catch against TryParse: what an exception inside a serializer costs.", [SuiteOptionSet.ObjectCountName, SuiteOptionSet.RunsName]),
    ];

    /// <summary>The scenario with this name, in any case; null when there is none.</summary>
    public static ScenarioEntry? Find(string name) => All.FirstOrDefault(entry => entry.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Writes the list of scenarios, a line each.</summary>
    public static void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        var width = All.Max(entry => entry.Name.Length);
        foreach (var entry in All)
            output.WriteLine($"{entry.Name.PadRight(width)}  {entry.Sentence}{(entry.Options.Count > 0 ? $" Reads {string.Join(", ", entry.Options)}." : "")}");
    }
}

/// <summary>One scenario as the command line knows it.</summary>
/// <param name="Name">Value of <c>-scenario</c>.</param>
/// <param name="Sentence">What it is, for lists.</param>
/// <param name="Options">Canonical names of the other options that it reads; the rest cannot be combined with it.</param>
public sealed record ScenarioEntry(string Name, string Sentence, IReadOnlyList<string> Options);
