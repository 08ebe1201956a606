using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>Finds the data that <c>-data ASSEMBLY[!TYPE]</c> names.</summary>
public static class OwnData
{
    private const char Separator = '!';

    /// <summary>Finds the data's model; that of the suite's own data for an empty name.</summary>
    /// <param name="spec"><c>ASSEMBLY</c>, or <c>ASSEMBLY!TYPE</c> when it has more than one; TYPE is the class of the model or of the root object.</param>
    /// <exception cref="PluginException">There is no such assembly or data.</exception>
    public static GraphModel Find(string spec)
    {
        ArgumentNullException.ThrowIfNull(spec);
        if (spec.Length == 0)
            return new BookShelfModel();
        var (path, type) = Split(spec);
        return new Plugin(path).Model(type);
    }

    /// <summary>Path of the assembly that has the data.</summary>
    public static string PathOf(string spec) => Split(spec).Path;

    private static (string Path, string Type) Split(string spec) =>
        spec.LastIndexOf(Separator) is var at and > 0 ? (spec.Substring(0, at), spec.Substring(at + 1)) : (spec, "");
}
