using EtwSerializerProfiler.Analysis.Growth;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class GrowthLawTests
{
    [Fact]
    public void Exponents_are_those_of_the_times_and_bytes()
    {
        var rows = Rows([10, 100, 1000], objects => 10.0 * objects * objects);

        var (growth, allocation) = (GrowthLaw.OfTime(rows)!, GrowthLaw.OfAllocation(rows)!);
        Assert.Equal((2.0, 3, 9), (Math.Round(growth.Exponent, 2), growth.Counts, growth.Points));
        Assert.Equal(1.0, allocation.Exponent, 6);
        Assert.Null(GrowthLaw.OfTime([rows[0]]));
    }

    /// <summary>Each run takes 20 µs, and 0.1 µs an object.</summary>
    [Fact]
    public void Small_counts_do_not_hide_that_large_ones_grow_linearly()
    {
        var rows = Rows([1, 10, 100, 1000, 10_000, 100_000], objects => 20 + (0.1 * objects));

        var (growth, allocation) = (GrowthLaw.OfTime(rows)!, GrowthLaw.OfAllocation(rows)!);
        Assert.Equal((3, 9), (growth.Counts, growth.Points));
        Assert.InRange(growth.Exponent, 0.95, 1.0);
        Assert.Equal(3, allocation.Counts);
    }

    private static IReadOnlyList<SummaryRow> Rows(int[] counts, Func<int, double> microseconds)
    {
        var trace = new SyntheticTrace();
        var (id, time) = (0, 1000.0);
        foreach (var objects in counts)
        {
            for (var run = 1; run <= 3; run++)
            {
                var us = microseconds(objects);
                trace.Run(
                    ++id,
                    time,
                    time + us,
                    late: 0,
                    identity: SyntheticTrace.Identity(objects: objects, number: run),
                    measurement: SyntheticTrace.Measurement(time, time + us, allocated: 24L * objects)
                );
                time += us + 1000;
            }
        }

        return Synthetic.Analyze(trace).Rows;
    }
}
