using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Finds the serializer suite that ships beside esp-record.</summary>
internal static class BuiltInSuite
{
    /// <summary>Path of the suite's executable.</summary>
    public static string Executable { get; } =
        Path.Combine(AppContext.BaseDirectory, "workload", OperatingSystem.IsWindows() ? "esp-workload.exe" : "esp-workload");

    /// <summary>Lets the suite's host find the runtime this process runs on, wherever it is installed.</summary>
    public static IReadOnlyDictionary<string, string?> Environment { get; } = new Dictionary<string, string?>
    {
        ["DOTNET_ROOT"] = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")),
    };

    /// <summary>Says what to do when the suite is missing, else null.</summary>
    public static string? Missing => File.Exists(Executable) ? null : $"the built-in suite is missing ({Executable}): build the solution, or record a program of your own after --";
}
