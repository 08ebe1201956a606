using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;
using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.BenchmarkDotNet;

/// <summary>Warns before the run of what cannot be recorded, with the reason and the fix. Benchmarks run in any case.</summary>
internal static class ProfileValidation
{
    /// <summary>Checks the benchmarks and the machine.</summary>
    public static IEnumerable<ValidationError> Check(IEnumerable<BenchmarkCase> benchmarks, SerializerProfileOptions options)
    {
        var recorded = false;
        foreach (var benchmark in benchmarks)
        {
            if (WhyNot(benchmark) is { } reason)
                yield return new ValidationError(
                    false,
                    $"{SerializerProfileDiagnoser.Id}: {benchmark.DisplayInfo} is not recorded: {reason}",
                    benchmark
                );
            else
                recorded = true;
        }

        if (recorded && PlanKernel(options, out var missing) is null && missing is not null)
            yield return new ValidationError(false, $"{SerializerProfileDiagnoser.Id}: {missing}");
    }

    /// <summary>Why a benchmark cannot be recorded, and what to do; null when it can.</summary>
    public static string? WhyNot(BenchmarkCase benchmark)
    {
        if (benchmark.Job.Infrastructure.TryGetToolchain(out var toolchain) && toolchain.IsInProcess)
            return "its toolchain runs it inside BenchmarkDotNet's own process; use the default toolchain, which starts a process for each benchmark";
        return benchmark.Job.ResolveValue(EnvironmentMode.RuntimeCharacteristic, EnvironmentResolver.Instance) switch
        {
            ClrRuntime => ".NET Framework has no EventPipe; use a job of .NET 8 or later, or record by ETW with esp-record on Windows",
            MonoRuntime =>
                "Mono has no EventPipe; use a job of .NET 8 or later, or record a program of your own with esp-record -- mono PROGRAM",
            CoreRuntime or NativeAotRuntime or null => null,
            var other => $"{other.Name} cannot be recorded; use a job of .NET 8 or later",
        };
    }

    /// <summary>Plans the kernel session.</summary>
    /// <param name="options">What is to be recorded.</param>
    /// <param name="missing">Why there is no kernel session although the options ask for one; else null.</param>
    public static PerfEventPlan? PlanKernel(SerializerProfileOptions options, out string? missing)
    {
        missing = null;
        if (!options.KernelEvents)
            return null;
        if (!OperatingSystem.IsLinux())
        {
            missing = "CPU time and its causes are recorded on Linux only, so their columns read NA here";
            return null;
        }

        try
        {
            return PerfEventPlan.Create(PerfEventScope.Attach, options.SampleRateHz);
        }
        catch (PerfEventException exception)
        {
            missing = $"CPU time and its causes are not recorded, so their columns read NA: {exception.Message}";
            return null;
        }
    }
}
