using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Assertions about recorded runs that hold on a machine under any load.</summary>
internal static class RunFigures
{
    /// <summary>
    /// A run's CPU time by switches holds that of the measuring thread by its own clock, but for a part of each switch: 6 µs, on a loaded
    /// machine 20 (docs/metrics.md); 50 are allowed. If another virtual machine takes the processor in such a moment, once in 1,000
    /// switches or less often, it is more, and one run of ten may be affected: at a chance of 1 % for each of 100 runs, eleven are once in
    /// 100 million times.
    /// </summary>
    public static void AssertCpuTimeHoldsThatOfTheThread(IReadOnlyCollection<JsonElement> runs)
    {
        var shorter = runs.Where(run =>
                Number(run, "cpuMs")
                <= (Number(run, "threadCpuMs") * 0.98)
                    - 0.05
                    - (0.05 * (Number(run, "voluntarySwitches") + Number(run, "involuntarySwitches")))
            )
            .ToList();
        Assert.True(shorter.Count <= runs.Count / 10, $"{shorter.Count} of {runs.Count} runs: {string.Join('\n', shorter.Take(3))}");
    }

    /// <summary>
    /// Two measures of CPU time: switches, and samples of 1 ms each. Time that another virtual machine takes is in the switches and has no
    /// samples, so these can be fewer, and more only by chance.
    /// </summary>
    public static void AssertSamplesAreOfCpuTime(double samplesMs, double switchesMs) =>
        Assert.InRange(samplesMs, 1, switchesMs + (Chance.StandardErrors * Math.Sqrt(samplesMs)));

    private static double Number(JsonElement run, string key) => run.GetProperty(key).GetDouble();
}
