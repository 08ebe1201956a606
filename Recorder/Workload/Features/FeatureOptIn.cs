namespace EtwSerializerProfiler.Workload.Features;

/// <summary>What a serializer can be asked for when a feature is not there by itself.</summary>
public enum FeatureOptIn
{
    /// <summary>Nothing: the feature is tried once.</summary>
    None = 0,

    /// <summary><see cref="Contract.SerializerSettings.ReferenceTracking"/>, of serializers that have it.</summary>
    ReferenceTracking = 1,

    /// <summary><see cref="Contract.SerializerSettings.KnownTypes"/>.</summary>
    KnownTypes = 2,
}
