using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>100 references to one string.</summary>
public sealed class SharedStringFeature : SharedFeature<ReferenceData.Strings>
{
    /// <summary>Creates it.</summary>
    public SharedStringFeature()
        : base("shared-string", "100 × one string", "A list of 100 references to one string of a million letters: bytes written, and how many strings there are after reading.")
        => OptIn = FeatureOptIn.ReferenceTracking;

    /// <inheritdoc/>
    protected override ReferenceData.Strings Create(string text, int references) => new() { Items = [.. Enumerable.Repeat(text, references)] };

    /// <inheritdoc/>
    protected override IReadOnlyList<(object Target, string? Text)> Items(ReferenceData.Strings graph) => [.. graph.Items.Select(text => ((object)text, (string?)text))];
}
