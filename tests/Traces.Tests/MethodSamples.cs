using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>CPU samples by the methods on their stacks.</summary>
/// <param name="map">The process's code.</param>
internal sealed class MethodSamples(ManagedCodeMap map) : IEventSubscriber
{
    public Dictionary<string, int> Inclusive { get; } = [];

    public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnSample);

    private void OnSample(in CpuSample sample)
    {
        var names = new HashSet<string>();
        for (var i = sample.KernelFrames; i < sample.Frames.Length; i++)
        {
            if (map.TryFind(sample.CodeAddress(i), sample.At.Time, out var code, out _, out _))
                names.Add($"{code.Namespace}.{code.Name}");
        }

        foreach (var name in names)
            Inclusive[name] = Inclusive.GetValueOrDefault(name) + 1;
    }
}
