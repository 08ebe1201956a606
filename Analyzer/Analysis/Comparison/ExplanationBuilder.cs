using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Breaks down the difference of two sides.</summary>
/// <remarks>
/// The wall time of a run on one thread consists of its thread's time on a processor, waiting and ready. Samples divide the time on a
/// processor, each with one cause (<see cref="CauseAttribution"/>); unsampled time is part of the rest. A part's error is that of its
/// sample count: n ± √n. All values are per operation, which equals a run except for iterations of BenchmarkDotNet.
/// </remarks>
internal static class ExplanationBuilder
{
    private const string OwnCode = "Own code";

    /// <summary>Explains the difference; null when the sides did not record enough.</summary>
    /// <param name="baseline">Compared runs of base.</param>
    /// <param name="other">Compared runs of the other side.</param>
    public static Explanation? Explain(IReadOnlyList<Run> baseline, IReadOnlyList<Run> other)
    {
        if (baseline.Count == 0 || other.Count == 0)
            return null;
        var hasCauses = Both(run => run.Causes is not null);
        var isCpu = baseline[0].Identity.ThreadCount > 1 || baseline[0].Delimiter == RunDelimiter.WholeProcess;
        if (isCpu && !(hasCauses && Both(run => run.CpuMs is not null)))
            return null;

        var parts = new List<ExplainedPart>();
        if (hasCauses)
        {
            parts.Add(Part(OwnCode, times => times.Own, cause => cause < 0));
            foreach (var group in CauseCatalog.All.Select(cause => cause.Group).Distinct())
                parts.Add(Part(group, times => times.Group(group), cause => cause >= 0 && CauseCatalog.All[cause].Group == group));
            parts.Add(Part("Outside the serializer", times => times.Harness + times.Broken));
            if (isCpu)
            {
                parts.Add(Part("GC threads", times => times.GcThreads));
                parts.Add(Part("JIT threads", times => times.JitThreads));
                parts.Add(Part("Other threads", times => times.OtherThreads));
            }
        }
        else if (Both(run => run.PauseTotalMs is not null))
        {
            parts.Add(
                new ExplainedPart(
                    "GC pauses",
                    Mean(baseline, run => run.PauseTotalMs!.Value),
                    Mean(other, run => run.PauseTotalMs!.Value),
                    0
                )
            );
        }

        if (!isCpu && Both(run => run.Measuring is not null))
        {
            parts.Add(
                new ExplainedPart("Waiting", Mean(baseline, run => run.Measuring!.WaitMs), Mean(other, run => run.Measuring!.WaitMs), 0)
            );
            parts.Add(
                new ExplainedPart(
                    "Ready, without a processor",
                    Mean(baseline, run => run.Measuring!.ReadyMs),
                    Mean(other, run => run.Measuring!.ReadyMs),
                    0
                )
            );
        }

        if (parts.Count == 0)
            return null;
        return new Explanation
        {
            IsCpuTime = isCpu,
            HasCauses = hasCauses,
            BaselineMs = Mean(baseline, Whole),
            OtherMs = Mean(other, Whole),
            Parts =
            [
                .. parts
                    .Where(part => part.BaselineMs > 0 || part.OtherMs > 0)
                    .OrderByDescending(part => Math.Abs(part.DifferenceMs))
                    .ThenBy(part => part.Name, StringComparer.Ordinal),
            ],
        };

        double Whole(Run run) => isCpu ? run.CpuMs!.Value : run.WallMs;

        bool Both(Func<Run, bool> holds) => baseline.All(holds) && other.All(holds);

        ExplainedPart Part(string name, Func<CauseTimes, long> ticks, Func<int, bool>? causes = null)
        {
            var (from, fromError) = Sampled(baseline, ticks);
            var (to, toError) = Sampled(other, ticks);
            return new ExplainedPart(name, from, to, Math.Sqrt((fromError * fromError) + (toError * toError)))
            {
                Methods = causes is null ? [] : Methods(baseline, other, causes),
            };
        }
    }

    private static List<ExplainedMethod> Methods(IReadOnlyList<Run> baseline, IReadOnlyList<Run> other, Func<int, bool> causes)
    {
        var from = TicksByMethod(baseline, causes);
        var to = TicksByMethod(other, causes);
        return
        [
            .. from
                .Keys.Union(to.Keys)
                .Select(Method)
                .OrderByDescending(method => Math.Abs(method.DifferenceMs))
                .ThenBy(method => method.Method.Name, StringComparer.Ordinal),
        ];

        ExplainedMethod Method(MethodName method)
        {
            var (fromMs, fromError) = Estimate(from.GetValueOrDefault(method), baseline);
            var (toMs, toError) = Estimate(to.GetValueOrDefault(method), other);
            return new ExplainedMethod(method, fromMs, toMs, Math.Sqrt((fromError * fromError) + (toError * toError)));
        }
    }

    private static Dictionary<MethodName, double> TicksByMethod(IReadOnlyList<Run> runs, Func<int, bool> causes)
    {
        var sums = new Dictionary<MethodName, double>();
        foreach (var times in runs.Select(run => run.Causes!))
        {
            foreach (var (key, ticks) in times.Methods ?? new Dictionary<CauseMethod, long>())
            {
                if (causes(key.Cause))
                    sums[key.Method] = sums.GetValueOrDefault(key.Method) + times.ToMilliseconds(ticks);
            }
        }

        return sums;
    }

    private static (double Ms, double Error) Sampled(IReadOnlyList<Run> runs, Func<CauseTimes, long> ticks) =>
        Estimate(runs.Sum(run => run.Causes!.ToMilliseconds(ticks(run.Causes))), runs);

    /// <summary>Mean of a sampled time and its standard error: n samples represent n ± √n.</summary>
    private static (double Ms, double Error) Estimate(double sumMs, IReadOnlyList<Run> runs)
    {
        double samples = runs.Sum(run => run.Samples?.Count ?? 0),
            sampledMs = runs.Sum(run => run.Samples?.CpuMs ?? 0);
        var period = samples > 0 ? sampledMs / samples : 0;
        var operations = (double)runs.Sum(run => run.Operations);
        return (sumMs / operations, Math.Sqrt(sumMs * period) / operations);
    }

    private static double Mean(IReadOnlyList<Run> runs, Func<Run, double> value) => runs.Sum(value) / runs.Sum(run => run.Operations);
}
