using System.Collections.Concurrent;
using System.Reflection;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Finds the version of a library as its users know it.</summary>
public static class LibraryVersions
{
    /// <summary>Cache, because every run needs it.</summary>
    private static readonly ConcurrentDictionary<(Assembly Library, string PluginPath), string> s_found = new();

    /// <summary>
    /// The version of the package from which a plugin has the library, according to the plugin's deps.json. Otherwise the library's
    /// informational version, its file version, or its assembly version, in this order. New versions of packages often keep older numbers
    /// inside (Google.FlatBuffers 25.2.10 contains 1.0.0).
    /// </summary>
    /// <param name="library">The library.</param>
    /// <param name="pluginPath">Path of the plugin that uses it; empty for none.</param>
    /// <returns>The version without the commit; empty when unknown.</returns>
    public static string Of(Assembly library, string pluginPath)
    {
        ArgumentNullException.ThrowIfNull(library);
        ArgumentNullException.ThrowIfNull(pluginPath);
        return s_found.GetOrAdd((library, pluginPath), key => Find(key.Library, key.PluginPath));
    }

    private static string Find(Assembly library, string pluginPath)
    {
        var name = library.GetName();
        var version =
            OfPackage(name.Name ?? "", pluginPath)
            ?? library.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
            ?? library.GetCustomAttribute<AssemblyFileVersionAttribute>()?.Version
            ?? name.Version?.ToString()
            ?? "";
        return version.Split('+')[0];
    }

    /// <remarks>Parses lines as the SDK writes them: a JSON library used here would already be warm when it is measured.</remarks>
    private static string? OfPackage(string library, string pluginPath)
    {
        if (pluginPath.Length == 0)
            return null;
        var file = Path.ChangeExtension(pluginPath, ".deps.json");
        if (!File.Exists(file))
            return null;
        string? version = null;
        foreach (
            var key in File.ReadLines(file)
                .Select(line => line.Trim())
                .Where(line => line.EndsWith("\": {", StringComparison.Ordinal))
                .Select(line => line.Split('"')[1].Split('/'))
        )
        {
            if (key[^1] == library + ".dll" && key.Length > 1)
                return version;
            if (key.Length == 2 && key[1].Length > 0 && char.IsDigit(key[1][0]))
                version = key[1];
        }

        return null;
    }
}
