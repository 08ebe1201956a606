using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>Collects the names of the serializers in run marks.</summary>
public sealed class MarkedSerializers : IEventSubscriber
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);

    /// <summary>The distinct names, unordered.</summary>
    public IReadOnlyCollection<string> Names => _names;

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<RunStarted>(OnRunStarted);

    private void OnRunStarted(in RunStarted run) => _names.Add(run.Identity.Serializer);
}
