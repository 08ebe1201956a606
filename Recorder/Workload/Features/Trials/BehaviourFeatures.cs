namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>What a serializer does with stream, memory and threads.</summary>
internal static class BehaviourFeatures
{
    /// <summary>Table of these features.</summary>
    public const string Group = "Streams and threads";

    public static IReadOnlyList<Feature> All { get; } =
        [new DataFormatFeature(), new StreamingFeature(), new HeldMemoryFeature(), new ClosesStreamFeature(), new ThreadSafetyFeature()];
}
