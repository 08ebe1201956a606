namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>What the groups of a profile stand for.</summary>
public enum ProfileGrouping
{
    /// <summary>A row of the table: serializer, operation, number of objects.</summary>
    Row = 0,

    /// <summary>A single run.</summary>
    Run = 1,
}
