using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Features.Trials;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>The list of features.</summary>
public static class FeatureRegistry
{
    /// <summary>All features, in the order of the tables.</summary>
    public static IReadOnlyList<Feature> All { get; } =
    [
        .. MemberFeatures.All,
        .. PolymorphismFeatures.All,
        .. ReferenceFeatures.All,
        .. VersionFeatures.All,
        .. ValueFeatures.All,
        .. NumberFeatures.All,
        .. TimeFeatures.All,
        .. CollectionFeatures.All,
        .. BehaviourFeatures.All,
        new NativeAotFeature(
            SuiteRuntime.IsNativeAot ? Environment.ProcessPath : Environment.GetEnvironmentVariable(FeatureOptions.NativeAotVariable)
        ),
    ];

    /// <summary>The simplest feature. A serializer that crashes or hangs with it is not tried further.</summary>
    public static Feature Plainest => All[0];

    /// <summary>The feature with a key.</summary>
    /// <exception cref="ArgumentException">No feature has the key.</exception>
    public static Feature Of(string key) =>
        All.FirstOrDefault(feature => feature.Key == key) ?? throw new ArgumentException($"There is no feature '{key}'.", nameof(key));
}
