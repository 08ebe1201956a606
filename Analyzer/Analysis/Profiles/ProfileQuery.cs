using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>What a profile is to hold.</summary>
/// <param name="Filter">Which runs count.</param>
/// <param name="Grouping">Meaning of its groups.</param>
/// <param name="InOrder">
/// Whether each sample is kept with its time and thread; else the samples of a stack and cause are added up, and memory does not grow with
/// their number.
/// </param>
/// <param name="WithEvents">Whether GCs, compilations and exceptions are kept, too.</param>
public sealed record ProfileQuery(RunFilter Filter, ProfileGrouping Grouping, bool InOrder, bool WithEvents);

/// <summary>Meaning of the groups of a profile.</summary>
public enum ProfileGrouping
{
    /// <summary>A row of the table: serializer, operation, number of objects.</summary>
    Row = 0,

    /// <summary>A single run.</summary>
    Run = 1,
}
