using EtwSerializerProfiler.Workload.Features;
using EtwSerializerProfiler.Workload.Tests.Commands;

namespace EtwSerializerProfiler.Workload.Tests.Features;

[Trait(TestKind.Trait, TestKind.Records)]
public sealed class FeaturesCommandTests
{
    [Fact]
    public void The_suite_prints_a_line_a_cell()
    {
        // Its types are generated, so few of its features are tested.
        var (exitCode, output, error) = WorkloadProcess.Run("features", "-Serializer", "#google.protobuf");

        Assert.True(exitCode == 0, error);
        var lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(1 + FeatureRegistry.All.Count, lines.Length);
        Assert.Contains(
            lines,
            line =>
                line.StartsWith("Google.Protobuf,Google.Protobuf,3.", StringComparison.Ordinal)
                && line.Contains(",format,data format,binary,,.NET ", StringComparison.Ordinal)
        );
    }

    [Theory]
    [InlineData("-serializer: 'nothing' matches no serializer; choose from XmlSerializer, ", "-serializer", "nothing")]
    [InlineData("'-bogus'", "-bogus")]
    public void A_bad_option_is_one_line_and_exit_code_2(string message, params string[] args)
    {
        var (exitCode, output, error) = WorkloadProcess.Run(["features", .. args]);

        Assert.Equal(2, exitCode);
        Assert.Empty(output);
        Assert.Contains(message, Assert.Single(error.Split('\n', StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }
}
