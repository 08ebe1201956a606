using System.Reflection;
#if NET
using System.Runtime.Loader;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
#endif

namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>
/// Loads plugins. On .NET each has its own load context, so that they can use different versions of a library; they share the contract and
/// the suite's data. On .NET Framework and Mono the loader uses Assembly.LoadFrom, which searches for libraries beside the plugin.
/// </summary>
internal static class PluginLoader
{
    /// <summary>Loaded assemblies by absolute path, because an assembly with data and serializers must not be loaded twice.</summary>
    private static readonly Dictionary<string, Assembly> s_loaded = new(StringComparer.Ordinal);

#if !NET
    /// <summary>
    /// .NET Framework requires the exact version that a library was compiled against, and only the program's own libraries have binding
    /// redirects. Libraries not found that way are loaded from beside the requesting plugin, or else from the suite, in any version.
    /// </summary>
    static PluginLoader() =>
        AppDomain.CurrentDomain.AssemblyResolve += (_, request) =>
        {
            var name = new AssemblyName(request.Name).Name;
            var folders = (string?[])
                [
                    request.RequestingAssembly is { IsDynamic: false } asking ? Path.GetDirectoryName(asking.Location) : null,
                    AppContext.BaseDirectory,
                ];
            return folders.OfType<string>().Select(folder => Path.Combine(folder, name + ".dll")).FirstOrDefault(File.Exists) is { } file
                ? Assembly.LoadFrom(file)
                : null;
        };
#endif

    /// <summary>Loads a plugin once.</summary>
    /// <param name="path">Its absolute path.</param>
    /// <exception cref="PluginException">The file is missing or not an assembly.</exception>
    public static Assembly Load(string path)
    {
        lock (s_loaded)
        {
            if (!s_loaded.TryGetValue(path, out var assembly))
                s_loaded.Add(path, assembly = LoadFile(path));
            return assembly;
        }
    }

    private static Assembly LoadFile(string path)
    {
        if (SuiteRuntime.IsNativeAot)
            return Linked(path);
        if (!File.Exists(path))
            throw new PluginException($"{path}: the file does not exist; name the assembly (.dll) with your serializer or data");
        try
        {
#if NET
            return new Context(path).LoadFromAssemblyPath(path);
#else
            return Assembly.LoadFrom(path);
#endif
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException)
        {
            throw new PluginException($"{path}: {FirstLine.Of(exception)}", exception);
        }
    }

    /// <summary>An adapter that was compiled into this program, which can load no files.</summary>
    private static Assembly Linked(string path)
    {
        var name = Path.GetFileNameWithoutExtension(path);
        if (!name.StartsWith(Adapters.AssemblyPrefix, StringComparison.Ordinal))
            throw new PluginException(
                $"{path}: a suite compiled by NativeAOT loads no assemblies; record serializers and data of your own on another runtime"
            );
        try
        {
            return Assembly.Load(name);
        }
        catch (IOException exception)
        {
            throw new PluginException($"{path}: {FirstLine.Of(exception)}", exception);
        }
    }

    /// <summary>Loads a library of a plugin by its simple name.</summary>
    /// <exception cref="PluginException">The library cannot be loaded.</exception>
    public static Assembly Load(Assembly plugin, string name)
    {
        try
        {
#if NET
            return SuiteRuntime.IsNativeAot
                ? Assembly.Load(name)
                : AssemblyLoadContext.GetLoadContext(plugin)!.LoadFromAssemblyName(new AssemblyName(name));
#else
            var beside = Path.Combine(Path.GetDirectoryName(plugin.Location)!, name + ".dll");
            return File.Exists(beside) ? Assembly.LoadFrom(beside) : Assembly.Load(name);
#endif
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException)
        {
            throw new PluginException($"{plugin.Location}: its library {name} cannot be loaded: {FirstLine.Of(exception)}", exception);
        }
    }

#if NET
    private sealed class Context(string path) : AssemblyLoadContext(Path.GetFileNameWithoutExtension(path))
    {
        private readonly AssemblyDependencyResolver _resolver = new(path);

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            // Shared assemblies have one identity for both sides; null leaves them to the suite's own context.
            if (
                assemblyName.Name == typeof(Serializer).Assembly.GetName().Name
                || assemblyName.Name == typeof(BookShelf).Assembly.GetName().Name
            )
                return null;
            return _resolver.ResolveAssemblyToPath(assemblyName) is { } file ? LoadFromAssemblyPath(file) : PluginOfName(assemblyName.Name);
        }

        /// <summary>
        /// Lets a library that looks up a graph's type by name, or emits code for it, find the user's data in another plugin.
        /// </summary>
        private static Assembly? PluginOfName(string? name)
        {
            lock (s_loaded)
                return s_loaded.Values.FirstOrDefault(plugin => plugin.GetName().Name == name);
        }

        protected override nint LoadUnmanagedDll(string unmanagedDllName) =>
            _resolver.ResolveUnmanagedDllToPath(unmanagedDllName) is { } file ? LoadUnmanagedDllFromPath(file) : 0;
    }
#endif
}
