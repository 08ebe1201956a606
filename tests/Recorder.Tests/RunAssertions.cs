using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Assertions about recorded runs that hold on a machine under any load.</summary>
internal static class RunAssertions
{
    /// <summary>
    /// CPU time of a run by context switches contains that of the measuring thread by its own clock, except for a part of each switch: 6 µs
    /// (20 µs on a loaded machine, docs/metrics.md); 50 µs are allowed. The part is larger if another virtual machine takes the processor
    /// during a switch, which happens in at most one of 1,000 switches. So one run of ten may exceed it: if each of 100 runs does with a
    /// probability of 1 %, eleven of them do once in 100 million times.
    /// </summary>
    public static void ContainThreadCpuTime(IReadOnlyCollection<JsonElement> runs)
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
    /// Compares two measures of CPU time: switches, and samples of 1 ms each. Time that another virtual machine takes is part of the time
    /// between switches but has no samples. So there may be fewer samples, and more only by chance.
    /// </summary>
    public static void SamplesAreWithinCpuTime(double samplesMs, double switchesMs) =>
        Assert.InRange(samplesMs, 1, switchesMs + (Chance.StandardErrors * Math.Sqrt(samplesMs)));

    private static double Number(JsonElement run, string key) => run.GetProperty(key).GetDouble();
}
