using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Plugins;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The available serializers: those of the suite, the adapters that could be built, and the user's own.</summary>
public static class SerializerRegistry
{
    private static readonly Lazy<IReadOnlyList<SerializerDescription>> s_all = new(() => For("", []));

    /// <summary>All serializers for the suite's own data in the order of the list: built-in ones, then adapters by name.</summary>
    public static IReadOnlyList<SerializerDescription> All => s_all.Value;

    /// <summary>The serializers for the data of <paramref name="dataSpec"/>: built-in ones, adapters, and the user's own.</summary>
    /// <param name="dataSpec">
    /// Data in the form of <see cref="OwnData"/>; empty for the suite's own data. Serializers in its assembly take part, too.
    /// </param>
    /// <param name="plugins">Paths of assemblies with the user's own serializers.</param>
    /// <param name="problems">Receives one line for each adapter that cannot be used.</param>
    /// <exception cref="PluginException">The data or one of <paramref name="plugins"/> cannot be used.</exception>
    public static IReadOnlyList<SerializerDescription> For(string dataSpec, IReadOnlyList<string> plugins, Action<string>? problems = null)
    {
        ArgumentNullException.ThrowIfNull(dataSpec);
        ArgumentNullException.ThrowIfNull(plugins);
        var model = OwnData.Find(dataSpec);
        var own = dataSpec.Length == 0 ? plugins : [OwnData.PathOf(dataSpec), .. plugins];
        var found = BuiltIn(model, dataSpec).ToList();
        foreach (var adapter in Adapters.All)
        {
            try
            {
                found.AddRange(Of(adapter, model, dataSpec));
            }
            catch (PluginException exception)
            {
                problems?.Invoke(exception.Message);
            }
        }

        foreach (var path in own.Select(Path.GetFullPath).Distinct(StringComparer.Ordinal))
            found.AddRange(Of(new Plugin(path), model, dataSpec));
        return found;
    }

    /// <summary>The built-in serializers and the adapters for other data of the suite than that of its tests.</summary>
    /// <param name="model">Creates the data.</param>
    public static IReadOnlyList<SerializerDescription> For(GraphModel model)
    {
        ArgumentNullException.ThrowIfNull(model);
        var found = BuiltIn(model, dataSpec: "").ToList();
        foreach (var adapter in Adapters.All)
        {
            try
            {
                found.AddRange(Of(adapter, model, dataSpec: ""));
            }
            catch (PluginException)
            {
                // The list of serializers reports this.
            }
        }

        return found;
    }

    /// <summary>Finds one serializer without looking at others, for a process that measures loads.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="pluginPath">Path of its plugin; empty for a built-in one.</param>
    /// <param name="dataSpec">Its data.</param>
    /// <exception cref="PluginException">The plugin or the data cannot be used.</exception>
    public static SerializerDescription Find(string name, string pluginPath, string dataSpec)
    {
        ArgumentNullException.ThrowIfNull(pluginPath);
        var model = OwnData.Find(dataSpec);
        return (pluginPath.Length == 0 ? BuiltIn(model, dataSpec) : Of(new Plugin(pluginPath), model, dataSpec)).Single(serializer =>
            serializer.Name == name
        );
    }

    /// <summary>The <paramref name="serializers"/> that <paramref name="filters"/> select, in their order; all without a filter.</summary>
    /// <exception cref="ArgumentException">
    /// A filter selects none. The message lists the names, or explains why the build left the serializer out.
    /// </exception>
    public static IReadOnlyList<SerializerDescription> Select(
        IReadOnlyList<SerializerDescription> serializers,
        IReadOnlyList<NamePattern> filters
    )
    {
        ArgumentNullException.ThrowIfNull(serializers);
        ArgumentNullException.ThrowIfNull(filters);
        foreach (var filter in filters)
        {
            if (serializers.Any(serializer => filter.Matches(serializer.Name)))
                continue;
            if (Adapters.LeftOut.FirstOrDefault(adapter => filter.Matches(adapter.Name)) is { } leftOut)
                throw new ArgumentException(
                    $"{SuiteOptionSet.SerializerName}: the suite was built without {leftOut.Name}: {leftOut.Reason}"
                );
            throw new ArgumentException(
                $"{SuiteOptionSet.SerializerName}: '{filter}' matches no serializer; {NameChoice.Advice(filter.Text, serializers.Select(serializer => serializer.Name))}"
            );
        }

        return filters.Count == 0
            ? serializers
            : [.. serializers.Where(serializer => filters.Any(filter => filter.Matches(serializer.Name)))];
    }

    /// <summary><see cref="Select(IReadOnlyList{SerializerDescription}, IReadOnlyList{NamePattern})"/> from <see cref="All"/>.</summary>
    public static IReadOnlyList<SerializerDescription> Select(IReadOnlyList<NamePattern> filters) => Select(All, filters);

    private static IEnumerable<SerializerDescription> BuiltIn(GraphModel model, string dataSpec)
    {
        if (model.GraphType == typeof(BookShelf) && dataSpec.Length == 0)
            // Without reflection, whose cost would be part of a first call.
            return BuiltInSerializers.Of<BookShelf>(() => new BookShelfModel());
        var all = typeof(BuiltInSerializers)
            .GetMethod(nameof(BuiltInSerializers.Of))!
            .MakeGenericMethod(model.GraphType)
            .Invoke(null, [Creator(model)]);
        return ((IReadOnlyList<SerializerDescription>)all!)
            .Where(serializer => !serializer.HasOwnTypes)
            .Select(serializer => serializer with { DataSpec = dataSpec });
    }

    private static IEnumerable<SerializerDescription> Of(Plugin plugin, GraphModel model, string dataSpec) =>
        plugin.Serializers(model.GraphType, Creator(model)).Select(serializer => serializer with { DataSpec = dataSpec });

    private static Func<GraphModel> Creator(GraphModel model)
    {
        var type = model.GetType();
        return () => (GraphModel)Activator.CreateInstance(type)!;
    }
}
