using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>100 references to one object that has a large string.</summary>
public sealed class SharedObjectFeature : SharedFeature<ReferenceData.Objects>
{
    /// <summary>Creates it.</summary>
    public SharedObjectFeature()
        : base("shared-object", "100 × one object", "A list of 100 references to one object that has a string of a million letters: bytes written, and how many objects there are after reading.")
        => OptIn = FeatureOptIn.ReferenceTracking;

    /// <inheritdoc/>
    protected override ReferenceData.Objects Create(string text, int references) => new() { Items = [.. Enumerable.Repeat(new ReferenceData.Item { Text = text }, references)] };

    /// <inheritdoc/>
    protected override IReadOnlyList<(object Target, string? Text)> Items(ReferenceData.Objects graph) => [.. graph.Items.Select(item => ((object)item, item.Text))];
}
