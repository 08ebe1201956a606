using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>System.Text.Json with metadata collected by reflection.</summary>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class SystemTextJson<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    // Separate options instead of the default ones, so that a new instance starts with an empty metadata cache.
    private readonly JsonSerializerOptions _options = new();

    /// <summary>Creates the serializer.</summary>
    /// <param name="settings">
    /// Reference tracking uses ReferenceHandler.Preserve; known types become derived types of all their base classes and interfaces.
    /// </param>
    public SystemTextJson(SerializerSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        if (settings.ReferenceTracking)
            _options.ReferenceHandler = ReferenceHandler.Preserve;
        if (settings.KnownTypes.Count > 0)
            _options.TypeInfoResolver = new DefaultJsonTypeInfoResolver
            {
                Modifiers = { info => AddDerivedTypes(info, settings.KnownTypes) },
            };
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => JsonSerializer.Serialize(stream, graph, _options);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => JsonSerializer.Deserialize<TGraph>(stream, _options);

    private static void AddDerivedTypes(JsonTypeInfo info, IReadOnlyList<Type> knownTypes)
    {
        if (info.Kind != JsonTypeInfoKind.Object)
            return;
        foreach (var type in knownTypes.Where(type => type != info.Type && info.Type.IsAssignableFrom(type)))
            (info.PolymorphismOptions ??= new JsonPolymorphismOptions()).DerivedTypes.Add(new JsonDerivedType(type, type.Name));
    }
}
