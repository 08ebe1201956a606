using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The builds that <c>--runtime</c> and <c>--precompile</c> require on a machine.</summary>
/// <param name="Builds">The builds to record, in the requested order.</param>
/// <param name="Problems">What cannot be recorded here, with the fix.</param>
/// <param name="Notes">Deviations from the request, a line each.</param>
public sealed record RuntimePlan(IReadOnlyList<PublishPlan> Builds, IReadOnlyList<Problem> Problems, IReadOnlyList<string> Notes)
{
    /// <summary>Name of the folder with the published suite in the build's folder.</summary>
    private const string OutputName = "app";

    /// <summary>Why NativeAOT cannot publish.</summary>
    internal const string NoLinker = "NativeAOT needs a linker, and neither clang nor gcc is on the path";

    /// <summary>How to get one.</summary>
    internal const string InstallLinker = "apt-get install gcc, or clang";

    /// <summary>Creates the plan.</summary>
    /// <param name="targets">The runtimes.</param>
    /// <param name="precompile">Which variants to record of each runtime.</param>
    /// <param name="machine">The machine.</param>
    /// <param name="project">The suite's project.</param>
    /// <param name="shipped">The build beside esp-record: its folder, its executable and its variables.</param>
    public static RuntimePlan Create(
        IReadOnlyList<RuntimeTarget> targets,
        PrecompileMode precompile,
        RuntimeMachine machine,
        WorkloadProject project,
        ShippedSuite shipped
    )
    {
        ArgumentNullException.ThrowIfNull(targets);
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(project);
        ArgumentNullException.ThrowIfNull(shipped);
        var builds = new List<PublishPlan>();
        var problems = new List<Problem>();
        var notes = new List<string>();
        var canPublish = project.CanBePublished(machine, out var problem);
        foreach (var target in targets)
        {
            foreach (var readyToRun in Sides(target, precompile, notes))
            {
                if (target == RuntimeTarget.Net10 && !readyToRun)
                    builds.Add(OfShipped(shipped));
                else if (!canPublish)
                    problems.Add(problem! with { Where = $"{Label(target, readyToRun)}: {problem.Where}" });
                else if (target.Kind == RuntimeKind.Modern)
                    builds.Add(Modern(target, readyToRun, machine, project));
                else if (target.Kind == RuntimeKind.NativeAot && !machine.IsWindows && machine.Linker is null)
                    problems.Add(new Problem(NoLinker, target.Name, InstallLinker));
                else if (target.Kind == RuntimeKind.NativeAot)
                    builds.Add(NativeAot(target, machine, project));
                else if (target.Kind == RuntimeKind.Framework && machine.IsWindows)
                    builds.Add(Framework(project, machine));
                else if (machine.Mono is null)
                    problems.Add(
                        new Problem(
                            $"{(target.Kind == RuntimeKind.Framework ? ".NET Framework runs on Windows only, and " : "")}mono is not on the path",
                            target.Name,
                            MonoInstallation.Install(machine.IsWindows)
                        )
                    );
                else
                    AddMono(target, machine, project, builds, notes);
            }
        }

        return new RuntimePlan(builds, [.. problems.Distinct()], [.. notes.Distinct()]);
    }

    /// <summary>How to start the build beside esp-record.</summary>
    /// <param name="shipped">The build.</param>
    public static PublishPlan OfShipped(ShippedSuite shipped)
    {
        ArgumentNullException.ThrowIfNull(shipped);
        return new PublishPlan(
            RuntimeTarget.Net10,
            ReadyToRun: false,
            RuntimeTarget.Net10.Name,
            "the build beside esp-record: nothing to publish"
        )
        {
            OutputFolder = shipped.Folder,
            Launch = shipped.Launch,
            Environment = shipped.Environment,
        };
    }

    /// <summary>The variants of a runtime: false for JIT-compiled, true for precompiled.</summary>
    private static IEnumerable<bool> Sides(RuntimeTarget target, PrecompileMode precompile, List<string> notes)
    {
        if (target.Kind != RuntimeKind.Modern && precompile != PrecompileMode.Off)
        {
            notes.Add(
                target.Kind == RuntimeKind.NativeAot
                    ? $"{target.Name} is compiled ahead of time as a whole: --precompile does not apply"
                    : $"{target.Name} has no ReadyToRun code: it is recorded with JIT-compiled code"
            );
            return [false];
        }

        return precompile switch
        {
            PrecompileMode.On => [true],
            PrecompileMode.Both => [false, true],
            _ => [false],
        };
    }

    private static string Label(RuntimeTarget target, bool readyToRun) => readyToRun ? $"{target.Name} R2R" : target.Name;

