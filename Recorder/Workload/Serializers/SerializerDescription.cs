using System.Reflection;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Plugins;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Properties of a serializer that are known before its use.</summary>
/// <remarks>Loads the serializer's library only on demand, because loading it is part of the cost of a first call.</remarks>
public sealed record SerializerDescription
{
    /// <summary>Represents no serializer, for processes without one: its library is the runtime's own.</summary>
    public static readonly SerializerDescription None = new(
        "(runtime)",
        DataFormat.Binary,
        () => typeof(object).Assembly,
        () => throw new InvalidOperationException("There is no data."),
        _ => throw new InvalidOperationException("There is no serializer.")
    );

    private readonly Lazy<Assembly> _library;
    private readonly Func<GraphModel> _createModel;
    private readonly Func<SerializerSettings, Serializer> _construct;

    /// <summary>Describes a serializer.</summary>
    /// <param name="name">Name on screen and in traces.</param>
    /// <param name="format">Its output format.</param>
    /// <param name="library">Finds the assembly that implements it.</param>
    /// <param name="createModel">Creates the model of its object graphs.</param>
    /// <param name="construct">Constructs the serializer.</param>
    public SerializerDescription(
        string name,
        DataFormat format,
        Func<Assembly> library,
        Func<GraphModel> createModel,
        Func<SerializerSettings, Serializer> construct
    )
    {
        Name = name;
        Format = format;
        _library = new Lazy<Assembly>(library);
        _createModel = createModel;
        _construct = construct;
    }

    /// <summary>Name on screen and in traces.</summary>
    public string Name { get; }

    /// <summary>Its output format.</summary>
    public DataFormat Format { get; }

    /// <summary>Default settings for constructing it.</summary>
    public SerializerSettings Settings { get; init; } = SerializerSettings.Default;

    /// <summary>The user's own data that it supports, in the form of <see cref="OwnData"/>; empty for the suite's data.</summary>
    public string DataSpec { get; init; } = "";

    /// <summary>Whether <see cref="SerializerSettings.ReferenceTracking"/> changes its output.</summary>
    public bool TracksReferences { get; init; }

    /// <summary>Whether it needs its own data types, so that it supports only the suite's data.</summary>
    public bool HasOwnTypes { get; init; }

    /// <summary>Path of its plugin; empty for a serializer of the suite.</summary>
    public string PluginPath { get; init; } = "";

    /// <summary>Remark for users, one sentence; empty for none.</summary>
    public string Notes { get; init; } = "";

    /// <summary>
    /// Why it is known to fail on the runtime of this process, and where it works; empty when it is not. Known without a trial.
    /// </summary>
    public string KnownFailure { get; init; } = "";

    /// <summary>Why only one thread at a time can use it; empty when several can.</summary>
    public string OneThreadBecause { get; init; } = "";

    /// <summary>Assembly that implements it.</summary>
    /// <exception cref="IOException">The assembly does not exist.</exception>
    public Assembly LibraryAssembly => _library.Value;

    /// <summary>Simple name of that assembly.</summary>
    public string Library => LibraryAssembly.GetName().Name ?? "";

    /// <summary>Version of that assembly, as <see cref="LibraryVersions"/> finds it.</summary>
    public string LibraryVersion => LibraryVersions.Of(LibraryAssembly, PluginPath);

    /// <summary>Creates the model of its object graphs. Does not construct the serializer.</summary>
    public GraphModel CreateModel() => _createModel();

    /// <summary>Constructs the serializer.</summary>
    /// <param name="settings">The settings; null for <see cref="Settings"/>.</param>
    public Serializer Construct(SerializerSettings? settings = null) => _construct(settings ?? Settings);

    /// <summary>The name.</summary>
    public override string ToString() => Name;

    /// <summary>Tries the serializer with one object, which has a payload, and then with one that has none.</summary>
    /// <returns>Why it cannot be used here; null when it can.</returns>
    public string? WhyUnavailable()
    {
        if (KnownFailure.Length > 0)
            return KnownFailure;
        try
        {
            var (serializer, model) = (Construct(), CreateModel());
            var difference =
                RoundTrip.Difference(serializer, model, objectCount: 1, payloadBytes: 1)
                ?? RoundTrip.Difference(serializer, model, objectCount: 1, payloadBytes: 0);
            return difference is null ? null : $"wrong round trip: {difference}";
        }
#pragma warning disable CA1031 // any exception of a serializer is the answer
        catch (Exception exception)
#pragma warning restore CA1031
        {
            return FirstLine.Of(exception);
        }
    }
}
