using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Collects the files of the modules that the processes of a trace loaded; wants <see cref="TraceCapabilities.MethodCode"/>.</summary>
public sealed class ModulePaths : TraceVisitor
{
    private readonly HashSet<string> _paths = [];

    /// <summary>The files.</summary>
    public IReadOnlyCollection<string> Paths => _paths;

    /// <inheritdoc />
    public override void OnModuleLoaded(in EventAt at, long moduleId, string path) => _paths.Add(path);
}
