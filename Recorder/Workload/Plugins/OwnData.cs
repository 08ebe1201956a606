using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>Finds the data that <c>-data ASSEMBLY[!TYPE]</c> names.</summary>
public static class OwnData
{
    private const char Separator = '!';

    /// <summary>Finds the data's model; for an empty name, the model of the suite's own data.</summary>
    /// <param name="spec">
    /// <c>ASSEMBLY</c>, or <c>ASSEMBLY!TYPE</c> if it has several models; TYPE is the class of the model or of the root object.
    /// </param>
    /// <exception cref="PluginException">The assembly or data does not exist.</exception>
    public static GraphModel Find(string spec)
    {
        ArgumentNullException.ThrowIfNull(spec);
        if (spec.Length == 0)
            return new BookShelfModel();
        var (path, type) = Split(spec);
        return new Plugin(path).Model(type);
    }

    /// <summary>Path of the data's assembly.</summary>
    public static string PathOf(string spec) => Split(spec).Path;

    private static (string Path, string Type) Split(string spec) =>
        spec.LastIndexOf(Separator) is var at and > 0 ? (spec.Substring(0, at), spec.Substring(at + 1)) : (spec, "");
}
