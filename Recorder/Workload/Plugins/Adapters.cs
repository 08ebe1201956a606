namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>
/// The adapters beside the suite: <c>adapters/NAME/EtwSerializerProfiler.Adapters.NAME.dll</c>, each with its package's files. An adapter
/// whose package could not be restored is missing; the file <c>adapters/left-out.txt</c> has the reason. NativeAOT links the assemblies
/// into the suite; the folders then only have the versions of the packages (deps.json).
/// </summary>
public static class Adapters
{
    /// <summary>Folder of the adapters, beside the suite.</summary>
    public const string FolderName = "adapters";

    /// <summary>Prefix of the adapters' assembly names.</summary>
    public const string AssemblyPrefix = "EtwSerializerProfiler.Adapters.";

    private const string LeftOutFile = "left-out.txt";

    private static readonly Lazy<IReadOnlyList<LeftOutSerializer>> s_leftOut = new(() =>
        ReadLeftOut(Path.Combine(AppContext.BaseDirectory, FolderName))
    );

    private static readonly Lazy<IReadOnlyList<Plugin>> s_all = new(() => Find(Path.Combine(AppContext.BaseDirectory, FolderName)));

    /// <summary>The adapters of this suite by name.</summary>
    public static IReadOnlyList<Plugin> All => s_all.Value;

    /// <summary>The serializers that the build of this suite left out.</summary>
    public static IReadOnlyList<LeftOutSerializer> LeftOut => s_leftOut.Value;

    /// <summary>
    /// The serializers left out of a folder, as the build (Adapters.targets) lists them: a line each with name, tab and reason. Empty
    /// without the file.
    /// </summary>
    public static IReadOnlyList<LeftOutSerializer> ReadLeftOut(string folder)
    {
        var path = Path.Combine(folder, LeftOutFile);
        if (!File.Exists(path))
            return [];
        return
        [
            .. File.ReadLines(path)
                .Select(line => line.Split('\t'))
                .Where(parts => parts.Length == 2)
                .Select(parts => new LeftOutSerializer(parts[0], parts[1])),
        ];
    }

    /// <summary>The adapters in a folder by name; empty when the folder does not exist.</summary>
    public static IReadOnlyList<Plugin> Find(string folder)
    {
        if (!Directory.Exists(folder))
            return [];
        return
        [
            .. Directory
                .EnumerateDirectories(folder)
                .Select(adapter => Path.Combine(adapter, AssemblyPrefix + Path.GetFileName(adapter) + ".dll"))
                .Where(file => SuiteRuntime.IsNativeAot || File.Exists(file))
                .OrderBy(file => file, StringComparer.OrdinalIgnoreCase)
                .Select(file => new Plugin(file)),
        ];
    }
}
