using System.Text;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>What the first pass over a trace of a machine finds of one process.</summary>
/// <param name="id">Process id.</param>
internal sealed class UniversalProcess(int id)
{
    /// <summary>Process id.</summary>
    public int Id { get; } = id;

    /// <summary>Name of the program, empty when the trace does not say.</summary>
    public string Name { get; set; } = "";

    /// <summary>The program's assembly: that of its Main, else the first one that it mapped and that is not the platform's; empty when unknown.</summary>
    public string Assembly { get; private set; } = "";

    /// <summary>Whether it was created while the trace was made: then its mappings come in the order in which they were made.</summary>
    public bool IsCreated { get; set; }

    /// <summary>Its runtime with the version; empty when the trace does not say.</summary>
    public string Runtime { get; set; } = "";

    /// <summary>CPU samples.</summary>
    public long Samples { get; set; }

    /// <summary>Sum of their values: sampling periods.</summary>
    public long SampledPeriods { get; set; }

    /// <summary>Whether a .NET runtime ran in it.</summary>
    public bool IsManaged { get; set; }

    /// <summary>Whether code of it is named.</summary>
    public bool HasNames { get; set; }

    /// <summary>Whether events of its runtime have stacks.</summary>
    public bool HasStacks { get; set; }

    /// <summary>Kinds of events of its runtime.</summary>
    public EventHub Seen { get; } = EventHub.LookingForKinds();

    /// <summary>Samples and switches of its threads.</summary>
    public SwitchList Switches { get; } = new();

    /// <summary>A mapping of the process.</summary>
    public void Add(in UniversalMapping mapping)
    {
        var file = Path.GetFileName(mapping.Path);
        IsManaged |= file is "libcoreclr.so" or "libmonosgen-2.0.so" or "coreclr.dll";

        // The platform's assemblies lie in a folder of its version, beside its class library.
        if (IsCreated && Assembly.Length == 0 && file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) && !mapping.Path.Contains("/shared/Microsoft.", StringComparison.Ordinal) && file != "System.Private.CoreLib.dll")
            Assembly = Path.GetFileNameWithoutExtension(file);
    }

    /// <summary>A name of code of the process: that of Main has the program's assembly.</summary>
    public void Notice(ReadOnlySpan<byte> name)
    {
        if ((name.IndexOf("::<Main>$("u8) >= 0 || name.IndexOf("::Main("u8) >= 0) && DotNetMapName.Parse(Encoding.UTF8.GetString(name)) is { } main)
            Assembly = main.Module;
    }

    /// <summary>Name for people: a host (<c>dotnet app.dll</c>) is called like what it runs.</summary>
    public string Title => Name is "dotnet" or "" && Assembly.Length > 0 ? Assembly : Name.Length > 0 ? Name : FormattableString.Invariant($"process {Id}");
}
