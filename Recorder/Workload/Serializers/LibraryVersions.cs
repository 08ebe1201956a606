using System.Collections.Concurrent;
using System.Reflection;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The version of a library that its users know it by.</summary>
public static class LibraryVersions
{
    /// <summary>What was found: every run asks.</summary>
    private static readonly ConcurrentDictionary<(Assembly Library, string PluginPath), string> s_found = new();

    /// <summary>
    /// The version of the package that a plugin has the library from, by the plugin's deps.json; without one the library's informational version, then its file version, then its assembly's
    /// version. Packages of a new version often keep the older numbers inside (Google.FlatBuffers 25.2.10 says 1.0.0).
    /// </summary>
    /// <param name="library">The library.</param>
    /// <param name="pluginPath">Path of the plugin that uses it, empty for none.</param>
    /// <returns>The version without the commit; empty when there is none.</returns>
    public static string Of(Assembly library, string pluginPath)
    {
        ArgumentNullException.ThrowIfNull(library);
        ArgumentNullException.ThrowIfNull(pluginPath);
        return s_found.GetOrAdd((library, pluginPath), key => Find(key.Library, key.PluginPath));
    }

    private static string Find(Assembly library, string pluginPath)
    {
        var name = library.GetName();
        var version = OfPackage(name.Name ?? "", pluginPath)
            ?? library.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
            ?? library.GetCustomAttribute<AssemblyFileVersionAttribute>()?.Version
            ?? name.Version?.ToString()
            ?? "";
        return version.Split('+')[0];
    }

    /// <remarks>By lines, as the SDK writes the file: a JSON library that read it here would be warm when it is measured.</remarks>
    private static string? OfPackage(string library, string pluginPath)
    {
        if (pluginPath.Length == 0)
            return null;
        var file = Path.ChangeExtension(pluginPath, ".deps.json");
        if (!File.Exists(file))
            return null;
        string? version = null;
        foreach (var key in File.ReadLines(file).Select(line => line.Trim()).Where(line => line.EndsWith("\": {", StringComparison.Ordinal)).Select(line => line.Split('"')[1].Split('/')))
        {
            if (key[^1] == library + ".dll" && key.Length > 1)
                return version;
            if (key.Length == 2 && key[1].Length > 0 && char.IsDigit(key[1][0]))
                version = key[1];
        }

        return null;
    }
}
