using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Features;
using EtwSerializerProfiler.Workload.Features.Trials;

namespace EtwSerializerProfiler.Workload.Tests.Features;

/// <summary>The column NativeAOT, without the published program; a test of the recorder has that.</summary>
public sealed class NativeAotFeatureTests
{
    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public void A_suite_that_was_not_published_leaves_the_cell_untried(string? program)
    {
        var cell = Try(program);

        Assert.Equal(FeatureCell.NotTried, cell.Seen);
        Assert.Contains("--runtime net10.0,net10.0-aot", cell.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public void A_program_that_does_not_start_is_not_a_success() => Assert.Equal(FeatureCell.No, Try("/does/not/exist").Seen);

    private static FeatureCell Try(string? program) =>
        new NativeAotFeature(program).Try(new FeatureTrial(new FeatureSubject("Google.Protobuf", ""), SerializerSettings.Default));
}
