using System.Reflection;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>What the suite knows of a serializer before it is used.</summary>
/// <remarks>Nothing here loads the serializer's library until it is asked for: loading it is a part of what a first call costs.</remarks>
public sealed class SerializerDescription
{
    /// <summary>Stands for none, where a process runs without a serializer: its library is the runtime's own.</summary>
    public static readonly SerializerDescription None =
        new("(runtime)", DataFormat.Binary, () => typeof(object).Assembly, () => throw new InvalidOperationException("There is no data."), () => throw new InvalidOperationException("There is no serializer."));

    private readonly Lazy<Assembly> _library;
    private readonly Func<GraphModel> _createModel;
    private readonly Func<Serializer> _construct;

    /// <summary>Describes a serializer.</summary>
    /// <param name="name">Name on screen and in traces.</param>
    /// <param name="format">What it writes.</param>
    /// <param name="library">Finds the assembly that implements it.</param>
    /// <param name="createModel">Creates the model of its object graphs.</param>
    /// <param name="construct">Constructs the serializer.</param>
    public SerializerDescription(string name, DataFormat format, Func<Assembly> library, Func<GraphModel> createModel, Func<Serializer> construct)
    {
        Name = name;
        Format = format;
        _library = new Lazy<Assembly>(library);
        _createModel = createModel;
        _construct = construct;
    }

    /// <summary>Name on screen and in traces.</summary>
    public string Name { get; }

    /// <summary>What it writes.</summary>
    public DataFormat Format { get; }

    /// <summary>Assembly that implements it.</summary>
    public Assembly LibraryAssembly => _library.Value;

    /// <summary>Simple name of that assembly.</summary>
    public string Library => LibraryAssembly.GetName().Name ?? "";

    /// <summary>Informational version of that assembly, without the commit.</summary>
    public string LibraryVersion
    {
        get
        {
            var version = LibraryAssembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
                ?? LibraryAssembly.GetName().Version?.ToString()
                ?? "";
            return version.Split('+')[0];
        }
    }

    /// <summary>Creates the model of its object graphs. Does not construct the serializer.</summary>
    public GraphModel CreateModel() => _createModel();

    /// <summary>Constructs the serializer.</summary>
    public Serializer Construct() => _construct();

    /// <summary>Tries the serializer with one object.</summary>
    /// <returns>Why it cannot be used here, null when it can.</returns>
    public string? WhyUnavailable()
    {
        try
        {
            return RoundTrip.Difference(Construct(), CreateModel(), objectCount: 1, payloadBytes: 1) is { } difference ? $"wrong round trip: {difference}" : null;
        }
#pragma warning disable CA1031 // whatever a serializer throws is the answer
        catch (Exception exception)
#pragma warning restore CA1031
        {
            return FirstLine.Of(exception);
        }
    }
}
