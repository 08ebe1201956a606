using System.Reflection;
using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>Creates the description of a plugin's serializer class.</summary>
internal static class PluginSerializers
{
    /// <summary>Describes a serializer class; null when it has its own data types and others are requested.</summary>
    /// <exception cref="PluginException">The class violates the contract.</exception>
    public static SerializerDescription? Describe(Plugin plugin, Type type, Type graphType, Func<GraphModel> model)
    {
        var attribute = type.GetCustomAttribute<SuiteSerializerAttribute>() ?? new SuiteSerializerAttribute(Name(type), DataFormat.Binary);
        var ownModel = attribute.Model;
        if (type.IsGenericTypeDefinition)
        {
            if (type.GetGenericArguments().Length != 1)
                throw new PluginException(
                    $"{plugin.Path}: {type} has {type.GetGenericArguments().Length} type parameters; the contract requires one, for the type of the root object, or none"
                );
            type = Close(plugin, type, graphType);
        }
        else if (ownModel is null ? GraphTypeOf(type) is { } own && own != graphType : graphType != typeof(BookShelf))
        {
            return null;
        }

        var (constructor, takesSettings) = Constructor(plugin, type);
        return new SerializerDescription(
            attribute.Name,
            attribute.Format,
            () => plugin.Library(attribute.Library),
            ownModel is null ? model : () => (GraphModel)Activator.CreateInstance(ownModel)!,
            settings => Construct(constructor, takesSettings ? [settings] : [])
        )
        {
            TracksReferences = attribute.TracksReferences && takesSettings,
            HasOwnTypes = ownModel is not null,
            Notes = attribute.Notes,
            OneThreadBecause = attribute.OneThreadBecause,
            KnownFailure = KnownFailure(attribute),
            PluginPath = plugin.Path,
        };
    }

    private static string Name(Type type) => type.Name.Split('`')[0];

    private static Type Close(Plugin plugin, Type type, Type graphType)
    {
        try
        {
            return type.MakeGenericType(graphType);
        }
        catch (ArgumentException exception)
        {
            throw new PluginException($"{plugin.Path}: {type} does not accept {graphType}: {FirstLine.Of(exception.Message)}", exception);
        }
    }

    /// <summary>The type argument of the serializer's base class; null when it accepts any object.</summary>
    private static Type? GraphTypeOf(Type? type)
    {
        for (; type is not null; type = type.BaseType)
        {
            if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(TypedSerializer<>))
                return type.GetGenericArguments()[0];
        }

        return null;
    }

    private static (ConstructorInfo Constructor, bool TakesSettings) Constructor(Plugin plugin, Type type)
    {
        if (type.GetConstructor([typeof(SerializerSettings)]) is { } settings)
            return (settings, true);
        return type.GetConstructor(Type.EmptyTypes) is { } none
            ? (none, false)
            : throw new PluginException(
                $"{plugin.Path}: {type} has neither a public parameterless constructor nor one with {nameof(SerializerSettings)}"
            );
    }

    private static Serializer Construct(ConstructorInfo constructor, object[] arguments)
    {
        try
        {
            return (Serializer)constructor.Invoke(arguments);
        }
        catch (TargetInvocationException exception) when (exception.InnerException is { } inner)
        {
            ExceptionDispatchInfo.Capture(inner).Throw();
            throw;
        }
    }

    private static string KnownFailure(SuiteSerializerAttribute attribute) =>
        attribute.FailsFrom.Length > 0 && SuiteRuntime.IsNet && Version.Parse(attribute.FailsFrom) <= Environment.Version
            ? attribute.FailsBecause
            : "";
}
