using System.Reflection;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Plugins;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>What the suite knows of a serializer before it is used.</summary>
/// <remarks>Nothing here loads the serializer's library until it is asked for: loading it is a part of what a first call costs.</remarks>
public sealed record SerializerDescription
{
    /// <summary>Stands for none, where a process runs without a serializer: its library is the runtime's own.</summary>
    public static readonly SerializerDescription None =
        new("(runtime)", DataFormat.Binary, () => typeof(object).Assembly, () => throw new InvalidOperationException("There is no data."), _ => throw new InvalidOperationException("There is no serializer."));

    private readonly Lazy<Assembly> _library;
    private readonly Func<GraphModel> _createModel;
    private readonly Func<SerializerSettings, Serializer> _construct;

    /// <summary>Describes a serializer.</summary>
    /// <param name="name">Name on screen and in traces.</param>
    /// <param name="format">What it writes.</param>
    /// <param name="library">Finds the assembly that implements it.</param>
    /// <param name="createModel">Creates the model of its object graphs.</param>
    /// <param name="construct">Constructs the serializer.</param>
    public SerializerDescription(string name, DataFormat format, Func<Assembly> library, Func<GraphModel> createModel, Func<SerializerSettings, Serializer> construct)
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

    /// <summary>What it is asked for when nothing else is said.</summary>
    public SerializerSettings Settings { get; init; } = SerializerSettings.Default;

    /// <summary>The user's own data that it serves, as <see cref="OwnData"/> reads it; empty for the suite's.</summary>
    public string DataSpec { get; init; } = "";

    /// <summary>Whether <see cref="SerializerSettings.ReferenceTracking"/> changes what it writes.</summary>
    public bool TracksReferences { get; init; }

    /// <summary>Whether it needs data types of its own, so that it can take part with the suite's own data only.</summary>
    public bool HasOwnTypes { get; init; }

    /// <summary>Path of the plugin that has it; empty for a serializer that ships with the suite.</summary>
    public string PluginPath { get; init; } = "";

    /// <summary>What is to be known of it, one sentence; empty for nothing.</summary>
    public string Notes { get; init; } = "";

    /// <summary>Why it is known to fail on the runtime of this process and where it works; empty when it is not. Known before it is tried.</summary>
    public string KnownFailure { get; init; } = "";

    /// <summary>Why one thread at a time can use it; empty when several can.</summary>
    public string OneThreadBecause { get; init; } = "";

    /// <summary>Assembly that implements it.</summary>
    /// <exception cref="IOException">It is not there.</exception>
    public Assembly LibraryAssembly => _library.Value;

    /// <summary>Simple name of that assembly.</summary>
    public string Library => LibraryAssembly.GetName().Name ?? "";

    /// <summary>Version of that assembly, as <see cref="LibraryVersions"/> finds it.</summary>
    public string LibraryVersion => LibraryVersions.Of(LibraryAssembly, PluginPath);

    /// <summary>Creates the model of its object graphs. Does not construct the serializer.</summary>
    public GraphModel CreateModel() => _createModel();

    /// <summary>Constructs the serializer.</summary>
    /// <param name="settings">What it is asked for; null for <see cref="Settings"/>.</param>
    public Serializer Construct(SerializerSettings? settings = null) => _construct(settings ?? Settings);

    /// <summary>Its name.</summary>
    public override string ToString() => Name;

    /// <summary>Tries the serializer with one object.</summary>
    /// <returns>Why it cannot be used here, null when it can.</returns>
    public string? WhyUnavailable()
    {
        if (KnownFailure.Length > 0)
            return KnownFailure;
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
