using System.Reflection;
using System.Runtime.Loader;
using EtwSerializerProfiler.Analysis.Comparison;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

public sealed class RankComparisonTests
{
    /// <summary>Two samples, their shift, and the exact probability by R's wilcox.test.</summary>
    [Fact]
    public void Shift_and_probability_are_those_of_the_rank_test()
    {
        var compared = RankComparison.Of(
            [
                [1.1, 2.2, 3.3, 4.4],
            ],
            [
                [5.5, 6.6, 7.7, 8.8],
            ],
            0.05
        )!;

        Assert.Equal(4.4, compared.Shift, 9);
        Assert.Equal(2.0 / 70, compared.PValue, 9); // 70 ways to choose 4 of 8, two of which are as extreme
        Assert.Equal((1.1, 7.7), (compared.Low!.Value, compared.High!.Value).Rounded());
    }

    /// <summary>The first comparisons of a process, made at the same time: the library fills its tables when it is first used.</summary>
    [Fact]
    public async Task First_comparisons_beside_each_other_give_the_same_probability()
    {
        double[] low = [1.1, 2.2, 3.3, 4.4],
            high = [5.5, 6.6, 7.7, 8.8];
        for (var process = 0; process < 50; process++)
        {
            var fresh = new Loaded();
            var type = fresh.LoadFromAssemblyPath(typeof(RankComparison).Assembly.Location).GetType(typeof(RankComparison).FullName!)!;
            var compare = type.GetMethod(nameof(RankComparison.Of))!;
            var probability = type.GetProperty(nameof(RankComparison.PValue))!;
            using var start = new Barrier(4);

            var found = await Task.WhenAll(Enumerable.Range(0, start.ParticipantCount).Select(_ => OnThreadOfItsOwn(PValue)));

            Assert.All(found, value => Assert.Equal(2.0 / 70, value, 9));
            fresh.Unload();

            double PValue()
            {
                start.SignalAndWait();
                return (double)probability.GetValue(compare.Invoke(null, [new[] { low }, new[] { high }, 0.05, 0.0]))!;
            }
        }

        static Task<double> OnThreadOfItsOwn(Func<double> work) =>
            Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    [Fact]
    public void Three_runs_a_side_have_no_interval()
    {
        var compared = RankComparison.Of(
            [
                [1.0, 2, 3],
            ],
            [
                [7.0, 8, 9],
            ],
            0.05
        )!;

        Assert.Null(compared.Low);
        Assert.Equal(0.1, compared.PValue, 9);
        Assert.False(compared.Differs(0.05));
        Assert.False(compared.Resolves(1000, 0.05, 0.9));
    }

    [Fact]
    public void The_interval_holds_the_true_shift_as_often_as_is_said()
    {
        var random = new Random(7);
        var held = 0;
        for (var i = 0; i < 1000; i++)
        {
            var compared = RankComparison.Of([Values(0)], [Values(3)], 0.05)!;
            held += compared.Low <= 3 && compared.High >= 3 ? 1 : 0;
        }

        Assert.InRange(held, 935, 965);
        double[] Values(double middle) => [.. Enumerable.Range(0, 12).Select(_ => middle + Math.Log(1 / (1 - random.NextDouble())))];
    }

    [Fact]
    public void Clusters_that_do_not_differ_cost_certainty_only_and_clusters_that_do_cost_their_design_effect()
    {
        double[] even = [1, 2, 3, 4, 5, 6];
        var alike = RunSpread.Of([even, even], [even, even], 0, 0);
        var apart = RunSpread.Of(
            [
                [1, 1.01, 1.02, 1.03],
                [2, 2.01, 2.02, 2.03],
                [3, 3.01, 3.02, 3.03],
            ],
            [
                [1, 1.01, 1.02, 1.03],
                [2, 2.01, 2.02, 2.03],
                [3, 3.01, 3.02, 3.03],
            ],
            0,
            0
        );

        Assert.Equal(1, alike.DesignEffect);
        Assert.Equal(2, alike.DegreesOfFreedom);

        // Four runs that are nearly equal: nearly 4 times the variance, times the factor by which clusters differ more than runs.
        Assert.True(apart.DesignEffect > 20, $"{apart.DesignEffect}");
        Assert.Equal(4, apart.DegreesOfFreedom); // 6 clusters, 2 sides
    }

    [Fact]
    public void One_run_in_each_process_needs_no_correction()
    {
        var spread = RunSpread.Of(
            [
                [1.0],
                [1.1],
                [1.2],
            ],
            [
                [1.0],
                [1.3],
                [1.2],
            ],
            0.05,
            10
        );

        Assert.Equal(1, spread.DesignEffect);
        Assert.Equal(spread.Within, spread.Total); // nothing was assumed on top
    }

    [Fact]
    public void A_side_without_values_is_not_compared() =>
        Assert.Null(
            RankComparison.Of(
                [],
                [
                    [1.0],
                ],
                0.05
            )
        );

    /// <summary>Loads the assemblies beside the tests anew, with static fields of their own.</summary>
    private sealed class Loaded() : AssemblyLoadContext(isCollectible: true)
    {
        /// <inheritdoc />
        protected override Assembly? Load(AssemblyName assemblyName) =>
            Path.Combine(AppContext.BaseDirectory, assemblyName.Name + ".dll") is var path && File.Exists(path)
                ? LoadFromAssemblyPath(path)
                : null;
    }
}

file static class Rounding
{
    public static (double Low, double High) Rounded(this (double Low, double High) bounds) =>
        (Math.Round(bounds.Low, 9), Math.Round(bounds.High, 9));
}
