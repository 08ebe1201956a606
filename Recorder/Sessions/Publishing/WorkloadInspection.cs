using System.Text.Json;
using EtwSerializerProfiler.Traces.Assemblies;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Inspects a build of the suite on disk, so that recording.json describes the actual build.</summary>
public static class WorkloadInspection
{
    /// <summary>The suite's own file name without extension.</summary>
    private const string Suite = "esp-workload";

    /// <summary>Describes a build.</summary>
    /// <param name="plan">How the build is started.</param>
    /// <param name="environment">Environment of the build's process.</param>
    /// <exception cref="IOException">Its files cannot be read.</exception>
    public static RecordedWorkload Describe(PublishPlan plan, IReadOnlyDictionary<string, string> environment)
    {
        ArgumentNullException.ThrowIfNull(plan);
        if (plan.Target.Kind == RuntimeKind.NativeAot)
        {
            // One program, whose settings are compiled in: no assembly and no runtimeconfig.json is beside it.
            return new RecordedWorkload(
                plan.Target.TargetFramework,
                $".NET NativeAOT {plan.Target.Major}",
                SelfContained: true,
                ReadyToRun: false,
                [],
                RuntimeKnobs.OfNativeAot(environment)
            );
        }

        var configuration = ReadIfThere(Path.Combine(plan.OutputFolder, $"{Suite}.runtimeconfig.json"));
        var runtime =
            plan.Mono is { } mono ? $"Mono {mono.Version}"
            : plan.HasEventPipe ? $".NET {plan.Target.Major}"
            : ".NET Framework";
        var knobs = plan.Mono is { } used ? RuntimeKnobs.OfMono(used, environment) : RuntimeKnobs.OfModern(configuration, environment);
        var assembly = Path.Combine(plan.OutputFolder, plan.HasEventPipe ? $"{Suite}.dll" : $"{Suite}.exe");
        return new RecordedWorkload(
            plan.Target.TargetFramework,
            runtime,
            IsSelfContained(configuration),
            AssemblyFileReader.Read(assembly).Code == AssemblyCode.ReadyToRun,
            [
                .. Directory
                    .EnumerateFiles(plan.OutputFolder, "*", SearchOption.AllDirectories)
                    .Where(IsAssembly)
                    .Where(file => AssemblyFileReader.Read(file).Code == AssemblyCode.Il)
                    .Select(file => Path.GetFileNameWithoutExtension(file))
                    .Distinct()
                    .Order(),
            ],
            knobs
        );
    }

    private static bool IsAssembly(string file) => Path.GetExtension(file) is ".dll" or ".exe";

    private static string ReadIfThere(string file) => File.Exists(file) ? File.ReadAllText(file) : "";

    /// <summary>
    /// A self-contained program lists the frameworks that it includes; any other program lists the framework that it needs.
    /// </summary>
    private static bool IsSelfContained(string configuration)
    {
        if (configuration.Length == 0)
            return false;
        using var document = JsonDocument.Parse(configuration);
        return document.RootElement.TryGetProperty("runtimeOptions", out var options)
            && options.TryGetProperty("includedFrameworks", out _);
    }
}
