namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>What a field of an event has to hold.</summary>
/// <param name="Field">Name of the field; upper and lower case differ.</param>
/// <param name="Value">Its whole value as text.</param>
/// <param name="IsExcluded">The value must not be in it.</param>
public sealed record RegionCondition(string Field, string Value, bool IsExcluded = false);
