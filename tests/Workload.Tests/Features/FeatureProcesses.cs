using System.Runtime.InteropServices;
using EtwSerializerProfiler.Workload.Features;
using EtwSerializerProfiler.Workload.Features.Processes;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Features;

/// <summary>
/// Tries features in processes of the real executable, as the build put it beside the tests. None of them hangs, however slow the machine.
/// </summary>
internal static class FeatureProcesses
{
    private static readonly string s_dotnet = Path.GetFullPath(
        Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet")
    );

    public static IReadOnlyList<FeatureRow> Run(IReadOnlyList<SerializerDescription> serializers, params string[] keys)
    {
        var processes = new ChildProcess(s_dotnet, [Path.Combine(AppContext.BaseDirectory, "esp-workload.dll")], Wait.Limit);
        return new FeatureRunner(processes, Wait.Limit).Run(
            serializers,
            [FeatureRegistry.Plainest, .. keys.Select(FeatureRegistry.Of)],
            TestContext.Current.CancellationToken
        );
    }
}
