using System.Reflection;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Finds the serializer suite that ships beside esp-record.</summary>
internal static class BuiltInSuite
{
    /// <summary>Name of its assembly, and of its executable.</summary>
    private const string Name = "esp-workload";

    private static readonly string s_folder = Path.Combine(AppContext.BaseDirectory, "workload");

    private static readonly string s_assembly = Path.Combine(s_folder, Name + ".dll");

    /// <summary>Folder the runtime of this process is installed in.</summary>
    public static string DotNetRoot { get; } = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    /// <summary>Lets the suite's host find the runtime this process runs on, wherever it is installed.</summary>
    public static IReadOnlyDictionary<string, string?> Environment { get; } = new Dictionary<string, string?>
    {
        ["DOTNET_ROOT"] = DotNetRoot,
    };

    /// <summary>The build that lies beside esp-record. A package for every system has no executable of one of them: there the dotnet command runs the assembly.</summary>
    public static ShippedSuite Shipped { get; } = new(s_folder, Launch(Path.Combine(s_folder, OperatingSystem.IsWindows() ? Name + ".exe" : Name)), Environment);

    /// <summary>Its project in the source tree that esp-record was built from, which need not be there.</summary>
    public static WorkloadProject Project => s_project.Value;

    /// <summary>Found when first asked for: most commands publish nothing.</summary>
    private static readonly Lazy<WorkloadProject> s_project = new(() => new WorkloadProject(
        Path.GetFullPath(Metadata("WorkloadProject")),
        Path.Combine(PublishFolder.Choose(Path.GetFullPath(Metadata("PublishedWorkloads"))), LeavesAdaptersOut ? "without-adapters" : ""),
        Metadata(FeedsProperty) is { Length: > 0 } feeds ? [$"{FeedsProperty}={feeds.Replace(";", "%3B", StringComparison.Ordinal)}"] : []));

    /// <summary>MSBuild property with feeds beside those of NuGet.config.</summary>
    private const string FeedsProperty = "RestoreAdditionalProjectSources";

    /// <summary>Whether the builds leave the adapters out: MSBuild takes a variable for a property (Adapters.targets).</summary>
    private static bool LeavesAdaptersOut => string.Equals(System.Environment.GetEnvironmentVariable("EspSkipAdapters"), "true", StringComparison.OrdinalIgnoreCase);

    /// <summary>Says what to do when the suite is missing, else null.</summary>
    public static Problem? Missing => File.Exists(s_assembly) ? null : new Problem("the built-in suite is missing", s_assembly, "build the solution, or record a program of your own after --");

    private static string[] Launch(string executable) =>
        File.Exists(executable) ? [executable] : [Path.Combine(DotNetRoot, OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"), s_assembly];

    private static string Metadata(string key) =>
        typeof(BuiltInSuite).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().FirstOrDefault(attribute => attribute.Key == key)?.Value ?? "";
}
