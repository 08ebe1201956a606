using System.Reflection;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Finds the serializer suite that ships beside esp-record.</summary>
internal static class BuiltInSuite
{
    /// <summary>Name of its assembly and of its executable.</summary>
    private const string Name = "esp-workload";

    private static readonly string s_folder = Path.Combine(AppContext.BaseDirectory, "workload");

    private static readonly string s_assembly = Path.Combine(s_folder, Name + ".dll");

    /// <summary>Folder of the .NET installation that runs this process.</summary>
    public static string DotNetRoot { get; } = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    /// <summary>Variables that let the suite's host find the runtime of this process, wherever it is installed.</summary>
    public static IReadOnlyDictionary<string, string?> Environment { get; } =
        new Dictionary<string, string?> { ["DOTNET_ROOT"] = DotNetRoot };

    /// <summary>
    /// The build beside esp-record. The portable package has no executable, so the dotnet command runs the assembly there.
    /// </summary>
    public static ShippedSuite Shipped { get; } =
        new(s_folder, Launch(Path.Combine(s_folder, OperatingSystem.IsWindows() ? Name + ".exe" : Name)), Environment);

    /// <summary>Its project in the source tree that esp-record was built from; the tree may no longer exist.</summary>
    public static WorkloadProject Project => s_project.Value;

    /// <summary>Found on first use: most commands publish nothing.</summary>
    private static readonly Lazy<WorkloadProject> s_project = new(() =>
        new WorkloadProject(
            Path.GetFullPath(Metadata("WorkloadProject")),
            Path.Combine(
                PublishFolder.Choose(Path.GetFullPath(Metadata("PublishedWorkloads"))),
                LeavesAdaptersOut ? "without-adapters" : ""
            ),
            Metadata(FeedsProperty) is { Length: > 0 } feeds
                ? [$"{FeedsProperty}={feeds.Replace(";", "%3B", StringComparison.Ordinal)}"]
                : []
        )
    );

    /// <summary>MSBuild property that adds feeds to those of NuGet.config.</summary>
    private const string FeedsProperty = "RestoreAdditionalProjectSources";

    /// <summary>
    /// Whether the builds leave the adapters out. MSBuild reads an environment variable as a property (Adapters.targets).
    /// </summary>
    private static bool LeavesAdaptersOut =>
        string.Equals(System.Environment.GetEnvironmentVariable("EspSkipAdapters"), "true", StringComparison.OrdinalIgnoreCase);

    /// <summary>The error for a missing suite; null when the suite is there.</summary>
    public static Problem? Missing =>
        File.Exists(s_assembly)
            ? null
            : new Problem("the built-in suite is missing", s_assembly, "build the solution, or record a program of your own after --");

    private static string[] Launch(string executable) =>
        File.Exists(executable)
            ? [executable]
            : [Path.Combine(DotNetRoot, OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"), s_assembly];

    private static string Metadata(string key) =>
        typeof(BuiltInSuite)
            .Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .FirstOrDefault(attribute => attribute.Key == key)
            ?.Value
        ?? "";
}
