using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Thrown when no process has the requested name or id; lists the processes.</summary>
public sealed class UnknownProcessException : Exception, IProblemSource
{
    /// <summary>Maximum number of listed processes; a recording of the whole machine has hundreds.</summary>
    private const int MaxListed = 20;

    /// <summary>Creates the error.</summary>
    /// <param name="name">The requested name or id.</param>
    /// <param name="processes">The processes, with their number of samples if known, most important first.</param>
    public UnknownProcessException(string name, IReadOnlyList<(int Id, string Name, long? Samples)> processes)
        : base($"no process '{name}' was recorded; recorded: {List(processes)}") =>
        Problem = new Problem($"no process '{name}' was recorded", "the processes of the recording", Advice(name, processes));

    /// <inheritdoc />
    public Problem Problem { get; }

    private static string Advice(string name, IReadOnlyList<(int Id, string Name, long? Samples)> processes) =>
        processes.Count == 0 ? "no process has samples: record again with session perf"
        : NearestName.All(
            name.TrimStart(NamePattern.ExactPrefix),
            [.. processes.Select(process => process.Name).Where(process => process.Length > 0).Distinct()]
        )
            is { Count: > 0 } near
            ? $"did you mean {string.Join(" or ", near)}?"
        : $"choose from {List(processes)}";

    private static string List(IReadOnlyList<(int Id, string Name, long? Samples)> processes)
    {
        var listed = string.Join(
            ", ",
            processes
                .Take(MaxListed)
                .Select(process =>
                    string.Create(CultureInfo.InvariantCulture, $"{(process.Name.Length > 0 ? process.Name + " " : "")}{process.Id}")
                    + (
                        process.Samples is { } samples
                            ? string.Create(CultureInfo.InvariantCulture, $" ({Plural.Of(samples, "sample")})")
                            : ""
                    )
                )
        );
        return processes.Count > MaxListed ? string.Create(CultureInfo.InvariantCulture, $"{listed} and {processes.Count - MaxListed} more")
            : listed.Length > 0 ? listed
            : "none";
    }
}
