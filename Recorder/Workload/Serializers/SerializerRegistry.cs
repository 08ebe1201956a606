using System.Reflection;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Plugins;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The serializers that can take part: those that ship with the suite, the adapters that could be built, and the user's own.</summary>
public static class SerializerRegistry
{
    private static readonly MethodInfo s_builtIn = typeof(BuiltInSerializers).GetMethod(nameof(BuiltInSerializers.Of))!;

    /// <summary>All serializers of the suite's own data, in the order in which they are listed: built-in ones, then adapters by name.</summary>
    public static IReadOnlyList<SerializerDescription> All { get; } = For(new BookShelfModel(), []);

    /// <summary>The serializers for graphs of a model.</summary>
    /// <param name="model">The model; one with types of its own leaves out the serializers that need generated types.</param>
    /// <param name="plugins">The user's own serializers.</param>
    public static IReadOnlyList<SerializerDescription> For(GraphModel model, IReadOnlyList<Plugin> plugins)
    {
        ArgumentNullException.ThrowIfNull(model);
        ArgumentNullException.ThrowIfNull(plugins);
        var type = model.GetType();
        Func<GraphModel> create = () => (GraphModel)Activator.CreateInstance(type)!;
        var ownData = model.GraphType != typeof(BookShelf);
        var builtIn = ownData
            ? (IReadOnlyList<SerializerDescription>)s_builtIn.MakeGenericMethod(model.GraphType).Invoke(null, [create])!
            : BuiltInSerializers.Of<BookShelf>(create);
        return [.. builtIn.Where(serializer => !ownData || !serializer.HasOwnTypes), .. Adapters.All.Concat(plugins).SelectMany(plugin => plugin.Serializers(model.GraphType, create))];
    }

    /// <summary>Those of <paramref name="serializers"/> that <paramref name="filters"/> choose, in their order; all of them without a filter.</summary>
    /// <exception cref="ArgumentException">A filter chooses none. The message lists the names.</exception>
    public static IReadOnlyList<SerializerDescription> Select(IReadOnlyList<SerializerDescription> serializers, IReadOnlyList<SerializerFilter> filters)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        ArgumentNullException.ThrowIfNull(filters);
        foreach (var filter in filters)
        {
            if (!serializers.Any(serializer => filter.Matches(serializer.Name)))
                throw new ArgumentException($"{SuiteOptionSet.SerializerName}: '{filter}' chooses no serializer; legal: {string.Join(", ", serializers.Select(serializer => serializer.Name))}");
        }

        return filters.Count == 0 ? serializers : [.. serializers.Where(serializer => filters.Any(filter => filter.Matches(serializer.Name)))];
    }

    /// <summary><see cref="Select(IReadOnlyList{SerializerDescription}, IReadOnlyList{SerializerFilter})"/> from <see cref="All"/>.</summary>
    public static IReadOnlyList<SerializerDescription> Select(IReadOnlyList<SerializerFilter> filters) => Select(All, filters);
}
