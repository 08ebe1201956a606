using EtwSerializerProfiler.Analysis.Growth;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class GrowthLawTests
{
    [Fact]
    public void Exponents_are_those_of_the_times_and_bytes()
    {
        var trace = new SyntheticTrace();
        var (id, time) = (0, 1000.0);
        foreach (var objects in (int[])[10, 100, 1000])
        {
            for (var run = 1; run <= 3; run++)
            {
                var us = 10.0 * objects * objects;
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

        var rows = Synthetic.Analyze(trace).Rows;
        var (growth, allocation) = (GrowthLaw.OfTime(rows)!, GrowthLaw.OfAllocation(rows)!);
        Assert.Equal((2.0, 3, 9), (Math.Round(growth.Exponent, 2), growth.Counts, growth.Points));
        Assert.Equal(1.0, allocation.Exponent, 6);
        Assert.Null(GrowthLaw.OfTime([rows[0]]));
    }
}
