using System.Text;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>Data of one process from the first pass over a trace of a machine.</summary>
/// <param name="id">Process id.</param>
internal sealed class UniversalProcess(int id)
{
    /// <summary>Process id.</summary>
    public int Id { get; } = id;

    /// <summary>Name of the program; empty when the trace lacks it.</summary>
    public string Name { get; set; } = "";

    /// <summary>
    /// The program's assembly: the one with its Main, else the first mapped one that is not the platform's; empty when unknown.
    /// </summary>
    public string Assembly { get; private set; } = "";

    /// <summary>Whether it was created during the recording, so that its mappings come in their original order.</summary>
    public bool IsCreated { get; set; }

    /// <summary>Its runtime with version; empty when the trace lacks it.</summary>
    public string Runtime { get; set; } = "";

    /// <summary>Number of CPU samples.</summary>
    public long Samples { get; set; }

    /// <summary>Sum of the samples' values, which are sampling periods.</summary>
    public long SampledPeriods { get; set; }

    /// <summary>Whether a .NET runtime ran in it.</summary>
    public bool IsManaged { get; set; }

    /// <summary>Whether its code has names.</summary>
    public bool HasNames { get; set; }

    /// <summary>Whether events of its runtime have stacks.</summary>
    public bool HasStacks { get; set; }

    /// <summary>Kinds of events of its runtime.</summary>
    public EventHub Seen { get; } = EventHub.LookingForKinds();

    /// <summary>Samples and switches of its threads.</summary>
    public SwitchList Switches { get; } = new();

    /// <summary>Adds a mapping of the process.</summary>
    public void Add(in UniversalMapping mapping)
    {
        var file = Path.GetFileName(mapping.Path);
        IsManaged |= file is "libcoreclr.so" or "libmonosgen-2.0.so" or "coreclr.dll";

        // The platform's assemblies are in a folder of its version, beside its class library.
        if (
            IsCreated
            && Assembly.Length == 0
            && file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            && !mapping.Path.Contains("/shared/Microsoft.", StringComparison.Ordinal)
            && file != "System.Private.CoreLib.dll"
        )
            Assembly = Path.GetFileNameWithoutExtension(file);
    }

    /// <summary>Checks a code name: the name of Main contains the program's assembly.</summary>
    public void Notice(ReadOnlySpan<byte> name)
    {
        if (
            (name.IndexOf("::<Main>$("u8) >= 0 || name.IndexOf("::Main("u8) >= 0)
            && DotNetMapName.Parse(Encoding.UTF8.GetString(name)) is { } main
        )
            Assembly = main.Module;
    }

    /// <summary>Displayed name: for a host (<c>dotnet app.dll</c>), the name of its application.</summary>
    public string Title =>
        Name is "dotnet" or "" && Assembly.Length > 0 ? Assembly
        : Name.Length > 0 ? Name
        : FormattableString.Invariant($"process {Id}");
}
