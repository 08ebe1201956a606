namespace EtwSerializerProfiler.Dumps.Reports;

/// <summary>How a look at a dump is shown.</summary>
/// <param name="Query">What is asked.</param>
/// <param name="Top">Most rows of a table for people; null for all.</param>
/// <param name="Stacks">Whether people see all stacks of threads, not only where each is.</param>
public sealed record DumpView(DumpQuery Query, int? Top, bool Stacks)
{
    /// <summary>What recording.json says of the dump: a line for people; empty when it lies in no recording.</summary>
    public string Origin { get; init; } = "";
}