    private static PublishPlan Modern(RuntimeTarget target, bool readyToRun, RuntimeMachine machine, WorkloadProject project)
    {
        var installed = InstalledRuntimes.Newest(machine.Runtimes, target.Major);
        var reason = installed is null
            ? $"self-contained: no .NET {target.Major} runtime is installed ({(machine.Runtimes.Count == 0 ? "none at all" : string.Join(", ", machine.Runtimes))})"
            : $"framework-dependent: .NET {installed} is installed";
        var selfContained = installed is null;
        var label = Label(target, readyToRun);
        string[] specific =
        [
            "-r",
            machine.RuntimeIdentifier,
            "--self-contained",
            selfContained ? "true" : "false",
            .. readyToRun ? ["-p:PublishReadyToRun=true"] : Array.Empty<string>(),
        ];
        var plan = Published(
            target,
            readyToRun,
            label,
            readyToRun ? $"{reason}; precompiled (ReadyToRun)" : reason,
            specific,
            machine,
            project
        );
        var executable = Path.Combine(plan.OutputFolder, machine.IsWindows ? "esp-workload.exe" : "esp-workload");
        return plan with
        {
            Launch = [executable],
            Environment = selfContained
                ? plan.Environment
                : new Dictionary<string, string?>
                {
                    ["DOTNET_ROOT"] = Path.GetDirectoryName(machine.DotNet),
                    ["DOTNET_ROLL_FORWARD"] = "Minor", // the default, so that a setting of the user does not replace the requested runtime
                },
        };
    }

    private static PublishPlan NativeAot(RuntimeTarget target, RuntimeMachine machine, WorkloadProject project)
    {
        string[] specific =
        [
            "-r",
            machine.RuntimeIdentifier,
            "--self-contained",
            "true",
            "-p:SuiteNativeAot=true",
            .. machine.IsWindows ? Array.Empty<string>() : [$"-p:CppCompilerAndLinker={machine.Linker}"],
        ];
        var plan = Published(
            target,
            readyToRun: false,
            target.Name,
            "compiled ahead of time into one program (NativeAOT), with its adapters",
            specific,
            machine,
            project
        );
        return plan with { Launch = [Path.Combine(plan.OutputFolder, machine.IsWindows ? "esp-workload.exe" : "esp-workload")] };
    }

    private static PublishPlan Framework(WorkloadProject project, RuntimeMachine machine)
    {
        var plan = Published(
            RuntimeTarget.Net472,
            readyToRun: false,
            RuntimeTarget.Net472.Name,
            "runs on this system's .NET Framework (never tried)",
            [],
            machine,
            project
        );
        return plan with { Launch = [Path.Combine(plan.OutputFolder, "esp-workload.exe")] };
    }

    private static void AddMono(
        RuntimeTarget target,
        RuntimeMachine machine,
        WorkloadProject project,
        List<PublishPlan> builds,
        List<string> notes
    )
    {
        if (target.Kind == RuntimeKind.Framework)
            notes.Add($"{target.Name}: .NET Framework runs on Windows only, so the suite runs on Mono");
        if (builds.Any(build => build.Target == RuntimeTarget.Mono))
            return;
        var mono = machine.Mono!;
        var plan = Published(
            RuntimeTarget.Mono,
            readyToRun: false,
            RuntimeTarget.Mono.Name,
            $"build for {RuntimeTarget.Mono.TargetFramework}, run by Mono {mono.Version}",
            [],
            machine,
            project
        );
        var facades = mono.HasFacades ? "" : Path.Combine(plan.BuildFolder, "facades");
        builds.Add(
            plan with
            {
                Launch = [mono.Program, Path.Combine(plan.OutputFolder, "esp-workload.exe")],
                Mono = mono,
                FacadesFolder = facades,
            }
        );
    }

    private static PublishPlan Published(
        RuntimeTarget target,
        bool readyToRun,
        string label,
        string reason,
        IEnumerable<string> specific,
        RuntimeMachine machine,
        WorkloadProject project
    )
    {
        var plan = new PublishPlan(target, readyToRun, label, reason) { OutputFolder = "", Launch = [] };
        var folder = Path.Combine(project.CacheFolder, plan.FolderName);
        var output = Path.Combine(folder, OutputName);
        return plan with
        {
            // Only one framework, so that requirements of others cannot fail the build. A separate folder for intermediate files leaves
            // those of the normal build unchanged.
            Command =
            [
                machine.DotNet,
                "publish",
                project.File,
                "-c",
                "Release",
                "-f",
                target.TargetFramework,
                $"-p:TargetFrameworks={target.TargetFramework}",
                .. specific,
                "--artifacts-path",
                folder,
                "-o",
                output,
                "-p:RunAnalyzers=false",
                "-p:TreatWarningsAsErrors=false",
                "-p:NuGetAudit=false", // the normal build checks style and package audits
                .. project.Properties.Select(property => $"-p:{property}"),
                "--nologo",
                "-v:minimal",
                "--disable-build-servers", // no process of the build may continue during the measurement
            ],
            BuildFolder = folder,
            OutputFolder = output,
        };
    }
}
