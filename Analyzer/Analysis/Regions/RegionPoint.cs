namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>An event that begins or ends a region.</summary>
/// <param name="Provider">Its provider.</param>
/// <param name="EventId">Its id.</param>
/// <param name="Version">Version of its layout; other versions are other events.</param>
/// <param name="Conditions">What its fields have to hold; all of them.</param>
public sealed record RegionPoint(Guid Provider, int EventId, int Version, params IReadOnlyList<RegionCondition> Conditions);
