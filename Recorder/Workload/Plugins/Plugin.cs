using System.Reflection;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>An assembly with serializers or data for the contract: an adapter, or the user's own. Loaded on first use.</summary>
public sealed class Plugin
{
    private readonly Lazy<Assembly> _assembly;

    /// <summary>Creates a plugin without loading it.</summary>
    /// <param name="path">Path of the assembly.</param>
    public Plugin(string path)
    {
        Path = System.IO.Path.GetFullPath(path);
        _assembly = new Lazy<Assembly>(() => PluginLoader.Load(Path));
    }

    /// <summary>Absolute path of the assembly.</summary>
    public string Path { get; }

    /// <summary>
    /// Its serializers for graphs of a type: generic ones, and those with their own types if <paramref name="graphType"/> is the suite's.
    /// </summary>
    /// <param name="graphType">Type of the root object.</param>
    /// <param name="model">Creates the model of such graphs.</param>
    /// <exception cref="PluginException">The assembly cannot be loaded, or a serializer class violates the contract.</exception>
    public IReadOnlyList<SerializerDescription> Serializers(Type graphType, Func<GraphModel> model)
    {
        ArgumentNullException.ThrowIfNull(graphType);
        try
        {
            return
            [
                .. Types(typeof(Serializer))
                    .Select(type => PluginSerializers.Describe(this, type, graphType, model))
                    .OfType<SerializerDescription>()
                    .OrderBy(serializer => serializer.Name, StringComparer.OrdinalIgnoreCase),
            ];
        }
        catch (Exception exception) when (IsOfLoading(exception))
        {
            throw new PluginException($"{Path}: {FirstLine.Of(exception)}", exception);
        }
    }

    /// <summary>Its model with a name, or its only model.</summary>
    /// <param name="name">Name of the model's or the graph's class, with or without namespace; empty if there is only one.</param>
    /// <exception cref="PluginException">No model or several models match; the message lists them.</exception>
    public GraphModel Model(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var models = Types(typeof(GraphModel))
            .Where(type => type.GetConstructor(Type.EmptyTypes) is not null && !type.ContainsGenericParameters)
            .Select(type => (GraphModel)Activator.CreateInstance(type)!)
            .ToList();
        var pattern = NameChoice.Pattern(name, models.SelectMany(Names));
        var found = models.FindAll(model => pattern is null || Names(model).Any(pattern.Value.Matches));
        if (found.Count == 1)
            return found[0];
        var known =
            models.Count == 0
                ? $"it has no public class that derives from {typeof(GraphModel).FullName}<T> and has a constructor without parameters"
                : $"it has {string.Join(", ", models.Select(model => model.GetType().FullName))}: name one as {System.IO.Path.GetFileName(Path)}!CLASS";
        throw new PluginException($"{Path}: {(name.Length == 0 ? "the data is ambiguous or missing" : $"unknown data '{name}'")}; {known}");
    }

    /// <summary>The assembly with this simple name among its dependencies; the plugin itself when the name is empty.</summary>
    /// <exception cref="PluginException">The assembly cannot be loaded.</exception>
    internal Assembly Library(string name) => name.Length == 0 ? _assembly.Value : PluginLoader.Load(_assembly.Value, name);

    private static string[] Names(GraphModel model) =>
        [model.GetType().FullName!, model.GetType().Name, model.GraphType.FullName!, model.GraphType.Name];

    private IEnumerable<Type> Types(Type baseType)
    {
        try
        {
            return [.. _assembly.Value.GetExportedTypes().Where(type => !type.IsAbstract && baseType.IsAssignableFrom(type))];
        }
        catch (Exception exception) when (IsOfLoading(exception))
        {
            throw new PluginException($"{Path}: {FirstLine.Of(exception)}", exception);
        }
    }

    /// <summary>Whether a library of the plugin is missing, or differs from the one it was compiled against.</summary>
    private static bool IsOfLoading(Exception exception) =>
        exception
            is IOException
                or BadImageFormatException
                or TypeLoadException
                or ReflectionTypeLoadException
                or MissingMemberException
                or CustomAttributeFormatException;
}
