using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class RunPlanTests
{
    private static readonly IReadOnlyList<SerializerDescription> s_two = SerializerRegistry.Select([
        new("DataContract", true),
        new("Newtonsoft", false),
    ]);

    [Fact]
    public void Series_go_test_by_test_serializer_by_serializer_count_by_count()
    {
        var options = new SuiteOptions
        {
            Tests = [SuiteTest.Deserialize, SuiteTest.Serialize],
            ObjectCounts = [100, 1],
            Runs = 3,
            PayloadBytes = 9,
        };

        var plan = RunPlan.Of(options, s_two);

        Assert.Equal(
            [
                ("Deserialize", "DataContract", 10_000, 0),
                ("Deserialize", "DataContract", 100, 3),
                ("Deserialize", "DataContract", 1, 3),
                ("Deserialize", "Newtonsoft.Json", 10_000, 0),
                ("Deserialize", "Newtonsoft.Json", 100, 3),
                ("Deserialize", "Newtonsoft.Json", 1, 3),
                ("Serialize", "DataContract", 10_000, 0),
                ("Serialize", "DataContract", 100, 3),
                ("Serialize", "DataContract", 1, 3),
                ("Serialize", "Newtonsoft.Json", 10_000, 0),
                ("Serialize", "Newtonsoft.Json", 100, 3),
                ("Serialize", "Newtonsoft.Json", 1, 3),
            ],
            plan.Series.Select(series => (series.Operation, series.Serializer.Name, series.ObjectCount, series.Runs))
        );
        Assert.All(plan.Series, series => Assert.Equal(9, series.PayloadBytes));
        Assert.Equal(4 + (8 * 4), plan.TotalRuns);
        Assert.Equal(plan.TotalRuns, plan.Series.Sum(series => series.Identities().Count()));
    }

    [Fact]
    public void A_series_is_one_warm_up_and_its_measured_runs_after_a_first_use_with_the_graph_of_settling()
    {
        var plan = RunPlan.Of(
            new SuiteOptions
            {
                Tests = [SuiteTest.Combined],
                ObjectCounts = [1],
                Runs = 2,
            },
            s_two
        );

        Assert.All(plan.Series[0].Identities(), run => Assert.Equal((RunKind.WarmUp, 10_000), (run.Kind, run.ObjectCount)));
        Assert.Equal(
            [(RunKind.WarmUp, 1), (RunKind.Measured, 1), (RunKind.Measured, 2)],
            plan.Series[1].Identities().Select(run => (run.Kind, run.RunNumber))
        );
        Assert.All(
            plan.Series[1].Identities(),
            run => Assert.Equal((RunOperation.Combined, 1, 1), (run.Operation, run.ObjectCount, run.ThreadCount))
        );
    }

    [Fact]
    public void Each_object_count_runs_with_each_thread_count_after_settling_on_one_thread()
    {
        var plan = RunPlan.Of(
            new SuiteOptions
            {
                Tests = [SuiteTest.Serialize, SuiteTest.FirstCall],
                ObjectCounts = [5, 6],
                Threads = [1, 4],
                Runs = 1,
            },
            [s_two[0]]
        );

        Assert.Equal(
            [("Serialize", 10_000, 1), ("Serialize", 5, 1), ("Serialize x4", 5, 4), ("Serialize", 6, 1), ("Serialize x4", 6, 4)],
            plan.Series.Where(series => series.Kind != RunKind.FirstCall)
                .Select(series => (series.Test, series.ObjectCount, series.ThreadCount))
        );
        Assert.All(plan.Series, series => Assert.All(series.Identities(), run => Assert.Equal(series.ThreadCount, run.ThreadCount)));
        Assert.All(plan.Series.Where(series => series.Kind == RunKind.FirstCall), series => Assert.Equal(1, series.ThreadCount));
    }

    [Theory]
    [InlineData(1, 0, 10_000)]
    [InlineData(15_000, 0, 15_000)]
    [InlineData(1_000_000, 0, 20_000)]
    [InlineData(1, 1_000_000, 10)]
    [InlineData(500, 1_000_000, 500)]
    public void The_graph_of_settling_has_enough_objects_to_heat_the_code_and_not_much_more_payload(
        int objects,
        int payload,
        int expected
    ) =>
        Assert.Equal(
            expected,
            RunPlan
                .Of(
                    new SuiteOptions
                    {
                        Tests = [SuiteTest.Serialize],
                        ObjectCounts = [objects],
                        PayloadBytes = payload,
                    },
                    s_two
                )
                .Series[0]
                .ObjectCount
        );

    [Fact]
    public void First_calls_have_no_warm_up_and_start_with_what_does_not_depend_on_a_serializer_or_on_objects()
    {
        var plan = RunPlan.Of(
            new SuiteOptions
            {
                Tests = [SuiteTest.FirstCall],
                ObjectCounts = [1, 9],
                Runs = 3,
                PayloadBytes = 5,
            },
            s_two
        );

        Assert.Equal(
            [
                ("StartRuntime", "(runtime)", 0, 0),
                ("Construct", "DataContract", 0, 0),
                ("Construct", "Newtonsoft.Json", 0, 0),
                ("FirstSerialize", "DataContract", 1, 5),
                ("FirstSerialize", "DataContract", 9, 5),
                ("FirstSerialize", "Newtonsoft.Json", 1, 5),
                ("FirstSerialize", "Newtonsoft.Json", 9, 5),
                ("FirstDeserialize", "DataContract", 1, 5),
                ("FirstDeserialize", "DataContract", 9, 5),
                ("FirstDeserialize", "Newtonsoft.Json", 1, 5),
                ("FirstDeserialize", "Newtonsoft.Json", 9, 5),
            ],
            plan.Series.Select(series => (series.Operation, series.Serializer.Name, series.ObjectCount, series.PayloadBytes))
        );
        Assert.All(plan.Series.SelectMany(series => series.Identities()), run => Assert.Equal(RunKind.FirstCall, run.Kind));
        Assert.Equal(33, plan.TotalRuns);
    }

    [Fact]
    public void The_median_is_the_middle_or_the_mean_of_the_two_middle_values()
    {
        Assert.Equal(2, SuiteConsole.Median([3.0, 1.0, 2.0]));
        Assert.Equal(2.5, SuiteConsole.Median([4.0, 1.0, 2.0, 3.0]));
    }
}
