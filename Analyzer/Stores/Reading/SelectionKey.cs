using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>A key for selecting traces of a store.</summary>
/// <param name="Name">Name of the key.</param>
/// <param name="Meaning">Meaning of its value, for messages.</param>
/// <param name="Matches">Whether a trace has the value.</param>
internal sealed record SelectionKey(string Name, string Meaning, Func<StoredTrace, string, bool> Matches)
{
    /// <summary>Key that selects the newest matching traces.</summary>
    public const string Last = "last";

    /// <summary>Machine class value for the class of this machine.</summary>
    public const string This = "this";

    /// <summary>All keys but <see cref="Last"/>.</summary>
    public static IReadOnlyList<SelectionKey> All { get; } =
    [
        new("branch", "branch of the recorded program", (trace, value) => trace.Branch == value),
        new(
            "commit",
            "start of the commit of the recorded program",
            (trace, value) => trace.Commit?.StartsWith(value, StringComparison.OrdinalIgnoreCase) == true
        ),
        new("class", "machine class; 'this' for the class of this machine", (trace, value) => trace.MachineClass == value),
        new("machine", "name of the machine, or a part of it", (trace, value) => IsPart(trace.Machine, value)),
        new(
            "program",
            "name of the recorded program, or a part of it",
            (trace, value) => Parts(trace.Program).Any(part => IsPart(part, value))
        ),
        new(
            "runtime",
            "name or version of a runtime, or a part of it",
            (trace, value) => Parts(trace.Runtime).Any(part => IsPart(part, value))
        ),
        new("name", "part of the trace's path", (trace, value) => IsPart(trace.Name, value)),
        new(
            "trace",
            "the trace: 16 hexadecimal digits, or their start",
            (trace, value) => trace.Trace.StartsWith(value, StringComparison.OrdinalIgnoreCase)
        ),
        new(
            "since",
            "recorded at this time or later, UTC: 2026-11-21, or with a time: 2026-11-21 03:00",
            (trace, value) => string.CompareOrdinal(trace.RecordedUtc, value) >= 0
        ),
        new(
            "before",
            "recorded before this time, UTC",
            (trace, value) => trace.RecordedUtc is { } recorded && string.CompareOrdinal(recorded, value) < 0
        ),
    ];

    /// <summary>Whether the value is a point in time.</summary>
    public bool IsTime => Name is "since" or "before";

    private static bool IsPart(string name, string value) => NamePattern.TryParse(value, out var pattern) && pattern.Matches(name);

    private static string[] Parts(string list) => list.Split(',', StringSplitOptions.TrimEntries);
}
