using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>Finds out which runtimes can run the suite here.</summary>
public static class RuntimeChecks
{
    /// <summary>Returns one check per runtime.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="project">The suite's project.</param>
    public static IReadOnlyList<MachineCheck> Of(RuntimeMachine machine, WorkloadProject project)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(project);
        return [.. RuntimeTarget.All.Where(target => target != RuntimeTarget.Net10).Select(target => Check(target, machine, project))];
    }

    private static MachineCheck Check(RuntimeTarget target, RuntimeMachine machine, WorkloadProject project)
    {
        var subject = $"--runtime {target.Name}";
        if (
            target.Kind is RuntimeKind.Framework or RuntimeKind.Mono
            && !(target.Kind == RuntimeKind.Framework && machine.IsWindows)
            && machine.Mono is null
        )
            return new MachineCheck(subject, Verdict.No, "mono is not on the path", MonoInstallation.Install(machine.IsWindows));
        if (!project.CanBePublished(machine, out var problem))
            return new MachineCheck(subject, Verdict.No, $"{problem!.What} ({problem.Where})", problem.Fix);
        if (target.Kind == RuntimeKind.NativeAot)
        {
            return machine.Linker is null && !machine.IsWindows
                ? new MachineCheck(subject, Verdict.No, RuntimePlan.NoLinker, RuntimePlan.InstallLinker)
                : new MachineCheck(
                    subject,
                    Verdict.Yes,
                    $"published when first used: NuGet then restores the compiler (ILCompiler), and {(machine.IsWindows ? "Visual C++" : machine.Linker)} links"
                );
        }

        if (target.Kind == RuntimeKind.Modern)
        {
            return InstalledRuntimes.Newest(machine.Runtimes, target.Major) is { } installed
                ? new MachineCheck(subject, Verdict.Yes, $".NET {installed} is installed; published when first used")
                : new MachineCheck(
                    subject,
                    Verdict.Yes,
                    $"self-contained, published when first used: NuGet then restores a runtime of .NET {target.Major}"
                );
        }

        if (machine.Mono is not { } mono || (target.Kind == RuntimeKind.Framework && machine.IsWindows))
            return new MachineCheck(
                subject,
                Verdict.Partly,
                "runs on .NET Framework (never tried), without runtime events: times and the program's own counters only"
            );
        var facades = mono.HasFacades ? "" : ", facades are generated from the reference assemblies at publishing";
        return new MachineCheck(
            subject,
            Verdict.Partly,
            $"Mono {mono.Version}{facades}; no runtime events: times, CPU and the program's own counters only"
        );
    }
}
