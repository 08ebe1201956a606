using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>Hears the marks of runs and keeps the names of their serializers.</summary>
public sealed class MarkedSerializers : IEventSubscriber
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);

    /// <summary>The names, each once, in no order.</summary>
    public IReadOnlyCollection<string> Names => _names;

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<RunStarted>(OnRunStarted);

    private void OnRunStarted(in RunStarted run) => _names.Add(run.Identity.Serializer);
}
