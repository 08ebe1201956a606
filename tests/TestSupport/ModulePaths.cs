using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Collects the files of the modules that the processes of a trace loaded; subscribes to <see cref="EventKinds.MethodCode"/>.
/// </summary>
public sealed class ModulePaths : IEventSubscriber
{
    private readonly HashSet<string> _paths = [];

    /// <summary>The files.</summary>
    public IReadOnlyCollection<string> Paths => _paths;

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<ModuleLoaded>(OnModuleLoaded);

    private void OnModuleLoaded(in ModuleLoaded module) => _paths.Add(module.Path);
}
